internal import CUnistring
internal import Glibc

/// A path as the kernel knows it: bytes without an encoding. The NFC and NFD forms of a name are two different paths,
/// and a name need not be UTF-8. A Swift `String` treats the two forms as equal, and cannot hold the others.
package struct FilePath: Hashable, Sendable {
    /// Without the closing NUL.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }
    package init(_ text: String) { bytes = Array(text.utf8) }
    /// `pointer` ends with NUL, as an entry of `argv` does.
    package init(cString pointer: UnsafePointer<CChar>) {
        bytes = Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }

    package static let current = FilePath([UInt8(ascii: ".")])
    package static let root = FilePath([slash])
    static let slash = UInt8(ascii: "/")

    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// The part after the last `/`, ignoring trailing slashes; the whole path if there is none.
    package var lastComponent: ArraySlice<UInt8> {
        let end = endWithoutSlashes
        let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return bytes[start..<end]
    }

    /// The folder that holds the last component: `.` for a bare name, `/` for a child of the root.
    package var directory: FilePath {
        guard let cut = bytes[..<endWithoutSlashes].lastIndex(of: Self.slash) else { return .current }
        var end = cut
        while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
        return end == 0 ? .root : FilePath(bytes[..<end])
    }

    /// The path without trailing slashes, so that `lnk/` means the link and not what it points to.
    package var withoutTrailingSlashes: FilePath {
        let end = endWithoutSlashes
        return end == bytes.count ? self : FilePath(bytes[..<end])
    }

    private var endWithoutSlashes: Int {
        var end = bytes.count
        while end > 1, bytes[end - 1] == Self.slash { end -= 1 }
        return end
    }

    /// `self/name`. If `self` is `.`, only the name, so that `list` in a folder shows names as the user would type
    /// them.
    package func appending(_ name: some Collection<UInt8>) -> FilePath {
        if self == .current { return FilePath(Array(name)) }
        var joined = bytes
        joined.reserveCapacity(bytes.count + name.count + 1)
        if joined.last != Self.slash, !joined.isEmpty { joined.append(Self.slash) }
        joined.append(contentsOf: name)
        return FilePath(joined)
    }

    /// Same, for the UTF-8 of `name`.
    package func appending(_ name: String) -> FilePath { appending(name.utf8) }

    /// The bytes after the last dot of the last component, in ASCII lower case; empty if there is none.
    package var lowercasedExtension: [UInt8] {
        let name = lastComponent
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return [] }
        return name[(dot + 1)...].map { $0.asciiLowercased }
    }

    /// The last component without its extension; a leading dot starts no extension.
    package var stem: ArraySlice<UInt8> {
        let name = lastComponent
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
        return name[..<dot]
    }

    /// True if `utf8Text` is not nil. Creates no text for ASCII names.
    package var isUTF8: Bool { bytes.allSatisfy { $0 < 0x80 } || utf8Text != nil }

    /// The path as text; nil if its bytes are not valid UTF-8.
    package var utf8Text: String? { String(validating: bytes, as: UTF8.self) }

    /// For people: bytes that are not UTF-8 become U+FFFD. Never for opening a file.
    package var displayText: String { String(decoding: bytes, as: UTF8.self) }

    /// True if `self` is `folder` or is below it. Both must be absolute, without `.` and `..`.
    package func isSameOrBelow(_ folder: FilePath) -> Bool {
        if folder == .root { return isAbsolute }
        return bytes.starts(with: folder.bytes)
            && (bytes.count == folder.bytes.count || bytes[folder.bytes.count] == Self.slash)
    }

    /// True if the path is absolute and has no `.`, `..`, empty part or NUL.
    package var isPlain: Bool {
        guard isAbsolute, bytes.count > 1, !bytes.contains(0) else { return false }
        return bytes.dropFirst().split(separator: Self.slash, omittingEmptySubsequences: false)
            .allSatisfy { FilePath($0).isPlainName }
    }

    /// True if it is the name of a file in a folder, and cannot lead out of that folder.
    package var isPlainName: Bool {
        !bytes.isEmpty && !bytes.contains(Self.slash) && !bytes.contains(0) && bytes != [0x2E] && bytes != [0x2E, 0x2E]
    }

    /// Calls `body` with the path as a C string, which is valid only during the call.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
            buffer[bytes.count] = 0
            return body(UnsafePointer(buffer.baseAddress!))
        }
    }
}

