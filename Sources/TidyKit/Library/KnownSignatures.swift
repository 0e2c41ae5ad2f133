/// What the index holds of a picture, as bytes:
///
///     marks 1 | thumbnail 361, if any | picture 361, if any
///     one of them: hashes 3 × 32 | quality 1 | blue 1 | red 1 | chroma 1 | sharpness 2 | 3 spare | outline 256
///
/// Sharpness is in hundredths, 65535 for none. An outline of nothing but zeros is none.
struct KnownSignatures: Sendable, Equatable {
    /// Of what the file holds beside the picture.
    var thumbnail: PictureSignature?
    /// The file holds no thumbnail of the whole picture.
    var hasNoThumbnail = false
    var picture: PictureSignature?
    /// The picture could not be decoded: it is not tried again.
    var isUnreadable = false

    /// The version of everything that leads from a file to these values: decoders, scales, hashes, colour, sharpness. A
    /// change of any of them counts it up, and nothing else does, so that another build of the program keeps what took
    /// hours.
    static let version: UInt64 = 4

    /// What candidates are found by: the thumbnail where there is one, even where the picture is known as well, so that
    /// a second run finds the same.
    var forCandidates: PictureSignature? { thumbnail ?? (hasNoThumbnail ? picture : nil) }

    private static let partLength = 361
    private static let outlineLength = PictureOutline.side * PictureOutline.side
    private static let noSharpness: UInt16 = .max

    init() {}

    /// Nil where the bytes are not of this layout.
    init?(_ bytes: [UInt8]) {
        guard let marks = bytes.first, marks < 16 else { return nil }
        hasNoThumbnail = marks & 4 != 0
        isUnreadable = marks & 8 != 0
        var at = 1
        for mark: UInt8 in [1, 2] where marks & mark != 0 {
            guard at + Self.partLength <= bytes.count else { return nil }
            var part = Self.signature(bytes[at..<(at + Self.partLength)])
            part.isOfThumbnail = mark == 1
            if mark == 1 { thumbnail = part } else { picture = part }
            at += Self.partLength
        }
        guard at == bytes.count else { return nil }
    }

    var bytes: [UInt8] {
        let marks: [Bool] = [thumbnail != nil, picture != nil, hasNoThumbnail, isUnreadable]
        var bytes = [marks.enumerated().reduce(UInt8(0)) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }]
        for part in [thumbnail, picture] { if let part { Self.append(part, to: &bytes) } }
        return bytes
    }

    private static func append(_ signature: PictureSignature, to bytes: inout [UInt8]) {
        for hash in [signature.whole] + signature.inner {
            for index in 0..<4 { withUnsafeBytes(of: hash.words[index].littleEndian) { bytes.append(contentsOf: $0) } }
        }
        let color = signature.color
        bytes += [UInt8(signature.quality), color.blue, color.red, color.chroma]
        let sharpness = signature.sharpness.map { UInt16(min(max($0 * 100, 0), 10_000).rounded()) } ?? noSharpness
        bytes += [UInt8(truncatingIfNeeded: sharpness), UInt8(sharpness >> 8), 0, 0, 0]
        bytes += signature.outline?.samples ?? [UInt8](repeating: 0, count: outlineLength)
    }

    private static func signature(_ bytes: ArraySlice<UInt8>) -> PictureSignature {
        let bytes = Array(bytes)
        func word(_ at: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) } }
        let hashes = (0..<3).map { hash in
            PerceptualHash(words: SIMD4((0..<4).map { word(32 * hash + 8 * $0) }))
        }
        let sharpness = UInt16(bytes[100]) | UInt16(bytes[101]) << 8
        var signature = PictureSignature(
            whole: hashes[0], inner: Array(hashes[1...]), quality: Int(bytes[96]),
            color: ColorSignature(blue: bytes[97], red: bytes[98], chroma: bytes[99]),
            sharpness: sharpness == noSharpness ? nil : Double(sharpness) / 100)
        let samples = bytes[105...]
        if samples.contains(where: { $0 != 0 }) { signature.outline = PictureOutline(samples: Array(samples)) }
        return signature
    }
}
