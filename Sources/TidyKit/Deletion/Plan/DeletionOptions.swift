/// What `delete` was told besides which photos.
public struct DeletionOptions: Sendable {
    public enum Companions: String, CaseIterable, Sendable {
        /// The files of a photo go together.
        case unit
        /// Just the files that are named.
        case only
        /// A photo with companions refuses the run.
        case refuse
    }

    public var mode = DeletionPlan.Mode.trash
    public var verification = DeletionPlan.Verification.stat
    /// Photos a batch.
    public var batchSize = 20
    public var companions = Companions.unit
    public var protected: [FilePath] = []
    /// A plan with more files, or more bytes, is refused.
    public var maxFiles: Int?
    public var maxBytes: Int64?
    public var copiesToHomeTrash = false

    public init() {}
}
