/// The name that a file gets in a trash: its own where that is free, else with a number in front of the extension.
enum TrashName {
    /// - Parameter number: 1 for the name itself, 2 and up for the next ones.
    /// - Parameter limit: bytes that the filesystem allows for the name in `files`; the `.trashinfo` beside it needs
    ///   ten more, so a long name is cut, between two characters of UTF-8, and keeps its extension.
    static func make(_ name: ArraySlice<UInt8>, number: Int, limit: Int) -> FilePath {
        var stem = name
        var tail: [UInt8] = []
        // A leading dot starts no extension, and a long one is no extension.
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, name.endIndex - dot <= 17 {
            stem = name[..<dot]
            tail = Array(name[dot...])
        }
        if number > 1 { tail = Array(".\(number)".utf8) + tail }
        let room = max(1, limit - tail.count)
        if stem.count > room {
            var end = stem.startIndex + room
            while end > stem.startIndex + 1, stem[end] & 0xC0 == 0x80 { end -= 1 }
            stem = stem[..<end]
        }
        return FilePath(Array(stem) + tail)
    }
}
