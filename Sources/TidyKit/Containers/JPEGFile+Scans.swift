extension JPEGFile {
    /// True where the file ends in good order before all of the picture was sent, which no decoder objects to: a component
    /// that is in no scan, or coefficients of a progressive file that were begun and never refined to their last bit
    /// (T.81, G.1.1.1). AC coefficients that were never begun are zero: libjpeg writes such files if it is told to.
    /// - Parameter unsentIsMissing: nor are coefficients that were never begun taken for zero.
    func lacksScans(in bytes: [UInt8], unsentIsMissing: Bool = false) -> Bool {
        guard let frame = segments.first(where: { Self.frames.contains($0.marker) }), frame.payload.count >= 6 else {
            return false
        }
        let isProgressive = frame.marker & 3 == 2
        let list = bytes[frame.payload].dropFirst(6)
        let components = stride(from: list.startIndex, to: list.endIndex - 2, by: 3).map { bytes[$0] }
            .prefix(Int(bytes[frame.payload.lowerBound + 5]))
        // Names that are not unique are made so by the decoder, by the order in which they come.
        guard Set(components).count == components.count else { return false }
        // The lowest bit of each coefficient that was sent: 0 once it is whole.
        let others = isProgressive && unsentIsMissing ? Self.neverSent : 0
        var lowest = components.map { _ in [Self.neverSent] + [UInt8](repeating: others, count: 63) }
        for segment in segments where segment.marker == Self.startOfScan {
            let scan = Array(bytes[segment.payload])
            guard let count = scan.first.map(Int.init), scan.count >= 4 + 2 * count else { continue }
            let (first, last, bit) = (Int(scan[2 * count + 1]), Int(scan[2 * count + 2]), scan[2 * count + 3] & 15)
            for index in 0..<count {
                guard let component = components.firstIndex(of: scan[2 * index + 1]) else { continue }
                if !isProgressive {
                    lowest[component][0] = 0
                } else if first <= last, last < 64 {
                    for coefficient in first...last { lowest[component][coefficient] = bit }
                }
            }
        }
        return lowest.contains { $0.contains { $0 > 0 } }
    }

    private static let neverSent: UInt8 = 0xFF
    /// SOF0, SOF1, SOF2 and, arithmetic, SOF9 and SOF10: those that the decoder takes.
    private static let frames: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]
}
