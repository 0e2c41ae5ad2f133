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
