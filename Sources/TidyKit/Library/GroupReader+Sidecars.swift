/// Reads sidecars. They are opened only if the photo itself does not answer what the query needs.
extension GroupReader {
    /// The needs that the content has not answered. The date from `exif.DateTime` ranks below dates from sidecars.
    func openNeeds(_ photo: Photo) -> Predicate.Needs {
        var open = sidecarNeeds
        if photo.rating != nil { open.remove(.rating) }
        if let source = photo.taken?.source, source != .dateTime { open.remove(.date) }
        if photo.location != nil { open.remove(.location) }
        return open
    }

    /// The photo before its sidecars are read: what they may contain is unknown.
    static func undecided(_ subject: Subject, _ open: Predicate.Needs) -> Subject {
        var subject = subject
        subject.isRead = false
        if open.contains(.date) { subject.photo.taken = nil }
        return subject
    }

    /// The sidecars that may describe a file, best first: XMP before Takeout's JSON; one for this file, then one for
    /// its stem, then those of its companions.
    func sidecars(
        of unit: UnitConfirmation.Unit, about file: Int, _ task: GroupTask
    ) -> [(path: FilePath, kind: SidecarKind)] {
        func ordered(_ indices: [Int]) -> [GroupTask.Sidecar] {
            let sidecars = indices.map { task.sidecars[$0] }
            let own = sidecars.filter { $0.target == file } + sidecars.filter { $0.target == nil }
            return own + (query.units ? sidecars.filter { $0.target != nil && $0.target != file } : [])
        }
        return (ordered(unit.xmpSidecars) + ordered(unit.takeoutSidecars)).map { (task.path($0.name), $0.kind) }
    }

    /// Answers each need from the first sidecar that can.
    func ask(
        _ sidecars: [(path: FilePath, kind: SidecarKind)], for open: Predicate.Needs, about photo: inout Photo,
        _ reader: inout PhotoReader, _ outcome: inout GroupOutcome
    ) {
        var open = open
        for (path, kind) in sidecars {
            // Google has no ratings.
            let told: Predicate.Needs = kind == .xmp ? [.rating, .date, .location] : [.date, .location]
            guard !open.isDisjoint(with: told) else { continue }
            do throws(POSIXError) {
                let found = try reader.sidecar(path, kind)
                if open.contains(.rating), let rating = found.rating {
                    photo.rating = rating
                    open.remove(.rating)
                }
                if open.contains(.date), let date = found.captureDate {
                    photo.taken = date
                    photo.problems += found.problems
                    open.remove(.date)
                }
                if open.contains(.location), let location = found.location {
                    photo.location = location
                    open.remove(.location)
                }
            } catch {
                if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
            }
        }
    }
}
