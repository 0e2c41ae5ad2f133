/// The IPTC datasets that record when a picture was made (Information Interchange Model 4.2): 2:55 Date Created and
/// 2:60 Time Created.
struct IPTCRecord {
    private static let maximumResources = 1000

    private var date: [UInt8]?
    private var time: [UInt8]?

    private static let maximumDatasets = 2000

    /// - Parameter datasets: adjacent datasets, each beginning with 0x1C.
    init(_ datasets: ByteView) {
        var at = 0
        for _ in 0..<Self.maximumDatasets {
            // The record may be padded with zeros.
            while datasets[at] == 0 { at += 1 }
            // If the highest bit is set, the length is in another field; no date is that long.
            guard datasets[at] == 0x1C, let length = datasets.int16(at + 3), length < 0x8000,
                let value = datasets.slice(at + 5, length)
            else { return }
            if datasets[at + 1] == 2, datasets[at + 2] == 55, date == nil { date = Array(value.buffer) }
            if datasets[at + 1] == 2, datasets[at + 2] == 60, time == nil { time = Array(value.buffer) }
            at += 5 + length
        }
    }

    /// The datasets in `bytes`: those of Photoshop's resource, or `bytes` if they already are datasets.
    static func datasets(in bytes: ByteView) -> ByteView? {
        if bytes[0] == 0x1C { return bytes }
        var source = MemorySource(bytes: bytes)
        var walker = PhotoshopResourceWalker()
        for _ in 0..<maximumResources {
            guard let resource = walker.next(in: &source) else { return nil }
            if resource.number == PhotoshopResource.iptc {
                return bytes.from(Int(resource.start)).prefix(resource.length)
            }
        }
        return nil
    }

    /// `CCYYMMDD` and `HHMMSS±HHMM`; some writers put `:` or `-` between the parts. If the time is invalid, the day
    /// counts alone.
    func created(now: WallClock) -> DateText? {
        guard let date else { return nil }
        let digits = date.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "-") }
        guard digits.count >= 8 else { return nil }
        let day = Self.joined([digits[0..<4], digits[4..<6], digits[6..<8]], by: UInt8(ascii: "-"))
        func read(_ text: [UInt8]) -> DateText? { text.withUnsafeBytes { DateText(iso: ByteView($0)) } }
        guard let found = read(day + clock) ?? read(day), found.isPlausible(now: now) else { return nil }
        return found
    }

    private static func joined(_ parts: [ArraySlice<UInt8>], by separator: UInt8) -> [UInt8] {
        Array(parts.joined(separator: CollectionOfOne(separator)))
    }

    /// `THH:MM:SS` and the zone as it is written; empty without a time.
    private var clock: [UInt8] {
        guard let time else { return [] }
        let beforeZone = time.prefix { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "Z") }
        let digits = beforeZone.filter { $0 != UInt8(ascii: ":") && $0 > 0x20 }
        guard digits.count >= 6 else { return [] }
        let clock = Self.joined([digits[0..<2], digits[2..<4], digits[4..<6]], by: UInt8(ascii: ":"))
        return [UInt8(ascii: "T")] + clock + time.dropFirst(beforeZone.count)
    }
}
