internal import Glibc

/// Examines a photo before undo touches it.
extension UndoRun {
    /// Finds the files of a photo and whether they can be restored. Removes leftovers of those that are in their
    /// places.
    mutating func inspect(_ steps: [RunHistory.Step]) -> Photo {
        var photo = Photo(
            item: UndoResult.Item(
                path: steps.first?.intent.path ?? .root, files: [], bytes: 0,
                status: options.isDryRun ? .ready : .restored))
        var failure: (UndoResult.Status, String)?
        var gone: [RunHistory.Step] = []
        var recovered: [RunHistory.Step] = []
        for step in steps {
            if step.isUntouched {
                if !options.isDryRun { Replacement.removeUnfinished(step, &locator.folders) }
                settled.append(step.intent.file)
                continue
            }
            if !options.isDryRun, locator.recover(step) { recovered.append(step) }
            let place = locator.location(of: step)
            switch place {
            case .trash, .both: add(step, place, to: &photo)
            case .origin, .target:
                if step.target == nil { leaveInPlace(step) } else { add(step, place, to: &photo) }
            case .lost:
                // A restored file that its owner has moved since is not gone.
                let isGone = step.outcome != nil && !step.isRestored
                if isGone { markGone(step, &gone) } else { cleanUp(step) { $0.settled.append(step.intent.file) } }
            case .aside where options.isDryRun: recovered.append(step)
            case .aside:
                failure = (.conflict, "\(step.aside?.displayText ?? "") was set aside, and another file has its name")
            case .changedInTrash: failure = (.changed, Self.wayOut(of: step))
            case .unreachable(let error): failure = (.failed, "its trash cannot be opened: \(error.reason)")
            }
        }
        decide(&photo, failure, gone)
        if photo.isEmpty, !recovered.isEmpty {
            photo.item.files = recovered.map(\.intent.path)
            photo.item.bytes = recovered.totalBytes(\.intent.identity.bytes)
            photo.isRecovered = true
        }
        return photo
    }

    /// Where a file is that was changed in the trash, so that the user can move it out with another program.
    private static func wayOut(of step: RunHistory.Step) -> String {
        let name = step.intent.name ?? FilePath(step.intent.path.lastComponent)
        let place = step.intent.trash.map { $0.appending("files").appending(name.bytes).displayText }
        return "it was changed in the trash, and stays there: if it is what you want, move it back yourself"
            + (place.map { ", from \($0)" } ?? "")
    }

    /// Does not settle the file, so that every list shows that it is gone.
    private mutating func markGone(_ step: RunHistory.Step, _ gone: inout [RunHistory.Step]) {
        if !options.isDryRun { try? locator.clean(step) }
        gone.append(step)
    }

    private mutating func decide(
        _ photo: inout Photo, _ failure: (UndoResult.Status, String)?, _ gone: [RunHistory.Step]
    ) {
        let waiting = photo.files.filter { $0.progress == .inTrash }
        photo.item.files = waiting.map(\.target)
        photo.item.bytes = waiting.totalBytes(\.step.intent.identity.bytes)
        photo.isEmpty = photo.files.isEmpty && failure == nil
        if !gone.isEmpty {
            photo.gone = UndoResult.Item(
                path: photo.item.path, files: [], bytes: 0, status: .gone, reason: "it has left the trash")
        }
        if let failure {
            (photo.item.status, photo.item.reason) = failure
        } else if !waiting.isEmpty {
            chooseTargets(&photo)
        }
        if options.isDryRun, photo.item.status == .ready { checkWayBack(&photo) }
    }

    /// Adds the obstacles to restoring, and what will be left behind.
    private mutating func checkWayBack(_ photo: inout Photo) {
        do throws(POSIXError) {
            let reason = try obstacles.reason(
                against: photo.files.filter { $0.progress == .inTrash }, mayCopy: mayCopy(photo.files), &locator.folders
            )
            if let reason { (photo.item.status, photo.item.reason) = (.failed, reason) }
        } catch { (photo.item.status, photo.item.reason) = (.failed, Self.reason(error)) }
        guard photo.item.status == .ready else { return }
        for file in photo.files {
            guard let reason = RestoreObstacles.leftover(of: file, &locator.folders) else { continue }
            result.isUnfinished = true
            result.notes.append("\(file.target.displayText) would be back, and " + file.leftover(reason))
        }
    }

