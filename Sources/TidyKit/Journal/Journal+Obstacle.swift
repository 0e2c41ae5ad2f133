/// Without a journal no run begins: a dry run looks whether there could be one, and writes nothing.
extension Journal {
    /// What `open` would throw for `id`, as far as that can be seen; nil where it would not.
    /// - Parameter begins: as for `open`. Undo needs no room on a disk, and a run that begins does.
    func obstacle(to id: RunID, begins: Bool = false) -> JournalError? {
        if (try? FileLock.isTaken(path(of: id))) == true { return .busy(id) }
        let files = begins ? [RunOrder.path(folder), path(of: id)] : [path(of: id)]
        for file in files {
            if let error = FileSystem.obstacleToMaking(file) { return .failed(error) }
        }
        guard begins, let error = FileSystem.obstacleOfSpace(at: folder) else { return nil }
        let missing = files.first { (try? FileStatus.of($0)) == nil }
        let path = error.operation == "write" ? nil : missing
        return .failed(POSIXError(code: error.code, operation: error.operation, path: path))
    }
}
