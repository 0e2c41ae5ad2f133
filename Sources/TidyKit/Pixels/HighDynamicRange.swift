internal import Glibc

/// Tone mapping from a high to the standard dynamic range: curves from the stored value to light. White is 203 cd/m²
/// (ITU-R BT.2408); brighter values are rolled off (BT.2390, section 5.4.1).
enum HighDynamicRange {
    private static let steps = 4096
    /// The peak that most pictures are graded for, in cd/m².
    private static let peak = 1000.0
    private static let white = 203.0

    /// BT.2100, PQ.
    static var perceptualQuantizer: [UInt16] { table { rolledOff($0) } }

    /// BT.2100, HLG, on a screen of 1000 cd/m².
    static var hybridLogGamma: [UInt16] {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return table { value in
            let scene = value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
            return rolledOff(encode(peak * pow(scene, 1.2)))
        }
    }

    private static func table(_ light: (Double) -> Double) -> [UInt16] {
        (0..<steps).map { index in
            let share = light(Double(index) / Double(steps - 1)) / white
            return UInt16((65535 * max(0, min(1, share))).rounded())
        }
    }

    /// The light of a PQ value in cd/m², after a Hermite spline from the knee to the new peak.
    private static func rolledOff(_ value: Double) -> Double {
        let top = encode(peak)
        let newTop = encode(white) / top
        let knee = 1.5 * newTop - 0.5
        var share = min(1, value / top)
        if share > knee {
            let t = (share - knee) / (1 - knee)
            share =
                (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
                + (3 * t * t - 2 * t * t * t) * newTop
        }
        return decode(share * top)
    }

    private static let (m1, m2) = (0.1593017578125, 78.84375)
    private static let (c1, c2, c3) = (0.8359375, 18.8515625, 18.6875)

    private static func decode(_ value: Double) -> Double {
        let power = pow(value, 1 / m2)
        return 10000 * pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }

    private static func encode(_ light: Double) -> Double {
        let power = pow(light / 10000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}
