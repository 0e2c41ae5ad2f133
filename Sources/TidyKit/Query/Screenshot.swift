/// Recognises screenshots by their name, metadata and size.
enum Screenshot {
    /// Nil if the name is not that of a screenshot and the content is not known yet.
    static func isLikely(_ subject: Subject) -> Bool? {
        let photo = subject.photo
        if let kind = photo.kind, kind != .photo { return false }
        if isMarkedScreenshotName(photo.path) || subject.isMarkedScreenshot { return true }
        guard subject.isRead else { return nil }
        guard photo.format == .png, photo.camera == nil, let width = photo.width, let height = photo.height else {
            return false
        }
        return screens.contains(Screen(min(width, height), max(width, height)))
    }

    private static func isMarkedScreenshotName(_ path: FilePath) -> Bool {
        let name = FoldedText(path.lastComponent)
        return words.contains { name.contains($0) }
    }

    /// The names that Android, Windows, GNOME and macOS use, in the most common languages of macOS.
    private static let words = [
        "screenshot", "screen shot", "screen_shot", "screen-shot", "screencapture", "bildschirmfoto",
        "capture d\u{2019}\u{E9}cran", "capture d'\u{E9}cran", "captura de pantalla", "captura de tela",
        "captura de ecr\u{E3}", "schermafbeelding", "schermata", "sk\u{E4}rmbild", "sk\u{E6}rmbillede", "skjermbilde",
        "zrzut ekranu", "\u{441}\u{43D}\u{438}\u{43C}\u{43E}\u{43A} \u{44D}\u{43A}\u{440}\u{430}\u{43D}\u{430}",
        "\u{30B9}\u{30AF}\u{30EA}\u{30FC}\u{30F3}\u{30B7}\u{30E7}\u{30C3}\u{30C8}", "\u{622A}\u{5C4F}",
        "\u{622A}\u{56FE}",
    ].map { FoldedText($0) }

    private struct Screen: Hashable {
        let short: Int
        let long: Int
        init(_ short: Int, _ long: Int) {
            self.short = short
            self.long = long
        }
    }

    /// Native sizes of phones, tablets and desktop screens, in pixels.
    private static let screens: Set<Screen> = [
        // iPhone
        Screen(320, 480), Screen(640, 960), Screen(640, 1136), Screen(750, 1334), Screen(828, 1792), Screen(1080, 1920),
        Screen(1080, 2340), Screen(1125, 2436), Screen(1170, 2532), Screen(1179, 2556), Screen(1206, 2622),
        Screen(1242, 2208), Screen(1242, 2688), Screen(1284, 2778), Screen(1290, 2796), Screen(1320, 2868),
        Screen(1260, 2736),
        // iPad
        Screen(768, 1024), Screen(1488, 2266), Screen(1536, 2048), Screen(1620, 2160), Screen(1640, 2360),
        Screen(1668, 2224), Screen(1668, 2388), Screen(1668, 2420), Screen(2048, 2732), Screen(2064, 2752),
        // Android
        Screen(480, 800), Screen(480, 854), Screen(540, 960), Screen(720, 1280), Screen(720, 1440), Screen(720, 1520),
        Screen(720, 1600), Screen(720, 1612), Screen(800, 1280), Screen(1080, 2160), Screen(1080, 2220),
        Screen(1080, 2246), Screen(1080, 2280), Screen(1080, 2310), Screen(1080, 2316), Screen(1080, 2376),
        Screen(1080, 2400), Screen(1080, 2408), Screen(1080, 2412), Screen(1080, 2460), Screen(1080, 2424),
        Screen(1200, 1920), Screen(1200, 2000), Screen(1220, 2712), Screen(1240, 2772), Screen(1344, 2992),
        Screen(1280, 2856), Screen(1440, 2560), Screen(1440, 2880), Screen(1440, 2960), Screen(1440, 3040),
        Screen(1440, 3088), Screen(1440, 3120), Screen(1440, 3200), Screen(1440, 3216), Screen(1600, 2560),
        Screen(1768, 2208), Screen(1812, 2176), Screen(1840, 2208), Screen(1856, 2160),
        // Desktop
        Screen(600, 1024), Screen(768, 1366), Screen(800, 1280), Screen(900, 1440), Screen(900, 1600),
        Screen(1024, 1280), Screen(1050, 1680), Screen(1080, 2560), Screen(1200, 1600), Screen(1440, 3440),
        Screen(1600, 3840), Screen(1664, 2560), Screen(1692, 3008), Screen(1800, 2880), Screen(1864, 2880),
        Screen(1890, 3024), Screen(1964, 3024), Screen(2160, 3840), Screen(2234, 3456), Screen(2304, 4096),
        Screen(2520, 4480), Screen(2880, 5120), Screen(3384, 6016),
    ]
}

/// The Unicode scalars of a name in lower case, for comparison without regard to case. There is no normalisation, so
/// NFC and NFD forms stay different. A byte that is not UTF-8 becomes a value beyond Unicode, which equals only itself.
struct FoldedText: Sendable, Equatable {
    let scalars: [UInt32]

    init(_ bytes: some Collection<UInt8>) {
        var scalars: [UInt32] = []
        scalars.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.first {
            if byte < 0x80 {
                scalars.append(UInt32(byte.asciiLowercased))
                rest = rest.dropFirst()
            } else if let (scalar, length) = Self.decode(rest) {
                for part in scalar.properties.lowercaseMapping.unicodeScalars { scalars.append(part.value) }
                rest = rest.dropFirst(length)
            } else {
                scalars.append(0x110000 + UInt32(byte))
                rest = rest.dropFirst()
            }
        }
        self.scalars = scalars
    }

    init(_ text: String) { self.init(text.utf8) }

    func contains(_ part: FoldedText) -> Bool {
        let (whole, part) = (scalars, part.scalars)
        guard let first = part.first else { return true }
        guard whole.count >= part.count else { return false }
        for start in 0...(whole.count - part.count) where whole[start] == first {
            if whole[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }

    /// The scalar at the start of `bytes`, if it is well-formed UTF-8 (Unicode 15, table 3-7).
    private static func decode(_ bytes: some Collection<UInt8>) -> (Unicode.Scalar, length: Int)? {
        guard let lead = bytes.first else { return nil }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0
        guard length > 0, lead <= 0xF4, bytes.count >= length else { return nil }
        var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for byte in bytes.dropFirst().prefix(length - 1) {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let smallest: UInt32 = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80
        guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }
}
