internal import Glibc

/// Outputs that are files of their own: what stands in their way, and how they are written.
extension CompressionRun {
    /// Whether a file that has the output's name already is the very same; nil where there is none.
    func exists(_ output: FilePath, with bytes: [UInt8]) throws(CompressionError) -> Bool? {
        do throws(POSIXError) {
            guard let folder = try outputs?.existing(output.directory) else { return nil }
            let name = FilePath(output.lastComponent)
            let status = try folder.descriptor.status(of: name)
            if status.kind == .symbolicLink { return try Self.linkLeads(output, to: bytes) }
            // A long one is not read.
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

    /// A link that was there before is read through, and never written through.
    private static func linkLeads(_ output: FilePath, to bytes: [UInt8]) throws(POSIXError) -> Bool {
        let status = try FileStatus.of(output, followLinks: true)
        guard status.kind == .regular, status.identity.bytes == bytes.count else { return false }
        return try FileSystem.contents(of: output, limit: bytes.count) == bytes
    }

    /// Refuses an output below what is no folder: a file, a pipe, a device.
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

    /// What would keep the output from being written, told by the nearest folder that is there.
    static func checkWritable(above output: FilePath) throws(CompressionError) {
        var folder = output.directory
        while (try? FileStatus.of(folder, followLinks: true)) == nil, folder.directory != folder {
            folder = folder.directory
        }
        if let error = FileSystem.obstacleToChanging(folder: folder) { throw .file(error) }
        if let path = try? folder.resolved(), let traits = try? FileTraits.of(path), traits.isImmutable {
            throw .file(POSIXError(code: EPERM, operation: "openat", path: folder))
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
                // Filesystems without extended attributes are no reason to fail.
                do throws(POSIXError) {
                    try original.copyExtendedAttributes(to: file, withoutOrigin: settings.metadata != .all)
                } catch { if error.isFull { throw error } }
                try AtomicFile.apply(
                    AtomicFile.Attributes(
                        permissions: status.permissions & 0o777, accessedNs: status.accessedNs,
                        modifiedNs: status.identity.modifiedNs), to: file)
            }
        } catch let error as POSIXError {
            throw error.isOccupied ? .outputExists : .file(error)
        } catch let error as CompressionError {
            throw error
        } catch { throw .unsupported("\(error)") }
    }
}
