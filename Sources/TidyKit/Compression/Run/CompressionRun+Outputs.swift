internal import Glibc

/// Outputs that are separate files: what blocks them, and how they are written.
extension CompressionRun {
    /// Whether an existing file with the output's name has the same content; nil if there is none.
    func exists(_ output: FilePath, with bytes: [UInt8]) throws(CompressionError) -> Bool? {
        do throws(POSIXError) {
            guard let folder = try outputs?.existing(output.directory) else { return nil }
            let name = FilePath(output.lastComponent)
            let status = try folder.descriptor.status(of: name)
            if status.kind == .symbolicLink { return try Self.linkLeads(output, to: bytes) }
            // A file of another length need not be read.
            if status.kind == .regular, status.identity.bytes != bytes.count { return false }
            if status.kind == .regular {
                return try folder.descriptor.openForReading(name).readToEnd(limit: bytes.count) == bytes
            }
        } catch {
            if error.isMissing { return nil }
            throw .file(error)
        }
        throw .outputBlocked(by: output, isAbove: false)
    }

    /// An existing link is read through but never written through.
    private static func linkLeads(_ output: FilePath, to bytes: [UInt8]) throws(POSIXError) -> Bool {
        let status = try FileStatus.of(output, followLinks: true)
        guard status.kind == .regular, status.identity.bytes == bytes.count else { return false }
        return try FileSystem.contents(of: output, limit: bytes.count) == bytes
    }

    /// Refuses an output below something that is not a folder: a file, a pipe, a device.
    static func checkFolders(above output: FilePath) throws(CompressionError) {
        var folder = output.directory
        while true {
            if let status = try? FileStatus.of(folder, followLinks: true) {
                if status.kind != .directory { throw .outputBlocked(by: folder, isAbove: true) }
                return
            }
            guard folder.directory != folder else { return }
            folder = folder.directory
        }
    }

    /// Throws the error that the run would have with an output of this size.
    func rehearse(_ output: FilePath, _ bytes: Int64) throws(CompressionError) {
        do throws(JournalError) { try obstacles?.checkJournal() } catch { throw .journal(error) }
        if let error = FileSystem.obstacleToMakingAnew(output, renames: true) { throw .file(error) }
        if let error = FileSystem.obstacleOfSpace(for: bytes, at: output.directory) {
            if plan.isInPlace { throw .kept(error.reason, isFull: true) }
            throw .file(POSIXError(code: error.code, operation: error.operation, path: output))
        }
    }

    /// A filesystem without extended attributes is not a reason to fail; a full one is.
    private func copyExtendedAttributes(
        of original: borrowing FileDescriptor, to file: borrowing FileDescriptor
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try original.copyExtendedAttributes(to: file, withoutOrigin: settings.metadata != .all)
        } catch {
            if error.isFull { throw error }
        }
    }

    func write(
        _ bytes: [UInt8], to output: FilePath, from job: CompressionPlan.Job, _ status: FileStatus
    ) throws(CompressionError) {
        do {
            let name = FilePath(output.lastComponent)
            if streamed != nil, job.source == StreamedPicture.path {
                guard let folder = try outputs?.make(output.directory) else { return }
                return try OutputFile.write(name, in: folder.descriptor, replacing: overwrites) {
                    (file) throws(POSIXError) in
                    try file.write(bytes)
                    try file.setPermissions(FileSystem.usualPermissions)
                }
            }
            let original = try open(job)
            guard let folder = try outputs?.make(output.directory) else { return }
            try OutputFile.write(name, in: folder.descriptor, replacing: overwrites) { (file) throws(POSIXError) in
                try file.write(bytes)
                try copyExtendedAttributes(of: original, to: file)
                try AtomicFile.apply(
                    AtomicFile.Attributes(
                        permissions: status.permissions & 0o777, accessedNs: status.accessedNs,
                        modifiedNs: status.identity.modifiedNs), to: file)
            }
        } catch let error as POSIXError {
            if error.isOccupied { throw .outputExists }
            // The path is relative to an open folder.
            let isOutput = error.path?.bytes.elementsEqual(output.lastComponent) ?? false
            throw .file(
                POSIXError(code: error.code, operation: error.operation, path: isOutput ? output : error.path))
        } catch let error as CompressionError {
            throw error
        } catch { throw .picture(.unsupported("\(error)")) }
    }
}
