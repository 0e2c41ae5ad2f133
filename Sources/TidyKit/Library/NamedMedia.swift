/// Whether a file that was named outright has to do with photos at all.
enum NamedMedia {
    /// Of formats that we do not read, or under another name of theirs.
    private static let otherEndings: Set<String> = ["jpe", "jfif", "m4v", "mp", "mpg"]

    /// True for a photo or a video, by the name or, where that is none of theirs, by the content: the name of a damaged
    /// photo still says what it is. Sidecars count by their name; a placeholder of iCloud is never opened. What cannot be
    /// looked at, or is no regular file, is for others to judge.
    static func isIn(_ file: FilePath) -> Bool {
        let name = Array(file.lastComponent)
        if CloudStub.originalName(name) != nil { return true }
        let ending = String(decoding: file.lowercasedExtension, as: UTF8.self)
        if FormatName.format(ending) != nil || otherEndings.contains(ending) { return true }
        if let sidecar = SidecarName(name), sidecar.kind.canBeOrphan {
            if sidecar.kind != .takeout || sidecar.isSurelyTakeout { return true }
        }
        do throws(POSIXError) {
            let descriptor = try FileDescriptor.openForReading(file)
            guard try descriptor.status().kind == .regular else { return true }
            var failure: POSIXError?
            let head = [UInt8](unsafeUninitializedCapacity: ContentType.headLength) { buffer, count in
                do throws(POSIXError) {
                    count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
                } catch { failure = error }
            }
            if let failure { throw failure }
            return head.withUnsafeBytes { ContentType.format(of: $0) } != nil
        } catch { return true }
    }
}
