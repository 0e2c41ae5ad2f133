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
