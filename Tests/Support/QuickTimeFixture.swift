/// The smallest QuickTime file that says when it was made and how long it runs: `ftyp`, `moov/mvhd`, an empty `mdat`.
package struct QuickTimeFixture: Sendable {
    /// UTC, seconds since 1904 (QuickTime File Format, "Movie header atom").
    package var created: UInt32
    package var seconds: Double

    /// - Parameter unix: seconds since 1970 (UTC).
    package init(unix: Int64, seconds: Double) {
        created = UInt32(unix + 2_082_844_800)
        self.seconds = seconds
    }

    package var bytes: [UInt8] {
        let matrix: [UInt32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
        let header =
            big(0) + big(created) + big(created) + big(600) + big(UInt32(seconds * 600)) + big(0x10000)
            + [1, 0] + [UInt8](repeating: 0, count: 10) + matrix.flatMap(big) + [UInt8](repeating: 0, count: 24)
            + big(2)
        return box("ftyp", Array("qt  ".utf8) + big(0x2005_0300) + Array("qt  ".utf8))
            + box("moov", box("mvhd", header)) + box("mdat", [])
    }

    private func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private func box(_ type: String, _ body: [UInt8]) -> [UInt8] { big(UInt32(body.count + 8)) + type.utf8 + body }
}
