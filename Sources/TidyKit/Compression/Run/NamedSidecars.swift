/// Sidecars with the full name of a photo (`a.HEIC.xmp`) that is about to get another extension: they would no longer
/// belong to any photo.
struct NamedSidecars {
    private let photo: FilePath
    private let newPhoto: FilePath
    private let roots: LibraryRoots

    private static let endings = ["xmp", "pp3", "dop", "on1", "arp", "cos"].flatMap { [$0, $0.uppercased()] }
    /// Longer files are not sidecars, and are kept.
    private static let most = 16 << 20

    /// - Parameter roots: the folders above the photo; no link below them is followed.
    init(of photo: FilePath, becoming newPhoto: FilePath, below roots: LibraryRoots) {
        self.photo = photo
        self.newPhoto = newPhoto
        self.roots = roots
    }

    /// Renames the sidecars as part of the same photo in the same run: each becomes a file with the new name, and the
    /// old one goes to the trash.
    /// - Parameter unit: the photo's number in the run.
    /// - Parameter renamed: receives the old name of each sidecar that was renamed.
    /// - Returns: what could not be renamed, as text for the report.
    func rename(unit: Int, _ run: InPlaceRun, renamed: (FilePath) -> Void = { _ in }) -> [String] {
        guard photo != newPhoto else { return [] }
        return Self.endings.compactMap { ending in
            let old = FilePath(photo.bytes + Array(".\(ending)".utf8))
            guard let folder = try? roots.open(folder: old.directory),
                let file = try? folder.descriptor.openForReading(FilePath(old.lastComponent)),
                let status = try? file.status(), status.kind == .regular
            else { return nil }
            let new = FilePath(newPhoto.bytes + Array(".\(ending)".utf8))
            do throws(DeletionError) {
                let content: [UInt8]
                do throws(POSIXError) { content = try file.readToEnd(limit: Self.most) } catch {
                    return "its sidecar \(old.displayText) keeps its name: \(error.reason)"
                }
                try run.replace(old, with: content, expecting: status.identity, as: new, unit: unit)
                renamed(old)
                return nil
            } catch {
                return "its sidecar \(old.displayText) keeps its name: \(error.description)"
            }
        }
    }
}

/// Finishes a run that was killed between a photo and its sidecar: the photo has its new name (`a.jpg`), and the
/// sidecar the old one (`a.HEIC.xmp`), which belongs to no photo. The next run renames it under the ID of the killed
/// run, so that undo restores both together.
package enum SidecarRecovery {
    /// First puts back files that were set aside (`AsideRecovery`). Only killed runs are considered, not running ones.
    /// - Returns: notes on the files that were found.
    package static func run(_ environment: Environment) -> [String] {
        let journal = Journal(environment)
        // Putting back a file that was set aside settles the matter and removes the marks.
        let ids = (try? journal.runsWithMark()) ?? []
        var notes = AsideRecovery.run(environment)
        for id in ids {
            guard let history = try? journal.history(id), !history.isRunning, !history.isClosed,
                let start = history.start, start.action == "compress"
            else { continue }
            var locator = StepLocator(id: id, environment)
            let photos = history.steps.filter { isReplaced($0, &locator) }
            if photos.isEmpty { continue }
            let units = Set(photos.map(\.intent.unit))
            let begun = history.steps.filter { $0.isUncertain && $0.needsUndo && units.contains($0.intent.unit) }
            rollBack(begun, journal, &locator)
            let roots = LibraryRoots()
            let run = InPlaceRun(continuing: history, start, environment: environment, roots: roots)
            for photo in photos { notes += rename(photo, run, roots) }
            run.close()
        }
        return notes
    }

    private static func rename(_ photo: RunHistory.Step, _ run: InPlaceRun, _ roots: LibraryRoots) -> [String] {
        guard let replacement = photo.intent.replacement else { return [] }
        roots.add(resolved: photo.intent.path.directory)
        var renamed: [String] = []
        let sidecars = NamedSidecars(of: photo.intent.path, becoming: replacement.path, below: roots)
        let kept = sidecars.rename(unit: photo.intent.unit, run) { sidecar in
            renamed.append(
                "\(sidecar.displayText) was left behind by a run that was killed: it goes with its photo, which is "
                    + "\(replacement.path.displayText) now.")
        }
        return renamed + kept
    }

    /// The run was killed while it replaced a sidecar: its new file is removed, as undo would, and the sidecar starts
    /// over.
    private static func rollBack(_ steps: [RunHistory.Step], _ journal: Journal, _ locator: inout StepLocator) {
        guard !steps.isEmpty, var file = try? journal.open(locator.id) else { return }
        for step in steps where locator.location(of: step) == .origin {
            Replacement.removeUnfinished(step, &locator.folders)
            do throws(POSIXError) {
                try Replacement.clean(locator.id, step, removesNew: true, &locator.folders)
                try locator.clean(step)
            } catch { continue }
            file.append(.outcome(file: step.intent.file, .kept, identity: step.intent.identity))
        }
        try? file.synchronize()
    }

    /// The new file has its new name, and the original is only in the trash; no undo has begun.
    private static func isReplaced(_ step: RunHistory.Step, _ locator: inout StepLocator) -> Bool {
        guard step.needsUndo, step.target == nil, let replacement = step.intent.replacement,
            replacement.path != step.intent.path, locator.location(of: step) == .trash,
            let new = try? locator.folders.status(of: replacement.path), new.kind == .regular,
            new.identity.matchesContent(of: replacement.identity)
        else { return false }
        return [step.intent.path, step.aside].compactMap(\.self).allSatisfy { path in
            do throws(POSIXError) {
                _ = try locator.folders.status(of: path)
                return false
            } catch { return error.isMissing }
        }
    }
}
