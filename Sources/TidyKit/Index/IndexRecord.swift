/// The bytes of a row: a checksum, the rest of the file's identity, and the metadata of its content.
///
///     check 8 | bytes 8 | modifiedNs 8 | changedNs 8 | kind 1 | format 1 | present 2 | fields
///
/// Fixed numbers are little-endian. Each bit of `present` marks an optional field; the fields are in the order of the
/// bits. Integers are zigzag varints (7 bits per byte, lowest first); texts are UTF-8 with their length in front.
struct IndexRecord {
    /// The checksum accepts only rows that this build wrote in this year. It rejects damage that SQLite does not
    /// detect, the results of other readers, and dates that counted as future last year.
    struct Seal: Hashable, Sendable {
        let seed: UInt64

        /// - Parameter build: identifies the executable.
        init(build: FileIdentity?, year: Int) {
            var hash = Checksum(seed: UInt64(IndexRecord.version))
            hash.add(UInt64(truncatingIfNeeded: year))
            if let build {
                hash.add(UInt64(bitPattern: build.bytes))
                hash.add(UInt64(truncatingIfNeeded: build.modifiedNs))
            }
            seed = hash.value
        }
    }

    /// The version of the layout above.
    static let version = 2
    static let headLength = 36

    private enum Kind: UInt8 { case noMedia, format, metadata }

    // The order of these lists may change between builds, because no build accepts the rows of another.
    private static let formats = MediaFormat.allCases
    private static let sources = CaptureDate.Source.allCases
    private static let precisions: [CaptureDate.Precision] = [.second, .subsecond, .minute, .day]

    private struct Present: OptionSet {
        let rawValue: UInt16
        static let width = Present(rawValue: 1 << 0)
        static let height = Present(rawValue: 1 << 1)
        static let orientation = Present(rawValue: 1 << 2)
        static let captureDate = Present(rawValue: 1 << 3)
        static let subseconds = Present(rawValue: 1 << 4)
        static let offset = Present(rawValue: 1 << 5)
        static let make = Present(rawValue: 1 << 6)
        static let model = Present(rawValue: 1 << 7)
        static let lens = Present(rawValue: 1 << 8)
        static let location = Present(rawValue: 1 << 9)
        static let rating = Present(rawValue: 1 << 10)
        static let duration = Present(rawValue: 1 << 11)
        static let contentIdentifier = Present(rawValue: 1 << 12)
        static let problems = Present(rawValue: 1 << 13)
        static let isScreenshot = Present(rawValue: 1 << 14)
        static let shot = Present(rawValue: 1 << 15)
    }

    /// The parts of `ShotTraits`.
    private struct Shot: OptionSet {
        let rawValue: UInt8
        static let burst = Shot(rawValue: 1 << 0)
        static let serial = Shot(rawValue: 1 << 1)
        static let exposureBias = Shot(rawValue: 1 << 2)
        static let subjectDistance = Shot(rawValue: 1 << 3)
        static let isBracketed = Shot(rawValue: 1 << 4)
        static let isFocusBracketed = Shot(rawValue: 1 << 5)
        static let isPanoramaPart = Shot(rawValue: 1 << 6)
        static let isEdited = Shot(rawValue: 1 << 7)
    }

    // MARK: Writing

    /// False for times before 1677 or after 2262, which the layout cannot hold; such a file is read every time.
    static func canHold(_ file: FileIdentity) -> Bool {
        Int64(exactly: file.modifiedNs) != nil && Int64(exactly: file.changedNs) != nil
    }

    /// Appends the row of a file for which `canHold` is true.
    static func append(_ content: IndexedContent, of file: FileIdentity, seal: Seal, to bytes: inout [UInt8]) {
        SealedRecord.append(of: file, seed: seal.seed, to: &bytes) { out in
            switch content {
            case .noMedia: out.bytes += [Kind.noMedia.rawValue, 0, 0, 0]
            case .format(let format): out.bytes += [Kind.format.rawValue, number(of: format), 0, 0]
            case .metadata(let metadata):
                out.bytes += [Kind.metadata.rawValue, number(of: metadata.format)]
                append(metadata, to: &out)
            }
        }
    }

