/// Which of several photos that look alike stay.
public enum Similarity {
    /// The indices of the photos that are like a better one: each is within `distance` of one that stays. The better one
    /// has more pixels, else more bytes; among equals the rules of `Duplicates` decide.
    public static func redundant(_ photos: [(photo: Photo, look: PictureLook)], distance: Int) -> [Int] {
        let order = photos.indices.sorted { left, right in isBetter(photos[left].photo, photos[right].photo) }
        var kept: [PictureLook] = []
        var redundant: [Int] = []
        for index in order {
            let look = photos[index].look
            if kept.contains(where: { $0.distance(to: look) <= distance }) {
                redundant.append(index)
            } else {
                kept.append(look)
            }
        }
        return redundant.sorted()
    }

    private static func isBetter(_ left: Photo, _ right: Photo) -> Bool {
        if left.pixels != right.pixels { return (left.pixels ?? 0) > (right.pixels ?? 0) }
        if left.identity.bytes != right.identity.bytes { return left.identity.bytes > right.identity.bytes }
        return Duplicates.keeper(of: [left, right]) == 0
    }
}
