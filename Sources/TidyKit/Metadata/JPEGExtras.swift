/// The parts of a JPEG file that a newly written copy loses: further pictures (CIPA DC-007, MPF), an HDR gain map, the
/// video of a motion photo.
struct JPEGExtras {
    private var hasGainMap = false
    private var pictureCount: Int?
    private var claimsVideo = false
    /// The distance of the video's start from the end of the file.
    private var videoLength: Int?

    mutating func readXMP(_ packet: ByteView) {
        if packet.contains("hdrgm:Version") || packet.contains("HDRGainMapVersion") { hasGainMap = true }
        if let place = packet.firstIndex(of: "MicroVideoOffset") {
            claimsVideo = true
            videoLength = Self.number(packet, from: place + 16)
        } else if let place = packet.firstIndex(of: "Semantic=\"MotionPhoto\"") {
            claimsVideo = true
            // The length may come before or after, in the same element.
            var start = place
            while start > 0, packet[start] != UInt8(ascii: "<") { start -= 1 }
            let element = packet.from(start).prefix((packet.firstIndex(of: 0x3E, from: place) ?? packet.count) - start)
            videoLength = element.firstIndex(of: "Length").flatMap { Self.number(element, from: $0 + 6) }
        } else if packet.contains("MotionPhoto=\"1\"") {
            claimsVideo = true
        }
    }

    /// - Parameter body: of an APP2 segment.
    mutating func readAPP2(_ body: ByteView) {
        if body.starts(with: "urn:iso:std:iso:ts:21496:-1") { hasGainMap = true }
        guard body.starts(with: "MPF\0") else { return }
        let block = body.from(4)
        let order: ByteOrder = block.starts(with: "II") ? .little : .big
        var source = MemorySource(bytes: block)
        guard let start = block.int32(4, order),
            let table = TIFFDirectory.read(from: &source, at: Int64(start), TIFFCoding(order: order))
        else { return }
        // NumberOfImages.
        for entry in table.prefix(20) where entry.tag == 0xB001 { pictureCount = entry.pointer }
    }

    func problems(_ window: inout FileWindow) throws(POSIXError) -> [Problem] {
        var problems: [Problem] = []
        if claimsVideo {
            let isPresent: Bool
            if let videoLength {
                let start = window.byteCount - Int64(videoLength)
                isPresent = try window.view(at: start, 8).starts(with: "ftyp", at: 4)
            } else {
                isPresent = true
            }
            problems.append(
                Problem(
                    isPresent
                        ? "a motion photo: its video stands behind the picture"
                        : "says that it is a motion photo, but holds no video"))
        }
        if hasGainMap {
            problems.append(Problem("holds an HDR gain map beside the picture"))
        } else if let pictureCount, pictureCount > 1, pictureCount < 1000 {
            problems.append(Problem("holds \(pictureCount) pictures; the first is shown"))
        }
        return problems
    }

    /// The number that follows the name of an attribute or an element.
    private static func number(_ text: ByteView, from start: Int) -> Int? {
        for at in start..<(start + 3) where text[at].map({ (0x30...0x39).contains($0) }) == true {
            var length = 1
            while let digit = text[at + length], (0x30...0x39).contains(digit), length < 18 { length += 1 }
            return text.digits(at, length)
        }
        return nil
    }
}
