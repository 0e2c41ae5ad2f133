/// The position of one JPEG marker (ITU-T T.81, annex B.1.1.2) and of the segment that it begins.
struct JPEGMarker {
    /// The second byte of the marker, such as 0xE1 for APP1.
    let code: UInt8
    let offset: Int64
    /// The length field, which counts itself; values below 2 are invalid. Nil for EOI, and if the source ends before
    /// it.
    let length: Int?

    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA

    /// The offset of the payload, after marker and length.
    var start: Int64 { offset + 4 }
    /// The length of the payload as claimed; it may extend past the end of the source.
    var payloadLength: Int { max(0, (length ?? 2) - 2) }
    /// The offset after the payload; EOI has no payload.
    var end: Int64 { code == Self.endOfImage ? offset + 2 : start + Int64(payloadLength) }

    /// RST0…RST7, SOI and TEM have no segment; a walk skips them.
    fileprivate static func isPassedOver(_ code: UInt8) -> Bool { code == 0x01 || (0xD0...0xD8).contains(code) }
}

/// Walks the marker segments of a JPEG. It skips and counts fill bytes, markers without a segment, and garbage between
/// them. The client decides what these mean, how to treat an invalid length, and what follows SOS.
struct JPEGWalker {
    enum Step {
        case marker(JPEGMarker)
        /// There is no further marker within the limit.
        case end
        /// More garbage was skipped than the limit allows.
        case tooMuchGarbage
    }

    /// The length of a marker and the beginning of a frame header.
    private static let headLength = 10

    /// The offset at which the walk continues.
    private(set) var at: Int64
    /// The number of bytes skipped so far.
    private(set) var passedOver = 0
    private let maximumPassedOver: Int

    /// - Parameter start: the offset after SOI.
    init(from start: Int64, maximumPassedOver: Int = .max) {
        at = start
        self.maximumPassedOver = maximumPassedOver
    }

    mutating func next<Source: ByteSource & ~Copyable>(in source: inout Source) throws(Source.Failure) -> Step {
        while passedOver < maximumPassedOver {
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

    /// Counts the last marker as garbage.
    mutating func reject(_ marker: JPEGMarker) {
        at = marker.offset
        passOver(2)
    }

    /// Continues at another offset, such as the end of a scan.
    mutating func move(to offset: Int64) { at = offset }

    private mutating func passOver(_ count: Int) {
        passedOver += count
        at += Int64(count)
    }

    /// The number of bytes before the next 0xFF that is followed by neither 0x00 nor 0xFF.
    private func garbage<Source: ByteSource & ~Copyable>(in source: inout Source) throws(Source.Failure) -> Int? {
        let bytes = try source.view(at: at, maximumPassedOver - passedOver)
        var place = 0
        while let found = bytes.firstIndex(of: 0xFF, from: place), let code = bytes[found + 1] {
            if code != 0, code != 0xFF, found > 0 { return found }
            place = found + 1
        }
        return nil
    }

    /// The end of the entropy-coded data that begin at `start`: the next marker other than RSTn, or the end of the
    /// bytes. 0xFF 0x00 is a data byte (B.1.1.5).
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
