/// The order of photos that are in groups, and the numbers of the groups.
extension PhotoLibrary {
    /// Sorts photos as the query says. Groups that are shown whole follow each other in the order of what stays, which
    /// comes first in its group.
    static func sort(_ photos: inout [Photo], by query: LibraryQuery) {
        query.order.sort(&photos)
        guard query.grouping.showsGroups else { return }
        var place: [FilePath: Int] = [:]
        for (index, photo) in photos.enumerated() where photo.group?.keep == photo.path { place[photo.path] = index }
        let keys = photos.enumerated().map { index, photo in
            guard let group = photo.group else { return (Int.max, 1, index) }
            return (place[group.keep] ?? .max, group.keep == photo.path ? 0 : 1, index)
        }
        photos = photos.indices.sorted { keys[$0] < keys[$1] }.map { photos[$0] }
    }

    /// Numbers the groups from 1 in the order in which they come.
    static func numberGroups(_ photos: inout [Photo]) {
        var numbers: [FilePath: Int] = [:]
        for index in photos.indices {
            guard let group = photos[index].group else { continue }
            let number = numbers[group.keep] ?? numbers.count + 1
            numbers[group.keep] = number
            photos[index].group = group.numbered(number)
        }
    }
}
