internal import TidyKit

/// Groups as a table on a terminal: the photo that stays first, the others indented below it, with what differs.
struct GroupTable {
    /// Too narrow for times of day and differences of sizes.
    private let isNarrow: Bool
    private var table = Table(columns: [
        .init(title: "PHOTO", minimum: 16, keepsEnd: true, keepsIndentation: true),
        .init(title: "APART", isRightAligned: true),
        .init(title: "PIXELS", isRightAligned: true), .init(title: "SIZE", isRightAligned: true),
        .init(title: "TAKEN"), .init(title: "STAYS BECAUSE", minimum: 12),
    ])
    private var current: GroupMembership?
    private var kept: Photo?

    /// - Parameter columns: of the terminal; nil if it is none.
    init(columns: Int?) { isNarrow = columns.map { $0 < 100 } ?? false }

    /// Photos of one group come one after the other.
    mutating func append(_ photo: Photo) {
        guard let group = photo.group else { return }
        if let current, current.id != group.id { table.append(Array(repeating: "", count: 6)) }
        if current?.id != group.id { kept = nil }
        current = group
        let stays = group.keep == photo.path
        if stays { kept = photo }
        table.append([
            (stays ? "" : "  ") + TerminalText.escaped(photo.path) + Self.mark(photo),
            stays ? "" : group.distance.map(String.init) ?? "",
            photo.width == nil ? "" : photo.sizeText, Self.size(photo, against: stays || isNarrow ? nil : kept),
            (isNarrow ? photo.taken?.localDay : photo.taken?.localText) ?? "",
            stays || group.role == .keep ? TerminalText.escaped(group.reason) : "",
        ])
    }

    func text(columns: Int?, bold: Bool) -> String {
        let text = table.dropping(emptyColumns: ["APART", "PIXELS", "TAKEN"]).text(columns: columns, bold: bold)
        // Only what stays has a reason, so most lines would end with spaces.
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// The bytes, and how many more or fewer than those of the photo that stays.
    private static func size(_ photo: Photo, against kept: Photo?) -> String {
        let bytes = ByteSize.describe(photo.identity.bytes)
        guard let kept, kept.identity.bytes != photo.identity.bytes else { return bytes }
        let (difference, overflow) = photo.identity.bytes.subtractingReportingOverflow(kept.identity.bytes)
        guard !overflow, difference != .min else { return bytes }
        return "\(bytes) (\(difference < 0 ? "−" : "+")\(ByteSize.describe(abs(difference))))"
    }

    private static func mark(_ photo: Photo) -> String {
        photo.companions.isEmpty ? "" : " +\(photo.companions.count)"
    }

    /// `3 groups; 7 photos could go (12.4 MB)`
    /// `3 of them share their blocks with what stays (clones): deleting them frees nothing`
    static func clones(_ count: Int) -> String {
        let (verb, object) = count == 1 ? ("shares its", "it") : ("share their", "them")
        return "\(count) of them \(verb) blocks with what stays (clones): deleting \(object) frees nothing"
    }

    /// - Parameter clones: copies that share their blocks with what stays.
    static func summary(_ photos: [Photo], clones: Set<FilePath>) -> String {
        let groups = Set(photos.compactMap { $0.group?.id }).count
        let redundant = photos.filter { $0.group?.role == .redundant }
        let bytes = redundant.totalBytes { clones.contains($0.path) ? 0 : $0.identity.bytes }
        let text =
            "\(groups) group\(groups == 1 ? "" : "s"); \(redundant.count) photo\(redundant.count == 1 ? "" : "s") "
            + "could go (\(ByteSize.describe(bytes)) without companions)"
        let count = redundant.count { clones.contains($0.path) }
        guard count > 0 else { return text }
        return text + "; " + Self.clones(count)
    }
}