    private static func number(of format: MediaFormat) -> UInt8 { UInt8(formats.firstIndex(of: format) ?? 255) }

    private static func append(_ metadata: MediaMetadata, to out: inout RecordWriter) {
        var present: Present = []
        func mark(_ flag: Present, _ isPresent: Bool) { if isPresent { present.insert(flag) } }
        mark(.width, metadata.width != nil)
        mark(.height, metadata.height != nil)
        mark(.orientation, metadata.orientation != nil)
        mark(.captureDate, metadata.captureDate != nil)
        mark(.subseconds, metadata.captureDate?.subseconds != nil)
        mark(.offset, metadata.captureDate?.offsetMinutes != nil)
        mark(.make, metadata.make != nil)
        mark(.model, metadata.model != nil)
        mark(.lens, metadata.lens != nil)
        mark(.location, metadata.location != nil)
        mark(.rating, metadata.rating != nil)
        mark(.duration, metadata.duration != nil)
        mark(.contentIdentifier, metadata.contentIdentifier != nil)
        mark(.problems, !metadata.problems.isEmpty)
        mark(.isScreenshot, metadata.isScreenshot)
        mark(.shot, metadata.shot != ShotTraits())
        out.fixed(present.rawValue)
        if let width = metadata.width { out.number(width) }
        if let height = metadata.height { out.number(height) }
        if let orientation = metadata.orientation { out.number(orientation.rawValue) }
        if let date = metadata.captureDate {
            out.number(Int(date.wall.seconds))
            out.number(sources.firstIndex(of: date.source) ?? -1)
            out.number(precisions.firstIndex(of: date.precision) ?? -1)
            if let subseconds = date.subseconds { out.text(subseconds) }
            if let offset = date.offsetMinutes { out.number(offset) }
        }
        for text in [metadata.make, metadata.model, metadata.lens] { if let text { out.text(text) } }
        if let location = metadata.location {
            out.fixed(location.latitude.bitPattern)
            out.fixed(location.longitude.bitPattern)
        }
        if let rating = metadata.rating { out.number(rating) }
        if let duration = metadata.duration { out.fixed(duration.bitPattern) }
        if let identifier = metadata.contentIdentifier { out.text(identifier) }
        if !metadata.problems.isEmpty {
            out.number(metadata.problems.count)
            for problem in metadata.problems { out.text(problem.description) }
        }
        if present.contains(.shot) { append(metadata.shot, to: &out) }
    }

    private static func append(_ shot: ShotTraits, to out: inout RecordWriter) {
        var present: Shot = []
        func mark(_ flag: Shot, _ isPresent: Bool) { if isPresent { present.insert(flag) } }
        mark(.burst, shot.burst != nil)
        mark(.serial, shot.serial != nil)
        mark(.exposureBias, shot.exposureBias != nil)
        mark(.subjectDistance, shot.subjectDistance != nil)
        mark(.isBracketed, shot.isBracketed)
        mark(.isFocusBracketed, shot.isFocusBracketed)
        mark(.isPanoramaPart, shot.isPanoramaPart)
        mark(.isEdited, shot.isEdited)
        out.bytes.append(present.rawValue)
        for text in [shot.burst, shot.serial] { if let text { out.text(text) } }
        for number in [shot.exposureBias, shot.subjectDistance] { if let number { out.number(number) } }
    }

    // MARK: Reading

