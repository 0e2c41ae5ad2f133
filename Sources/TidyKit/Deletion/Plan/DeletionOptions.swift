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

/// A photo that the user asked to delete, before anybody looked at the disk.
public struct DeletionCandidate: Sendable {
    /// Paths as the user named them.
    public var unit: PhotoUnit
    /// What the main file was when it was chosen: by a selection, or a photo record. Another one is `changed`.
    public var recorded: FileIdentity?
    public var taken: CaptureDate?
    public var isOffline: Bool
    /// The predicates that chose it.
    public var reason: String?
    /// Why it must not be touched: it is not known what belongs to it.
    public var obstacle: String?
    /// Chosen because it is a copy: the one that stays. Where that one is gone, this one is the last.
    public var kept: KeptCopy?

    public init(
        unit: PhotoUnit, recorded: FileIdentity? = nil, taken: CaptureDate? = nil, isOffline: Bool = false,
        reason: String? = nil, obstacle: String? = nil, kept: KeptCopy? = nil
    ) {
        self.unit = unit
        self.recorded = recorded
        self.taken = taken
        self.isOffline = isOffline
        self.reason = reason
        self.obstacle = obstacle
        self.kept = kept
    }
}
