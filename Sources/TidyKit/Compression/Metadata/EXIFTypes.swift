/// The types of tag values in EXIF 2.32 (tables 4 to 8). Readers reject others, such as a resolution as text or a
/// four-byte orientation.
enum EXIFTypes {
    private enum Kind {
        case text, short, long, shortOrLong, rational, signedRational, bytes
    }

    private static let kinds: [UInt16: Kind] = {
        var kinds: [UInt16: Kind] = [:]
        func set(_ kind: Kind, _ tags: UInt16...) { for tag in tags { kinds[tag] = kind } }
        // ImageDescription, Make … HostComputer, Copyright, SpectralSensitivity, dates, offsets, subseconds, owner and
        // lens
        set(.text, 0x010E, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298, 0x8824, 0x9003, 0x9004, 0x9010)
        set(.text, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292, 0xA420, 0xA430, 0xA431, 0xA433, 0xA434, 0xA435)
        // Orientation, ResolutionUnit, YCbCrPositioning, Rating, ExposureProgram, sensitivities, MeteringMode … Flash
        set(.short, 0x0112, 0x0128, 0x0213, 0x4746, 0x4749, 0x8822, 0x8827, 0x8830, 0x9207, 0x9208, 0x9209)
        // ColorSpace, FocalPlaneResolutionUnit, SensingMethod, CustomRendered … SubjectDistanceRange, CompositeImage
        set(.short, 0xA001, 0xA210, 0xA217, 0xA401, 0xA402, 0xA403, 0xA405, 0xA406, 0xA407, 0xA408, 0xA409, 0xA40A)
        set(.short, 0xA40C, 0xA460, 0xA461)
        // StandardOutputSensitivity … ISOSpeedLatitudezzz
        set(.long, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835)
        set(.shortOrLong, 0x0100, 0x0101, 0xA002, 0xA003)
        // Resolutions, ExposureTime, FNumber, CompressedBitsPerPixel, apertures, SubjectDistance, FocalLength, the rest
        set(.rational, 0x011A, 0x011B, 0x829A, 0x829D, 0x9102, 0x9202, 0x9205, 0x9206, 0x920A, 0xA20B, 0xA20E, 0xA20F)
        set(.rational, 0xA215, 0xA404, 0xA432, 0xA500)
        // ShutterSpeedValue, BrightnessValue, ExposureBiasValue
        set(.signedRational, 0x9201, 0x9203, 0x9204)
        // Versions, OECF, ComponentsConfiguration, FileSource, SceneType, CFAPattern, DeviceSettingDescription
        set(.bytes, 0x8828, 0x9000, 0x9101, 0xA000, 0xA300, 0xA301, 0xA302, 0xA40B)
        return kinds
    }()

    /// The entry converted to the type of its tag if that keeps its meaning; otherwise nil. Tags that are not in the
    /// table are kept.
    static func corrected(
        _ entry: EXIFDirectories.Entry, in block: EXIFDirectories
    ) -> EXIFDirectories.Entry? {
        guard let kind = kinds[entry.tag] else { return entry }
        guard entry.count > 0, EXIFDirectories.size(ofType: entry.type) > 0 else { return nil }
        switch kind {
        case .text: return text(entry)
        case .short: return entry.type == 3 ? entry : integers(entry, type: 3, in: block)
        case .long: return entry.type == 4 ? entry : integers(entry, type: 4, in: block)
        case .shortOrLong: return [3, 4].contains(entry.type) ? entry : integers(entry, type: 4, in: block)
        case .rational: return entry.type == 5 ? entry : rationals(entry, from: 10, to: 5, in: block)
        case .signedRational: return entry.type == 10 ? entry : rationals(entry, from: 5, to: 10, in: block)
        case .bytes: return entry.type == 7 ? entry : bytes(entry)
        }
    }

    private static func text(_ entry: EXIFDirectories.Entry) -> EXIFDirectories.Entry? {
        guard entry.type != 2 else { return entry }
        // BYTE, UNDEFINED, and UTF-8 of EXIF 3.0.
        guard [1, 7, 129].contains(entry.type) else { return nil }
        var entry = entry
        entry.type = 2
        if entry.value.last != 0 { entry.value.append(0) }
        entry.count = entry.value.count
        return entry
    }

