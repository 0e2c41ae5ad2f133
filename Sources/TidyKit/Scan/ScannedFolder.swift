/// One folder as the scan found it: its files, and the prefix of their paths.
package struct ScannedFolder: Sendable {
    /// The part of the path before a name: `2024/`; empty for the current folder.
    package let prefix: [UInt8]
    /// Sorted by the bytes of their names.
    package var files: [ScannedFile]
    /// The names that the user gave; nil if the whole folder was requested.
    package var requested: Set<[UInt8]>?

    /// The path of a file of this folder, spelt as the user spelt the operand.
    package func path(of name: [UInt8]) -> FilePath { FilePath(prefix + name) }
}

/// A file in a scanned folder.
package struct ScannedFile: Sendable {
    package let name: [UInt8]
    /// Nil if only some files of the folder were requested: `fstatat` is called when the identity is needed.
    package var identity: FileIdentity?

    /// True for an iCloud placeholder, which is never opened.
    package var isOffline: Bool { CloudStub.originalName(name) != nil }
}

/// A part of the library that a scan could not read.
package struct ScanFailure: Sendable {
    package let path: FilePath
    package let reason: String
}

/// Why an operand cannot be scanned at all.
package enum ScanError: Error, Sendable {
    case missing(FilePath)
}

/// The names in a folder that may be photos or belong to one.
package enum FolderListing {
    /// Skips links, folders, and everything that the scan rules exclude.
    /// - Parameter keeping: names that are listed even if a rule excludes them.
    package static func names(
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
