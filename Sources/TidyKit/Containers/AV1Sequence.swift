/// Sequence headers of AV1 (AV1 Bitstream & Decoding Process Specification, sections 5.3 to 5.5).
enum AV1Sequence {
    private static let sequenceHeader: UInt8 = 1
    /// More bytes than a header with all of its 32 operating points takes.
    private static let longest = 1024

    /// The largest frame that the sequence headers in `units` allow; nil if there are none.
    /// - Parameters:
    ///   - isWhole: `units` are the configuration of a stream, in which every unit (OBU) has a size field.
    ///   - trustsFrames: the decoder refuses frames larger than the header says (libaom does, dav1d does not).
    static func largestFrame(
        _ units: ByteView, isWhole: Bool, trustsFrames: Bool, _ budget: inout UnitBudget
    ) throws(UnreadableFrame) -> CodedFrame? {
        var largest: CodedFrame?
        var rest = units
        while let head = rest[0] {
            try budget.spend()
            // libaom skips zeros between units.
            if head == 0, !isWhole {
                rest = rest.from(1)
                continue
            }
            guard let unit = unit(rest), !isWhole || unit.hasLength else {
                if isWhole { throw UnreadableFrame() }
                // Decoders stop here too.
                return largest
            }
            if head >> 3 & 15 == sequenceHeader {
                guard let frame = frame(unit.payload, trustsFrames: trustsFrames) else { throw UnreadableFrame() }
                largest = largest ?? CodedFrame()
                largest?.widen(frame)
            }
            rest = rest.from(unit.length)
        }
        return largest
    }

    private typealias Unit = (payload: ByteView, length: Int, hasLength: Bool)

    /// `obu_header` and `obu_size`, in leb128; nil if the unit extends past the data.
    private static func unit(_ data: ByteView) -> Unit? {
        guard let head = data[0], head & 0x80 == 0 else { return nil }
        var at = head & 4 != 0 ? 2 : 1
        guard head & 2 != 0 else { return data.slice(at, data.count - at).map { ($0, data.count, false) } }
        var size = 0
        for index in 0..<8 {
            guard let byte = data[at] else { return nil }
            at += 1
            size |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return data.slice(at, size).map { ($0, at + size, true) } }
        }
        return nil
    }

    /// `sequence_header_obu`, up to the frame size.
    private static func frame(_ payload: ByteView, trustsFrames: Bool) -> CodedFrame? {
        var bits = BitReader(Array(payload.prefix(longest).buffer))
        // seq_profile, still_picture.
        guard bits.skip(4), let isReduced = bits.flag() else { return nil }
        guard isReduced ? bits.skip(5) : skipOperatingPoints(&bits) else { return nil }
        guard let widthBits = bits.read(4), let heightBits = bits.read(4), let width = bits.read(widthBits + 1),
            let height = bits.read(heightBits + 1)
        else { return nil }
        // With a reduced header, every frame has the size of the sequence. Other frames may override it.
        if isReduced || trustsFrames { return CodedFrame(width: width + 1, height: height + 1) }
        return CodedFrame(width: 2 << widthBits, height: 2 << heightBits)
    }

    /// From timing_info_present_flag up to, but not including, frame_width_bits_minus_1.
    private static func skipOperatingPoints(_ bits: inout BitReader) -> Bool {
        var delayBits: Int?
        guard let hasTiming = bits.flag() else { return false }
        if hasTiming {
            guard bits.skip(64), let isEqual = bits.flag() else { return false }
            if isEqual, bits.exponential() == nil { return false }
            guard let hasModel = bits.flag() else { return false }
            if hasModel {
                guard let length = bits.read(5), bits.skip(42) else { return false }
                delayBits = length + 1
            }
        }
        guard let hasDelay = bits.flag(), let points = bits.read(5) else { return false }
        for _ in 0...points {
            guard bits.skip(12), let level = bits.read(5) else { return false }
            if level > 7, !bits.skip(1) { return false }
            if let delayBits {
                guard let isPresent = bits.flag() else { return false }
                if isPresent, !bits.skip(2 * delayBits + 1) { return false }
            }
            if hasDelay {
                guard let isPresent = bits.flag() else { return false }
                if isPresent, !bits.skip(4) { return false }
            }
        }
        return true
    }
}