extension [FilePath] {
    /// Calls `body` with pointers to C strings and a null pointer behind them, as `posix_spawn` takes its words. They
    /// are valid only during the call.
    package func withCStrings<Result>(_ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        let copies = map { path in path.withCString { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

extension FilePath: Comparable {
    /// Byte order, like `LC_ALL=C sort`.
    package static func < (left: FilePath, right: FilePath) -> Bool {
        left.bytes.withUnsafeBytes { left in
            right.bytes.withUnsafeBytes { right in
                let common = min(left.count, right.count)
                let order = common == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, common)
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }
}

extension FilePath {
    /// The absolute form without `.`, `..` and doubled slashes. Links are not followed, so the name that the user gave
    /// stays recognisable. Throws if the current folder no longer exists.
    package func absolute() throws(POSIXError) -> FilePath {
        absolute(in: isAbsolute ? .root : try Self.workingDirectory())
    }

    /// Same, for a path relative to `folder`, which must be absolute. Avoids one `getcwd` for each path.
    package func absolute(in folder: FilePath) -> FilePath {
        let base = isAbsolute ? [] : folder.bytes + [Self.slash]
        var parts: [ArraySlice<UInt8>] = []
        for part in (base + bytes).split(separator: Self.slash) {
            switch Array(part) {
            case [UInt8(ascii: ".")]: continue
            case [UInt8(ascii: "."), UInt8(ascii: ".")]: _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return FilePath(parts.reduce(into: []) { $0 += [Self.slash] + $1 }).orRoot
    }

    private var orRoot: FilePath { bytes.isEmpty ? .root : self }

    /// Throws if the current folder no longer exists (`getcwd`).
    package static func workingDirectory() throws(POSIXError) -> FilePath {
        let pointer = try systemPointer("getcwd") { getcwd(nil, 0) }
        defer { free(pointer) }
        return FilePath(cString: pointer)
    }

    /// For an absolute path: resolves the links of the part that exists, and keeps the rest as it is.
    package var resolvedWhereItExists: FilePath {
        var (folder, missing) = (self, [ArraySlice<UInt8>]())
        while folder != .root {
            if let resolved = try? folder.resolved() { return missing.reversed().reduce(resolved) { $0.appending($1) } }
            missing.append(folder.lastComponent)
            folder = folder.directory
        }
        return self
    }

    /// `realpath`: absolute, with every link resolved. The file must exist. `realpath` accepts no path longer than
    /// PATH_MAX, so folders beyond that limit must not be links.
    package func resolved() throws(POSIXError) -> FilePath {
        if bytes.count > Self.lengthLimit, let slash = bytes[...Self.lengthLimit].lastIndex(of: Self.slash), slash > 0 {
            let above = try FilePath(bytes[..<slash]).resolved()
            let below = FilePath(bytes[slash...].drop { $0 == Self.slash })
            _ = try FileDescriptor.open(above, [.pathOnly, .directory]).openBeneath(below, [.pathOnly, .noFollow])
            return above.appending(below.bytes)
        }
        let pointer = try systemPointer("realpath", self) { withCString { realpath($0, nil) } }
        defer { free(pointer) }
        return FilePath(cString: pointer)
    }
}

extension UInt8 {
    /// The byte in lower case if it is an ASCII letter; other bytes are unchanged.
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
    var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
}

extension Unicode.Scalar {
    /// The number of terminal cells that the character occupies: 0, 1 or 2, in any locale (`uc_width` of libunistring).
    /// Control characters occupy none.
    package var terminalColumns: Int { max(0, Int(uc_width(value, "UTF-8"))) }
}

/// No system call accepts a path of more than PATH_MAX bytes, but folders can be nested deeper. Such a path is walked
/// in parts, each relative to the folder that the previous part led to.
extension FilePath {
    /// PATH_MAX without the closing NUL.
    static let lengthLimit = 4095

    /// Calls `body` with an open folder and a path relative to it that leads to this file; with AT_FDCWD and the path
    /// itself if it is short enough. Links are followed as the kernel would.
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

    /// The first folders of the path, at most `limit` bytes, and the rest; an empty head if the first name alone is
    /// longer.
    private func cut(at limit: Int) -> (head: FilePath, tail: FilePath) {
        guard let slash = bytes[...limit].lastIndex(of: Self.slash) else { return (FilePath([]), self) }
        return (FilePath(bytes[..<max(1, slash)]), FilePath(bytes[slash...].drop { $0 == Self.slash }))
    }
}
