/// The options of `delete`, except for the choice of photos.
package struct DeletionOptions: Sendable {
    /// What happens to the companions of a photo.
    package enum Companions: String, CaseIterable, Sendable {
        /// The files of a photo are deleted together.
        case unit
        /// Only the files that are named.
        case only
        /// Refuses the run if a photo has companions.
        case refuse
    }

    package var mode = DeletionPlan.Mode.trash
    package var verification = DeletionPlan.Verification.stat
    /// The number of photos in a batch.
    package var batchSize = 20
    package var companions = Companions.unit
    package var protected: [FilePath] = []
    /// Refuses a plan with more files, or more bytes.
    package var maxFiles: Int?
    package var maxBytes: Int64?
    package var copiesToHomeTrash = false

    package init() {}
}

/// A photo that the user asked to delete, before the disk is checked.
package struct DeletionCandidate: Sendable {
    /// Paths as the user named them.
    package var unit: PhotoUnit
    /// The identity of the main file in a selection or photo record. If it differs from the disk, the photo is
    /// `changed`.
    package var recorded: FileIdentity?
    package var taken: CaptureDate?
    package var isOffline: Bool
    /// The predicates that chose it.
    package var reason: String?
    /// Why it must not be touched, such as unknown companions.
    package var obstacle: String?
    /// For a photo that was chosen as a copy: the one that stays. If that one is gone, this one is the last.
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
