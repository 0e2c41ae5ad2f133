/// Says which files have been left alone, once all of the library is known: the still of a Live video may lie in another
/// folder, and where a still cannot be read nobody can tell whose it is.
struct OrphanSearch {
    /// A file that is an orphan unless its still turns up.
    struct Claim: Sendable {
        /// Of its folder: what stands in front of a name.
        let folder: [UInt8]
        /// Of a Live video; nil for a sidecar.
        let identifier: String?
    }

    private var identifiers: Set<String> = []
    private var foldersWithHiddenStills: Set<[UInt8]> = []

    mutating func note(_ outcome: GroupOutcome) {
        identifiers.formUnion(outcome.stillIdentifiers)
        if let folder = outcome.folderWithHiddenStill { foldersWithHiddenStills.insert(folder) }
    }

    func mark(_ rows: inout [GroupOutcome.Row]) {
        for index in rows.indices {
            guard let claim = rows[index].claim, !foldersWithHiddenStills.contains(claim.folder) else {
                rows[index].subject.isOrphan = false
                continue
            }
            rows[index].subject.isOrphan = claim.identifier.map { !identifiers.contains($0) } ?? true
        }
    }
}
