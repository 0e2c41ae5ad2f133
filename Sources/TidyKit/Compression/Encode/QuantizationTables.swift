/// Quantisation tables (DQT) in natural order, and the familiar quality numbers.
struct QuantizationTables: Equatable, Sendable {
    /// 64 values from 1 to 255: the limits of baseline JPEG.
    var luma: [UInt16]
    var chroma: [UInt16]

    /// - Parameter quality: 1…100 in steps of a tenth, normalised so that 75 looks like Annex K's tables at 75.
    init(quality: Double, effort: CompressionSettings.Effort) {
        let factor = Self.scale(quality: quality) * Self.normalisation(effort)
        luma = Self.lumaBase.map { Self.value(Double($0) / 10, factor) }
        chroma = Self.chromaBase.map { Self.value(Double($0) / 10, factor) }
    }

    /// The factor that gives the quality of Annex K's tables. Rate-distortion optimised quantisation removes some
    /// detail, and needs finer steps for the same quality.
    private static func normalisation(_ effort: CompressionSettings.Effort) -> Double { effort == .fast ? 1.1 : 1 }

    /// The factor of the IJG scale: 1 at 50, 0.5 at 75; not rounded to per cent, so that every tenth of a quality
    /// counts.
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

    /// The steps at quality 50 in tenths. They depend on the radius of the frequency alone, by seven (luma) and six
    /// (chroma) supporting points and one for DC that were searched for on photographs (Docs/Benchmarks.md).
    private static let lumaBase = [
        128, 134, 224, 269, 365, 433, 490, 532,
        134, 191, 236, 284, 377, 439, 494, 535,
        224, 236, 262, 327, 401, 455, 504, 543,
        269, 284, 327, 387, 433, 481, 520, 557,
        365, 377, 401, 433, 471, 508, 541, 574,
        433, 439, 455, 481, 508, 535, 564, 594,
        490, 494, 504, 520, 541, 564, 590, 616,
        532, 535, 543, 557, 574, 594, 616, 640,
    ]
    private static let chromaBase = [
        123, 102, 207, 262, 300, 333, 373, 410,
        102, 163, 221, 269, 304, 337, 376, 413,
        207, 221, 254, 286, 316, 349, 385, 421,
        262, 269, 286, 308, 333, 366, 400, 433,
        300, 304, 316, 333, 359, 388, 418, 448,
        333, 337, 349, 366, 388, 413, 439, 467,
        373, 376, 385, 400, 418, 439, 463, 487,
        410, 413, 421, 433, 448, 467, 487, 509,
    ]

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
