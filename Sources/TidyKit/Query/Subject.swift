/// A photo as predicates see it, before and after its file is read. Nil means unknown (so far): predicates then return
/// nil. A false result from before the file was read remains valid afterwards.
package struct Subject: Sendable {
    package var photo: Photo
    /// True after the content was read: a location that is still nil is then known to be absent.
    package var isRead = false
    package var unit: UnitTraits?
    /// True if the content identifies it as a screenshot, for example the UserComment of iOS.
    package var isMarkedScreenshot = false
    package var isOrphan: Bool?
    package var isBroken: Bool?
    /// True if it could go from its group; with `--unique`, if it is in no group.
    package var isRedundant: Bool?
    /// 0…100.
    package var sharpness: Double?
    package var shot = ShotTraits()

    package init(_ photo: Photo) { self.photo = photo }
}

extension Predicate {
    /// What must be known about a photo before a predicate can be evaluated.
    package struct Needs: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        /// Kind and format.
        package static let format = Needs(rawValue: 1)
        /// The content of the file.
        package static let metadata = Needs(rawValue: 2)
        package static let units = Needs(rawValue: 4)
        /// Whether the file is a companion without its photo.
        package static let orphans = Needs(rawValue: 8)
        /// The whole picture, decoded.
        package static let soundness = Needs(rawValue: 16)
        /// All photos of the library, to compare them with each other.
        package static let groups = Needs(rawValue: 32)
        /// How sharp the decoded picture is.
        package static let sharpness = Needs(rawValue: 64)
        /// The rating, which may be in a sidecar.
        package static let rating = Needs(rawValue: 128)
        /// The capture date, which may be in a sidecar.
        package static let date = Needs(rawValue: 256)
        /// The place, which may be in a sidecar.
        package static let location = Needs(rawValue: 512)
    }
}
