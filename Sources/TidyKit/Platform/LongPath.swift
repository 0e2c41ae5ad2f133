internal import Glibc

/// No call takes a path of more than PATH_MAX bytes, and folders may lie deeper: such a path is walked in parts, each from
/// the folder that the part before it led to.
extension FilePath {
    /// PATH_MAX without the closing NUL.
    static let lengthLimit = 4095

    /// Calls `body` with an open folder and a path below it that leads to this file: AT_FDCWD and the path itself where a
    /// call takes it. Links are followed as the kernel would.
    func reached<Result>(
        _ body: (_ folder: Int32, _ path: FilePath) throws(POSIXError) -> Result
    ) throws(POSIXError) -> Result {
        if bytes.count <= Self.lengthLimit { return try body(AT_FDCWD, self) }
        var (head, tail) = cut(at: Self.lengthLimit)
        guard !head.bytes.isEmpty else { return try body(AT_FDCWD, self) }
        var folder = try FileDescriptor.open(head, [.pathOnly, .directory])
        while tail.bytes.count > Self.lengthLimit {
            (head, tail) = tail.cut(at: Self.lengthLimit)
            if head.bytes.isEmpty { break }
            folder = try folder.open(head, [.pathOnly, .directory])
        }
        return try body(folder.rawValue, tail)
    }

    /// The first folders of the path, at most `limit` bytes, and what lies below them; an empty head where the first name
    /// is longer.
    private func cut(at limit: Int) -> (head: FilePath, tail: FilePath) {
        guard let slash = bytes[...limit].lastIndex(of: Self.slash) else { return (FilePath([]), self) }
        return (FilePath(bytes[..<max(1, slash)]), FilePath(bytes[slash...].drop { $0 == Self.slash }))
    }
}
