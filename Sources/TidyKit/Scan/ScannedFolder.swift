/// One folder as a scan found it: its files, and how their paths begin.
public struct ScannedFolder: Sendable {
    /// What stands in front of a name: `2024/`; empty for the current folder.
    public let prefix: [UInt8]
    /// By name, in the order of their bytes.
    public var files: [ScannedFile]
    /// The names that the user gave outright; nil where the whole folder was asked for.
    public var requested: Set<[UInt8]>?

    public func path(of name: [UInt8]) -> FilePath { FilePath(prefix + name) }
}

/// A file in a scanned folder.
public struct ScannedFile: Sendable {
    public let name: [UInt8]
    /// Nil where nobody asked for the whole folder: `fstatat` is called when it turns out to be needed.
    public var identity: FileIdentity?

    /// A placeholder of iCloud, which is never opened.
    public var isOffline: Bool { CloudStub.originalName(name) != nil }
}

/// A part of the library that a scan could not read.
public struct ScanFailure: Sendable {
    public let path: FilePath
    public let reason: String
}

public enum ScanError: Error, Sendable {
    case missing(FilePath)
}

/// The names in one folder that can be photos or belong to one.
public enum FolderListing {
    /// Links and folders aside, and what a scan passes over.
    /// - Parameter keeping: names that are listed though a rule would hide them.
    public static func names(
        of folder: FilePath, _ roots: LibraryRoots = LibraryRoots(), keeping: Set<[UInt8]> = [],
        includeHidden: Bool = false
    ) throws(POSIXError) -> [[UInt8]] {
        let open = try roots.open(folder: folder)
        var stream = try DirectoryStream(open.descriptor, path: folder)
        var names: [[UInt8]] = []
        while let (name, kind) = try stream.next() {
            if !keeping.contains(name), let rule = IgnoreRule.rule(forName: name) {
                guard rule == .hidden, includeHidden || CloudStub.originalName(name) != nil else { continue }
            }
            switch kind {
            case .regular: names.append(name)
            case .unknown:
                if (try? open.descriptor.status(of: FilePath(name)))?.kind == .regular { names.append(name) }
            default: continue
            }
        }
        return names
    }
}
