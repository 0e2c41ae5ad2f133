/// One marker of a JPEG (ITU-T T.81, annex B.1.1.2) and the segment that it begins, by its place.
struct JPEGMarker {
    /// The second byte of the marker, such as 0xE1 for APP1.
    let code: UInt8
    /// Where the marker stands.
    let offset: Int64
    /// The length field, which counts itself: below 2 it makes no sense. Nil for EOI, and where the source ends before it.
    let length: Int?

    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA

    /// Where the payload stands, behind marker and length.
    var start: Int64 { offset + 4 }
    /// Of the payload, as the segment claims it: nothing says that it is there.
    var payloadLength: Int { max(0, (length ?? 2) - 2) }
    /// Behind the payload; EOI has no length either.
    var end: Int64 { code == Self.endOfImage ? offset + 2 : start + Int64(payloadLength) }

    /// RST0…RST7, SOI and TEM: markers without a segment, which a walk passes over.
    fileprivate static func isPassedOver(_ code: UInt8) -> Bool { code == 0x01 || (0xD0...0xD8).contains(code) }
}

/// Walks the marker segments of a JPEG. Between them it passes over fill bytes, markers without a segment, and garbage, and
/// counts them: what they mean is the client's to judge, as are a length that makes no sense and what follows SOS.
struct JPEGWalker {
    enum Step {
        case marker(JPEGMarker)
        /// No marker stands in what is left, or in as much of it as may be passed over.
        case end
        /// As much as may be has been passed over.
        case tooMuchGarbage
    }

    /// What a marker and the beginning of a frame header take.
    private static let headLength = 10

    /// Where the walk goes on.
    private(set) var at: Int64
    /// Bytes passed over so far.
    private(set) var passedOver = 0
    private let mostPassedOver: Int

    /// - Parameter start: behind SOI.
    init(from start: Int64, mostPassedOver: Int = .max) {
        at = start
        self.mostPassedOver = mostPassedOver
    }

    mutating func next<Source: ByteSource & ~Copyable>(in source: inout Source) throws(Source.Failure) -> Step {
        while passedOver < mostPassedOver {
            let head = try source.view(at: at, Self.headLength)
            guard head[0] == 0xFF, let code = head[1], code != 0 else {
                guard !head.isEmpty, let count = try garbage(in: &source) else { return .end }
                passOver(count)
                continue
            }
            if code == 0xFF {
                // A fill byte (B.1.1.2).
                passOver(1)
            } else if JPEGMarker.isPassedOver(code) {
                passOver(2)
            } else {
                let length = code == JPEGMarker.endOfImage ? nil : head.int16(2)
                let marker = JPEGMarker(code: code, offset: at, length: length)
                at = marker.end
                return .marker(marker)
            }
        }
        return .tooMuchGarbage
    }

    /// The marker of the last step is taken for garbage.
    mutating func reject(_ marker: JPEGMarker) {
        at = marker.offset
        passOver(2)
    }

    /// Goes on at another place: behind a scan.
    mutating func move(to offset: Int64) { at = offset }

    private mutating func passOver(_ count: Int) {
        passedOver += count
        at += Int64(count)
    }

    /// How many bytes stand before the next 0xFF that is followed by neither 0x00 nor 0xFF.
    private func garbage<Source: ByteSource & ~Copyable>(in source: inout Source) throws(Source.Failure) -> Int? {
        let bytes = try source.view(at: at, mostPassedOver - passedOver)
        var place = 0
        while let found = bytes.firstIndex(of: 0xFF, from: place), let code = bytes[found + 1] {
            if code != 0, code != 0xFF, found > 0 { return found }
            place = found + 1
        }
        return nil
    }

    /// Where the entropy-coded data from `start` on end: at the next marker but RSTn, or with the bytes. 0xFF 0x00 is a byte
    /// of the data (B.1.1.5).
    static func endOfScan(in bytes: ByteView, from start: Int) -> Int {
        var at = start
        while let found = bytes.firstIndex(of: 0xFF, from: at), let code = bytes[found + 1] {
            if code == 0xFF {
                at = found + 1
            } else if code == 0 || JPEGMarker.isPassedOver(code) {
                at = found + 2
            } else {
                return found
            }
        }
        return bytes.count
    }
}
