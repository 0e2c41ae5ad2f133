/// The name beside a newcomer that `undo --rename` gives: `IMG_1 (2).JPG`. The files of one photo change alike, so that they
/// stay together.
enum RestoredName {
    private static let limit = 255

    /// - Parameter stem: of the photo's main file: a companion that begins with it gets the number behind it.
    /// - Parameter number: 2 and up.
    static func make(_ name: ArraySlice<UInt8>, stem: ArraySlice<UInt8>, number: Int) -> [UInt8] {
        let cut =
            name.starts(with: stem) && !stem.isEmpty
            ? name.startIndex + stem.count : name.startIndex + FilePath(name).stem.count
        let tail = Array(" (\(number))".utf8) + name[cut...]
        var head = name[..<cut]
        if head.count + tail.count > limit {
            var end = head.startIndex + max(1, limit - tail.count)
            while end > head.startIndex + 1, end < head.endIndex, head[end] & 0xC0 == 0x80 { end -= 1 }
            head = head[..<min(end, head.endIndex)]
        }
        return Array(head) + tail
    }
}
