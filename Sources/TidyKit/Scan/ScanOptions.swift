/// What a scan passes over besides what nobody wants to see.
public struct ScanOptions: Sendable {
    public var includeHidden: Bool
    /// Passed over where they are met below an operand, by whatever path.
    public var excludedFolders: [FilePath]

    public init(includeHidden: Bool = false, excludedFolders: [FilePath] = []) {
        self.includeHidden = includeHidden
        self.excludedFolders = excludedFolders
    }
}
