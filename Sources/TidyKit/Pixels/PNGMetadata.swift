extension SourceMetadata {
    /// Resolution and profile of a PNG.
    init(_ file: PNGFile, in bytes: ByteView) {
        self.init()
        if let chunk = file.first("iCCP", in: bytes), let name = chunk.firstIndex(of: 0), chunk[name + 1] == 0 {
            profile = Inflate.zlib(chunk.from(name + 2), limit: 16 << 20)
                .flatMap { ICCProfile.checked($0, isGray: file.header.isGray) }
        }
        density = file.first("pHYs", in: bytes).flatMap(Self.density)
    }

    /// `pHYs`: pixels a metre, or a ratio.
    private static func density(_ chunk: ByteView) -> JPEGFile.Density? {
        guard let x = chunk.u32(0), let y = chunk.u32(4), let unit = chunk[8], x > 0, y > 0 else { return nil }
        let scale = unit == 1 ? 0.0254 : 1
        let (horizontal, vertical) = ((Double(x) * scale).rounded(), (Double(y) * scale).rounded())
        guard (1...65535).contains(horizontal), (1...65535).contains(vertical) else { return nil }
        return JPEGFile.Density(unit: unit == 1 ? 1 : 0, horizontal: UInt16(horizontal), vertical: UInt16(vertical))
    }
}
