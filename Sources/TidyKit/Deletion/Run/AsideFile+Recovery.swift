/// What a run that was killed left under private names is put back before the next run begins.
extension AsideFile {
    /// Looks only at runs that may have left something; those at work are left alone.
    /// - Returns: what to say of each file that was found.
    public static func recover(_ environment: Environment) -> [String] {
        let journal = Journal(environment)
        var notes: [String] = []
        for id in (try? journal.runsWithMark()) ?? [] {
            guard let history = try? journal.history(id), !history.isRunning, var file = try? journal.open(id) else {
                continue
            }
            var isDone = true
            for step in file.history.steps where step.mayBeAside {
                switch recover(step) {
                case .success(let (outcome, note)):
                    if let outcome {
                        file.append(.outcome(file: step.intent.file, outcome, identity: step.intent.identity))
                    }
                    if let note { notes.append(note) }
                case .failure: isDone = false
                }
            }
            if isDone, (try? file.synchronize()) != nil { file.clearMark() }
        }
        return notes
    }

    /// What became of one file; nil where `undo` has to find out. Throws where it cannot be looked for: its disk may be
    /// away.
    private static func recover(
        _ step: RunHistory.Step
    ) -> Result<(outcome: JournalEntry.Outcome?, note: String?), POSIXError> {
        guard let aside = step.aside else { return .success((nil, nil)) }
        let path = step.intent.path.displayText
        do throws(POSIXError) {
            let folder = try OpenFolder(aside.directory)
            let name = FilePath(aside.lastComponent)
            let isErased = step.intent.operation == .erase
            do throws(POSIXError) { _ = try folder.descriptor.status(of: name) } catch {
                guard error.isMissing else { throw error }
                guard isErased else { return .success((nil, nil)) }
                let isThere = (try? folder.descriptor.status(of: FilePath(step.intent.path.lastComponent))) != nil
                return .success((isThere ? .kept : .erased, nil))
            }
            switch putBack(name, to: FilePath(step.intent.path.lastComponent), in: folder.descriptor) {
            case .back:
                return .success(
                    (isErased ? .kept : nil, "\(path) was set aside by a run that was killed, and is back."))
            case .beside(let other):
                return .success(
                    (
                        isErased ? .kept : nil,
                        "\(path) was set aside by a run that was killed; its name is taken, and it stands as "
                            + "\(other.displayText) beside it."
                    ))
            case .failed(let error): throw error
            }
        } catch {
            if error.isMissing { return .success((nil, nil)) }
            return .failure(error)
        }
    }
}

extension RunHistory.Step {
    /// What was set aside may be there still.
    var mayBeAside: Bool { aside != nil && !isSettled && (outcome == nil || outcome == .unknown) }
}
