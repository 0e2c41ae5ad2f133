/// The metadata items of a movie: `meta` with `keys` and `ilst`, as iPhones write them, and the older `udta`.
struct QuickTimeKeys {
    private static let maximumKeys = 1000

    private let content: ByteView

    /// - Parameter meta: the content of the box, which has version and flags in ISO files but not in QuickTime.
    init(_ meta: ByteView) {
        content = meta.u32(0) == 0 ? meta.from(4) : meta
    }

    func read(into findings: inout MetadataFindings, now: WallClock) {
        guard let keys = ISOBoxes.first("keys", in: content), let list = ISOBoxes.first("ilst", in: content) else {
            return
        }
        var names: [ByteView] = []
        for key in ISOBoxes(keys.from(8)) {
            guard names.count < Self.maximumKeys else { break }
            names.append(key.content)
        }
        for item in ISOBoxes(list) {
            let index = Int(item.type)
            guard index >= 1, index <= names.count, let data = ISOBoxes.first("data", in: item.content) else {
                continue
            }
            Self.read(names[index - 1], data.from(8), into: &findings, now: now)
        }
    }

    private static func read(
        _ key: ByteView, _ value: ByteView, into findings: inout MetadataFindings, now: WallClock
    ) {
        func isNamed(_ name: StaticString) -> Bool {
            key.count == name.utf8CodeUnitCount && key.starts(with: name)
        }
        if isNamed("com.apple.quicktime.creationdate") {
            guard let date = DateText(iso: value), date.isPlausible(now: now) else { return }
            findings.quickTimeDate = findings.date(date, .quickTime)
        } else if isNamed("com.apple.quicktime.location.ISO6709") {
            findings.quickTimeLocation = ISO6709.coordinate(value) ?? findings.quickTimeLocation
        } else if isNamed("com.apple.quicktime.make") || isNamed("com.android.manufacturer") {
            findings.make = value.text ?? findings.make
        } else if isNamed("com.apple.quicktime.model") || isNamed("com.android.model") {
            findings.model = value.text ?? findings.model
        } else if isNamed("com.apple.quicktime.content.identifier") {
            findings.contentIdentifier = value.text
        }
    }

    /// `udta`: QuickTime texts (two bytes of length, two of language), and iTunes lists in its `meta`.
    static func readUserData(_ content: ByteView, into findings: inout MetadataFindings, now: WallClock) {
        for box in ISOBoxes(content) {
            switch box.type {
            case 0xA964_6179: readDay(text(box.content), into: &findings, now: now)  // ©day
            case ISOBox.code("meta"):
                guard let list = ISOBoxes.first("ilst", in: box.content.from(4)) else { continue }
                for item in ISOBoxes(list) {
                    guard let data = ISOBoxes.first("data", in: item.content) else { continue }
                    read(item.type, data.from(8), into: &findings, now: now)
                }
            case ISOBox.code("loci"): readLocation(box.content, into: &findings)
            // Canon and Samsung; Canon puts the header of ISO 14496-12 and a language before the text.
            case ISOBox.code("manu"): findings.make = findings.make ?? plainText(box.content).text
            case ISOBox.code("modl"): findings.model = findings.model ?? plainText(box.content).text
            default: read(box.type, text(box.content), into: &findings, now: now)
            }
        }
    }

    /// The texts whose names begin with ©.
    private static func read(
        _ type: UInt32, _ text: ByteView, into findings: inout MetadataFindings, now: WallClock
    ) {
        switch type {
        case 0xA964_6179: readDay(text, into: &findings, now: now)  // ©day
        case 0xA978_797A where findings.quickTimeLocation == nil:  // ©xyz
            findings.quickTimeLocation = ISO6709.coordinate(text)
        case 0xA96D_616B: findings.make = findings.make ?? text.text  // ©mak
        case 0xA96D_6F64: findings.model = findings.model ?? text.text  // ©mod
        default: break
        }
    }

    /// `loci` of 3GPP TS 26.244, section 8.4: a language, a name, a role, then longitude and latitude as 16.16.
    private static func readLocation(_ box: ByteView, into findings: inout MetadataFindings) {
        guard findings.quickTimeLocation == nil else { return }
        var at = 6
        if box.u16(at) == 0xFEFF {
            while let unit = box.u16(at), unit != 0 { at += 2 }
            at += 2
        } else {
            guard let end = box.firstIndex(of: 0, from: at) else { return }
            at = end + 1
        }
        guard let longitude = box.u32(at + 1), let latitude = box.u32(at + 5) else { return }
        findings.quickTimeLocation = .recorded(
            latitude: Double(Int32(bitPattern: latitude)) / 65536,
            longitude: Double(Int32(bitPattern: longitude)) / 65536)
    }

    private static func plainText(_ box: ByteView) -> ByteView {
        (box.u32(0) == 0 ? box.from(6) : box).untilNUL
    }

    /// The date counts only if the header of the movie has none.
    private static func readDay(_ text: ByteView, into findings: inout MetadataFindings, now: WallClock) {
        guard findings.contentDate == nil, let date = DateText(iso: text), date.isPlausible(now: now) else { return }
        findings.contentDate = findings.date(date, .quickTime)
    }

    private static func text(_ box: ByteView) -> ByteView {
        guard let length = box.int16(0), let text = box.slice(4, length) else { return .empty }
        return text
    }
}

/// A place in ISO 6709: `+48.1374+011.5755+520.000/`.
enum ISO6709 {
    static func coordinate(_ text: ByteView) -> Coordinate? {
        var at = 0
        guard let latitude = number(text, &at, degreeDigits: 2), let longitude = number(text, &at, degreeDigits: 3)
        else { return nil }
        return .recorded(latitude: latitude, longitude: longitude)
    }

    /// Degrees; degrees and minutes; or degrees, minutes and seconds, depending on the number of digits before the
    /// point.
    private static func number(_ text: ByteView, _ at: inout Int, degreeDigits: Int) -> Double? {
        guard let sign = text[at], sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var end = at + 1
        while let byte = text[end], (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") { end += 1 }
        guard let digits = text.slice(at + 1, end - at - 1), digits.count <= 32,
            let value = Double(String(decoding: digits.buffer, as: UTF8.self))
        else { return nil }
        at = end
        let whole = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.count
        var degrees = value
        if whole == degreeDigits + 2 {
            let units = (value / 100).rounded(.down)
            degrees = units + (value - units * 100) / 60
        } else if whole == degreeDigits + 4 {
            let units = (value / 10000).rounded(.down)
            let minutes = ((value - units * 10000) / 100).rounded(.down)
            degrees = units + minutes / 60 + (value - units * 10000 - minutes * 100) / 3600
        }
        return sign == UInt8(ascii: "-") ? -degrees : degrees
    }
}