    private static func bytes(_ entry: EXIFDirectories.Entry) -> EXIFDirectories.Entry? {
        guard [1, 2, 6].contains(entry.type) else { return nil }
        var entry = entry
        entry.type = 7
        // A version is four characters without a NUL.
        if [0x9000, 0xA000].contains(entry.tag) { entry.value = Array(entry.value.prefix(4)) }
        entry.count = entry.value.count
        return entry
    }

    private static func integers(
        _ entry: EXIFDirectories.Entry, type: UInt16, in block: EXIFDirectories
    ) -> EXIFDirectories.Entry? {
        guard [1, 3, 4, 6, 8, 9].contains(entry.type) else { return nil }
        let (from, to) = (EXIFDirectories.size(ofType: entry.type), EXIFDirectories.size(ofType: type))
        let isSigned = [6, 8, 9].contains(entry.type)
        var value: [UInt8] = []
        for start in stride(from: 0, to: entry.value.count - from + 1, by: from) {
            let number = block.number(entry.value[start..<start + from])
            let most = isSigned ? 1 << (8 * from - 1) : 1 << (8 * from)
            guard number < most, number < 1 << (8 * to) else { return nil }
            value += block.bytes(number, size: to)
        }
        guard !value.isEmpty else { return nil }
        return EXIFDirectories.Entry(tag: entry.tag, type: type, count: value.count / to, value: value)
    }

    /// Signed and unsigned rationals with the same bytes; integers over 1.
    private static func rationals(
        _ entry: EXIFDirectories.Entry, from other: UInt16, to type: UInt16, in block: EXIFDirectories
    ) -> EXIFDirectories.Entry? {
        if entry.type == other {
            for start in stride(from: 0, to: entry.value.count - 3, by: 4) {
                guard block.number(entry.value[start..<start + 4]) < 1 << 31 else { return nil }
            }
            return EXIFDirectories.Entry(tag: entry.tag, type: type, count: entry.count, value: entry.value)
        }
        guard let whole = integers(entry, type: 4, in: block) else { return nil }
        var value: [UInt8] = []
        for start in stride(from: 0, to: whole.value.count, by: 4) {
            let number = block.number(whole.value[start..<start + 4])
            guard number < 1 << 31 else { return nil }
            value += block.bytes(number, size: 4) + block.bytes(1, size: 4)
        }
        return EXIFDirectories.Entry(tag: entry.tag, type: type, count: whole.count, value: value)
    }
}

extension EXIFPolicy {
    /// The block with its directories changed in place, because maker notes contain offsets: entries of a wrong type
    /// get the right one if the bytes are the same, and are removed otherwise.
    static func withTypes(_ bytes: [UInt8], _ block: EXIFDirectories) -> [UInt8] {
        var bytes = bytes
        for directory in [EXIFDirectories.Directory.main, .exif] {
            guard let start = block.starts[directory] else { continue }
            var gone: Set<UInt16> = []
            for entry in block.directories[directory] ?? [] {
                let corrected = EXIFTypes.corrected(entry, in: block)
                if corrected == entry { continue }
                guard let corrected, corrected.value == entry.value, corrected.count == entry.count,
                    let field = block.entryOffsets[directory]?[entry.tag]
                else {
                    gone.insert(entry.tag)
                    continue
                }
                bytes.replaceSubrange(field + 2..<field + 4, with: block.bytes(Int(corrected.type), size: 2))
            }
            if !gone.isEmpty { remove(gone, fromDirectoryAt: start, block, in: &bytes) }
        }
        return bytes
    }

    private static func remove(
        _ tags: Set<UInt16>, fromDirectoryAt start: Int, _ block: EXIFDirectories, in bytes: inout [UInt8]
    ) {
        guard start + 2 <= bytes.count else { return }
        let count = block.number(bytes[start..<start + 2])
        let end = start + 2 + 12 * count
        guard end + 4 <= bytes.count else { return }
        var kept: [UInt8] = []
        for field in stride(from: start + 2, to: end, by: 12)
        where !tags.contains(UInt16(block.number(bytes[field..<field + 2]))) { kept += bytes[field..<field + 12] }
        let next = bytes[end..<end + 4]
        let content = block.bytes(kept.count / 12, size: 2) + kept + next
        bytes.replaceSubrange(
            start..<end + 4, with: content + [UInt8](repeating: 0, count: end + 4 - start - content.count))
    }
}
