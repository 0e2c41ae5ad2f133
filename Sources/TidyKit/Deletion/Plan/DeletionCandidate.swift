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
