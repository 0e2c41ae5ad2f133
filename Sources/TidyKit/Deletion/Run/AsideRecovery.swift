/// Puts back the files that killed runs left under private names, before the next run begins.
enum AsideRecovery {
    /// Reads only the journals of runs that may have left something. Skips runs that are still at work.
    /// - Returns: a message for each file that was found.
    static func run(_ environment: Environment) -> [String] {
        let journal = Journal(environment)
        return ((try? journal.runsWithMark()) ?? []).flatMap { recover($0, journal) }
    }

    private static func recover(_ id: RunID, _ journal: Journal) -> [String] {
        guard let history = try? journal.history(id), !history.isRunning, var file = try? journal.open(id) else {
            return []
        }
        var notes: [String] = []
        var isDone = true
        for step in file.history.steps where step.mayBeAside {
            do throws(POSIXError) {
                let found = try recover(step)
                if let outcome = found.outcome {
                    file.append(.outcome(file: step.intent.file, outcome, identity: step.intent.identity))
                }
                if let note = found.note { notes.append(note) }
            } catch { isDone = false }
        }
        if isDone, (try? file.synchronize()) != nil { file.clearMark() }
        return notes
    }

    private struct Finding {
        /// The outcome for the journal; nil if `undo` has to find out.
        var outcome: JournalEntry.Outcome?
        var note: String?
    }

    /// Throws if the folder of the file cannot be read: its disk may be unplugged.
    private static func recover(_ step: RunHistory.Step) throws(POSIXError) -> Finding {
        do throws(POSIXError) { return try putBack(step) } catch {
            if error.isMissing { return Finding() }
            throw error
        }
    }

    private static func putBack(_ step: RunHistory.Step) throws(POSIXError) -> Finding {
        guard let aside = step.aside else { return Finding() }
        let path = step.intent.path.displayText
        let name = FilePath(step.intent.path.lastComponent)
        let folder = try OpenFolder(aside.directory)
        let privateName = PrivateName(FilePath(aside.lastComponent))
        let isErased = step.intent.operation == .erase
        do throws(POSIXError) { _ = try folder.descriptor.status(of: privateName.name) } catch {
            guard error.isMissing else { throw error }
            guard isErased else { return Finding() }
            let isThere = (try? folder.descriptor.status(of: name)) != nil
            return Finding(outcome: isThere ? .kept : .erased)
        }
        var finding = Finding(outcome: isErased ? .kept : nil)
        switch privateName.putBack(to: name, in: folder.descriptor) {
        case .done: finding.note = "\(path) was set aside by a run that was killed, and is back."
        case .beside(let other):
            finding.note =
                "\(path) was set aside by a run that was killed. Its name is taken, so it is now "
                + "\(other.displayText) in the same folder."
        case .failed(let error): throw error
        }
        return finding
    }
}

extension RunHistory.Step {
    /// The file may still have its private name.
    fileprivate var mayBeAside: Bool { aside != nil && !isSettled && (outcome == nil || outcome == .unknown) }
}