    static func reason(_ error: POSIXError) -> String {
        error.code == ELOOP || error.code == ENOTDIR
            ? "a folder in its path has become a link or a file: --to brings it back elsewhere" : error.reason
    }

    private mutating func add(_ step: RunHistory.Step, _ place: StepLocation, to photo: inout Photo) {
        guard case .success(let trash) = locator.trash(of: step) else {
            if place != .trash { leaveInPlace(step) }
            return
        }
        var file = FileRestoration(step, trash, target: step.target ?? target(of: step))
        switch place {
        case .trash: file.target = target(of: step)
        case .both:
            file.progress = .doubled
            file.isResumed = true
        default:
            if place == .origin { file.target = step.intent.path }
            file.progress = .moved
            file.isResumed = true
            // A copy whose original has left the trash cannot be rolled back, and neither can a replaced file.
            if step.copy != nil || step.intent.replacement != nil {
                cleanUp(step) {
                    $0.settle(step, at: file.target)
                    $0.finished += 1
                }
                return
            }
        }
        photo.files.append(file)
    }

    /// The file is in its place, and no undo was at work on it.
    private mutating func leaveInPlace(_ step: RunHistory.Step) {
        if isUntouched(step) {
            cleanUp(step) { $0.kept.append(step) }
        } else {
            cleanUp(step) { $0.settle(step, at: step.intent.path) }
        }
    }

    /// Removes leftovers. Calls `body`, which records the outcome, if nothing of the file is left in the trash.
    private mutating func cleanUp(_ step: RunHistory.Step, _ body: (inout UndoRun) -> Void) {
        var reason: String?
        if options.isDryRun {
            reason = locator.obstacleToCleaning(step)
        } else {
            do throws(POSIXError) {
                try locator.clean(step)
                try Replacement.clean(history.id, step, removesNew: true, &locator.folders)
            } catch { reason = locator.obstacleToCleaning(step) ?? error.reason }
        }
        guard let reason else { return body(&self) }
        result.isUnfinished = true
        result.notes.append(
            "\(step.intent.path.displayText): what it left in the trash could not be removed: \(reason)")
    }

    /// True if the run never reached this file. A file that was moved and restored has another ctime.
    private mutating func isUntouched(_ step: RunHistory.Step) -> Bool {
        step.outcome == nil && step.selections.isEmpty
            && (try? locator.folders.status(of: step.intent.path))?.identity == step.intent.identity
    }

    // MARK: Names

    private mutating func chooseTargets(_ photo: inout Photo) {
        guard let taken = photo.files.first(where: { $0.progress == .inTrash && isTaken($0) }) else { return }
        guard options.renames, photo.files.allSatisfy({ $0.progress == .inTrash }), chooseNames(&photo.files) else {
            photo.item.status = .conflict
            photo.item.reason =
                "\(taken.target.displayText) is there again, and is never overwritten: --rename brings it back beside it"
            return
        }
        photo.item.isRenamed = true
        photo.item.files = photo.files.map(\.target)
    }

    private mutating func isTaken(_ file: FileRestoration) -> Bool {
        if Replacement.isInPlace(file.step, at: file.target, &locator.folders) { return false }
        if options.isDryRun, locator.isReserved(file.target, file.step) { return false }
        return (try? locator.folders.status(of: file.target)) != nil
    }

    /// Chooses the lowest number that is free for all files of the photo.
    private mutating func chooseNames(_ returns: inout [FileRestoration]) -> Bool {
        guard let stem = returns.first?.target.stem else { return false }
        for number in 2..<10_000 {
            let targets = returns.map { file in
                file.target.directory.appending(
                    RestoredName.make(file.target.lastComponent, stem: stem, number: number))
            }
            if targets.allSatisfy({ (try? locator.folders.status(of: $0)) == nil }) {
                for index in returns.indices { returns[index].target = targets[index] }
                return true
            }
        }
        return false
    }
}
