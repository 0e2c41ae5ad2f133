/// Sequence parameter sets of HEVC (H.265, section 7.3.2.2).
enum HEVCSequence {
    private static let parameterSet: UInt8 = 33
    /// More bytes than a parameter set has before the frame size, including emulation prevention bytes.
    private static let longest = 512

    /// The largest frame that the parameter sets of a decoder configuration describe (`hvcC`, ISO 14496-15, section
    /// 8.3.3.1.2).
    static func largestFrame(
        ofConfiguration record: ByteView, _ budget: inout UnitBudget
    ) throws(UnreadableFrame) -> CodedFrame? {
        var largest: CodedFrame?
        var at = 23
        for _ in 0..<(record[22] ?? 0) {
            guard let count = record.int16(at + 1) else { throw UnreadableFrame() }
            at += 3
            for _ in 0..<count {
                try budget.spend()
                guard let length = record.int16(at), let unit = record.slice(at + 2, length) else {
                    throw UnreadableFrame()
                }
                try widen(&largest, by: unit)
                at += 2 + length
            }
        }
        return largest
    }

    /// The largest frame that the parameter sets within a picture describe. Its units must have length fields of four
    /// bytes, the only ones that libheif accepts.
    static func largestFrame(
        _ units: ByteView, _ budget: inout UnitBudget
    ) throws(UnreadableFrame) -> CodedFrame? {
        var largest: CodedFrame?
        var rest = units
        while let length = rest.int32(0) {
            try budget.spend()
            // Decoders stop here too.
            guard let unit = rest.slice(4, length) else { return largest }
            try widen(&largest, by: unit)
            rest = rest.from(4 + length)
        }
        return largest
    }

    private static func widen(_ largest: inout CodedFrame?, by unit: ByteView) throws(UnreadableFrame) {
        // forbidden_zero_bit, nal_unit_type, nuh_layer_id, nuh_temporal_id_plus1. Layers above the first are not
        // decoded.
        guard let head = unit.int16(0), UInt8(head >> 9 & 63) == parameterSet, head >> 3 & 63 == 0 else { return }
        guard let frame = frame(unit.from(2)) else { throw UnreadableFrame() }
        largest = largest ?? CodedFrame()
        largest?.widen(frame)
    }

    private static func frame(_ payload: ByteView) -> CodedFrame? {
        var bits = BitReader(plain(payload.prefix(longest)))
        guard bits.skip(4), let layers = bits.read(3), layers < 7, bits.skip(1), skipLevels(&bits, layers: layers),
            bits.exponential() != nil, let chroma = bits.exponential()
        else { return nil }
        if chroma == 3, !bits.skip(1) { return nil }
        guard let width = bits.exponential(), let height = bits.exponential() else { return nil }
        return CodedFrame(width: width, height: height)
    }

    /// `profile_tier_level` (section 7.3.3).
    private static func skipLevels(_ bits: inout BitReader, layers: Int) -> Bool {
        guard bits.skip(96) else { return false }
        var length = 0
        for _ in 0..<layers {
            guard let hasProfile = bits.flag(), let hasLevel = bits.flag() else { return false }
            length += (hasProfile ? 88 : 0) + (hasLevel ? 8 : 0)
        }
        return bits.skip(length + (layers > 0 ? 2 * (8 - layers) : 0))
    }

    /// The bytes without emulation_prevention_three_byte (section 7.3.1.1).
    private static func plain(_ bytes: ByteView) -> [UInt8] {
        var plain: [UInt8] = []
        var zeros = 0
        for byte in bytes.buffer {
            if byte == 3, zeros >= 2 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            plain.append(byte)
        }
        return plain
    }
}
