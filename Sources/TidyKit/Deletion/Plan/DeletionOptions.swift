/// The options of `delete`, without the choice of photos.
package struct DeletionOptions: Sendable {
    package enum Companions: String, CaseIterable, Sendable {
        /// The files of a photo go together.
        case unit
        /// Just the files that are named.
        case only
        /// A photo with companions refuses the run.
        case refuse
    }

    package var mode = DeletionPlan.Mode.trash
    package var verification = DeletionPlan.Verification.stat
    /// Photos a batch.
    package var batchSize = 20
    package var companions = Companions.unit
    package var protected: [FilePath] = []
    /// A plan with more files, or more bytes, is refused.
    package var maxFiles: Int?
    package var maxBytes: Int64?
    package var copiesToHomeTrash = false

    package init() {}
}

/// A photo that the user asked to delete, before the disk was checked.
package struct DeletionCandidate: Sendable {
    /// Paths as the user named them.
    package var unit: PhotoUnit
    /// What the main file was when it was chosen: by a selection, or a photo record. Another one is `changed`.
    package var recorded: FileIdentity?
    package var taken: CaptureDate?
    package var isOffline: Bool
    /// The predicates that chose it.
    package var reason: String?
    /// Why it must not be touched: it is not known what belongs to it.
    package var obstacle: String?
    /// Chosen because it is a copy: the one that stays. Where that one is gone, this one is the last.
    package var kept: KeptCopy?

    package init(
        unit: PhotoUnit, recorded: FileIdentity? = nil, isOffline: Bool = false, obstacle: String? = nil,
        kept: KeptCopy? = nil
    ) {
        self.unit = unit
        self.recorded = recorded
        self.isOffline = isOffline
        self.obstacle = obstacle
        self.kept = kept
    }
}
