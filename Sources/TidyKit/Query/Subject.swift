/// A photo as predicates see it, before and after its file was read. What is nil is not known (yet): predicates answer
/// nil then, and a "no" that was given before a file was opened stays a "no".
public struct Subject: Sendable {
    public var photo: Photo
    /// True once the content was looked at: from then on an absent location is known to be absent.
    public var isRead = false
    public var unit: UnitTraits?
    /// What the file itself says, such as the UserComment that iOS writes.
    public var isMarkedScreenshot = false
    public var isOrphan: Bool?
    public var isBroken: Bool?
    public var isDuplicate: Bool?
    public var isSimilar: Bool?

    public init(_ photo: Photo) { self.photo = photo }
}
