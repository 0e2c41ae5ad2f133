/// A maker note as an iPhone writes it, with the content identifier alone: by it the video of a Live Photo is found. The
/// note of the camera itself tells more than `--metadata safe` lets through.
enum AppleMakerNote {
    private static let contentIdentifier: UInt16 = 0x0011
    /// An identifier is a UUID, of 36 characters; anything much longer is none.
    private static let mostOfIdentifier = 128

    /// `Apple iOS`, a version, and a directory in big-endian order, whose offsets count from the beginning of the note.
    static func bytes(_ identifier: String) -> [UInt8]? {
        let text = identifier.utf8 + [0]
        // A value of up to four bytes would stand in the entry itself.
        guard text.count > 4, text.count <= mostOfIdentifier, !text.dropLast().contains(0) else { return nil }
        let order = EXIFDirectories(isBigEndian: true)
        let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
        let entry =
            order.bytes(Int(contentIdentifier), size: 2) + order.bytes(2, size: 2) + order.bytes(text.count, size: 4)
        // Two bytes of the count, one entry of twelve, no next directory.
        let start = head.count + 2 + 12 + 4
        return head + order.bytes(1, size: 2) + entry + order.bytes(start, size: 4) + order.bytes(0, size: 4) + text
    }

    /// The EXIF block with such a note; the block as it is where there is no identifier, or a note stands in it already.
    static func added(_ identifier: String?, to block: [UInt8]?) -> [UInt8]? {
        guard let note = identifier.flatMap(bytes) else { return block }
        var directories = block.flatMap { EXIFDirectories($0) } ?? EXIFDirectories(isBigEndian: true)
        guard directories.entry(EXIFDirectories.makerNote, in: .exif) == nil else { return block }
        let entry = EXIFDirectories.Entry(
            tag: EXIFDirectories.makerNote, type: 7, count: note.count, value: note)
        directories.directories[.exif, default: []].append(entry)
        return directories.serialized()
    }
}
