/// One folder as a scan found it: its files, and how their paths begin.
package struct ScannedFolder: Sendable {
    /// What stands in front of a name: `2024/`; empty for the current folder.
    package let prefix: [UInt8]
    /// By name, in the order of their bytes.
    package var files: [ScannedFile]
    /// The names that the user gave outright; nil where the whole folder was asked for.
    package var requested: Set<[UInt8]>?

    package func path(of name: [UInt8]) -> FilePath { FilePath(prefix + name) }
}

/// A file in a scanned folder.
package struct ScannedFile: Sendable {
    package let name: [UInt8]
    /// Nil where nobody asked for the whole folder: `fstatat` is called when it turns out to be needed.
    package var identity: FileIdentity?

    /// A placeholder of iCloud, which is never opened.
    package var isOffline: Bool { CloudStub.originalName(name) != nil }
}

/// A part of the library that a scan could not read.
package struct ScanFailure: Sendable {
    package let path: FilePath
    package let reason: String
}

package enum ScanError: Error, Sendable {
    case missing(FilePath)
}

/// The names in one folder that can be photos or belong to one.
package enum FolderListing {
    /// Links and folders aside, and what a scan passes over.
    /// - Parameter keeping: names that are listed though a rule would hide them.
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