    /// Nil for a row that describes another state of the file, that another build wrote, or that is damaged.
    /// - Parameter withShots: false leaves `ShotTraits` out: they are the end of a row, and only groups need them.
    static func content(
        of file: FileIdentity, in row: ByteView, seal: Seal, withShots: Bool = true, texts: inout TextPool
    ) -> IndexedContent? {
        guard row.count >= headLength, SealedRecord.isSound(row, of: file, seed: seal.seed),
            let kind = row[32].flatMap(Kind.init), let number = row[33], let flags = row.u16(34, .little)
        else { return nil }
        switch kind {
        case .noMedia: return .noMedia
        case .format: return formats.at(Int(number)).map { .format($0) }
        case .metadata:
            guard let format = formats.at(Int(number)) else { return nil }
            var reader = RecordReader(bytes: row, offset: headLength)
            var present = Present(rawValue: flags)
            if !withShots { present.remove(.shot) }
            let metadata = Self.metadata(format, present, &reader, &texts)
            return reader.isGood ? .metadata(metadata) : nil
        }
    }

    private static func metadata(
        _ format: MediaFormat, _ present: Present, _ reader: inout RecordReader, _ texts: inout TextPool
    ) -> MediaMetadata {
        var metadata = MediaMetadata(format: format)
        metadata.isScreenshot = present.contains(.isScreenshot)
        if present.contains(.width) { metadata.width = reader.number() }
        if present.contains(.height) { metadata.height = reader.number() }
        if present.contains(.orientation) { metadata.orientation = Orientation(rawValue: reader.number()) }
        if present.contains(.captureDate) {
            let wall = WallClock(seconds: Int64(reader.number()))
            let source = sources.at(reader.number())
            let precision = precisions.at(reader.number())
            let subseconds = present.contains(.subseconds) ? reader.text(&texts) : nil
            let offset = present.contains(.offset) ? reader.number() : nil
            metadata.captureDate = source.map {
                CaptureDate(
                    wall: wall, subseconds: subseconds, offsetMinutes: offset, source: $0, precision: precision)
            }
        }
        if present.contains(.make) { metadata.make = reader.text(&texts) }
        if present.contains(.model) { metadata.model = reader.text(&texts) }
        if present.contains(.lens) { metadata.lens = reader.text(&texts) }
        if present.contains(.location) {
            metadata.location = Coordinate(latitude: reader.double(), longitude: reader.double())
        }
        if present.contains(.rating) { metadata.rating = reader.number() }
        if present.contains(.duration) { metadata.duration = reader.double() }
        if present.contains(.contentIdentifier) { metadata.contentIdentifier = reader.text() }
        if present.contains(.problems) {
            for _ in 0..<min(max(0, reader.number()), reader.rest) {
                metadata.problems.append(Problem(reader.text(&texts)))
            }
        }
        if present.contains(.shot) { metadata.shot = shot(&reader, &texts) }
        return metadata
    }

    private static func shot(_ reader: inout RecordReader, _ texts: inout TextPool) -> ShotTraits {
        let present = Shot(rawValue: reader.byte())
        var shot = ShotTraits()
        if present.contains(.burst) { shot.burst = reader.text(&texts) }
        if present.contains(.serial) { shot.serial = reader.text(&texts) }
        if present.contains(.exposureBias) { shot.exposureBias = reader.number() }
        if present.contains(.subjectDistance) { shot.subjectDistance = reader.number() }
        shot.isBracketed = present.contains(.isBracketed)
        shot.isFocusBracketed = present.contains(.isFocusBracketed)
        shot.isPanoramaPart = present.contains(.isPanoramaPart)
        shot.isEdited = present.contains(.isEdited)
        return shot
    }
}

extension Array {
    fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

/// What is known about the content of a file. Nothing in it may depend on a name, because an inode can have several,
/// and a rename keeps the inode.
package enum IndexedContent: Sendable, Equatable {
    case noMedia
    /// Only the format was needed so far.
    case format(MediaFormat)
    /// Indirect, because thousands of these are copied and most of a row is this.
    indirect case metadata(MediaMetadata)

    /// Nil if the file is not media.
    package var format: MediaFormat? {
        switch self {
        case .noMedia: nil
        case .format(let format): format
        case .metadata(let metadata): metadata.format
        }
    }
}
