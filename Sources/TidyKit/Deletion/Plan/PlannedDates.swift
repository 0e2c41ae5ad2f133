/// When the photos of a plan were taken, for the question that a person answers: of files that were named outright nobody has
/// read a date yet.
public enum PlannedDates {
    /// One for each item whose date can be told. What cannot be read has the date of its time stamp.
    public static func read(
        _ items: [DeletionPlan.Item], now: WallClock, environment: Environment
    ) -> [CaptureDate] {
        var dates = items.compactMap(\.taken)
        let undated = items.filter { $0.taken == nil }
        var query = LibraryQuery(
            // A plan that was saved elsewhere names paths of another folder.
            operands: undated.compactMap { $0.members.first?.location }.filter {
                (try? FileStatus.of($0))?.kind == .regular
            },
            order: SortOrder(.none), now: now)
        query.includeHidden = true
        query.detail = .fields([.metadata, .date])
        var known: [FilePath: CaptureDate] = [:]
        if !query.operands.isEmpty, let found = try? PhotoLibrary.photos(query, environment: environment) {
            for photo in found.photos { known[photo.path] = photo.taken }
        }
        for item in undated {
            guard let main = item.members.first else { continue }
            let stamp = CaptureDate.modified(ns: main.identity.modifiedNs, now: now)
            if let date = known[main.location] ?? stamp { dates.append(date) }
        }
        return dates
    }
}
