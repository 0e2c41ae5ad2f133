/// Programs and services that write a photo anew, by the names that they leave in it. The firmware of a camera
/// (`Ver.1.01`, `16.5`, `HDR+ 1.0.345618096zd`) is none of them, and neither is a program that changes nothing but
/// metadata (exiftool, digiKam's tags).
enum EditorNames {
    /// Lowercase; each counts at the beginning of a word.
    private static let words = [
        // Editors and converters.
        "adobe", "photoshop", "lightroom", "camera raw", "gimp", "darktable", "rawtherapee", "capture one",
        "capture nx",
        "nx studio", "viewnx", "affinity", "pixelmator", "photomator", "acdsee", "acd systems", "picasa",
        "google photos",
        "snapseed", "vsco", "iphoto", "aperture", "quicktime", "imagemagick", "graphicsmagick", "xnview", "irfanview",
        "faststone", "photoscape", "corel", "paint", "ulead", "zoner", "dxo", "on1", "luminar", "skylum", "topaz",
        "nik collection", "krita", "inkscape", "canva", "pixlr", "picsart", "polarr", "fotor", "meitu", "facetune",
        "prisma",
        "remini", "photoroom", "silkypix", "digital photo professional", "olympus viewer", "olympus workspace",
        "om workspace", "imaging edge", "playmemories", "raw file converter", "phocus", "photo editor", "photoeditor",
        "photo gallery", "windows photo", "microsoft photo", "microsoft windows", "acorn", "gwenview", "shotwell",
        "phototidy",
        // Stitching and merging.
        "hugin", "ptgui", "photomatix", "aurora hdr", "helicon", "zerene", "image composite editor",
        // Messengers and networks.
        "whatsapp", "telegram", "instagram", "facebook", "messenger", "snapchat", "wechat", "viber", "threema",
        "tiktok",
        "twitter",
    ]

    /// The words by their first letter, from `a`; those that begin with anything else are none.
    private static let byInitial: [[[UInt8]]] = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in
        words.map { Array($0.utf8) }.filter { $0[0] == letter }
    }

    /// True if the text names one of them.
    static func isNamed(in text: ByteView) -> Bool {
        let text = text.prefix(maximumBytes).buffer.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
        // Photos of macOS counts its versions: `Photos 8.0`.
        if text.starts(with: "photos ".utf8), text.count > 7, (0x30...0x39).contains(text[7]) { return true }
        return text.indices.contains { place in
            guard isLetter(text[place]), place == 0 || !isLetter(text[place - 1]) else { return false }
            return byInitial[Int(text[place]) - 0x61].contains { text[place...].starts(with: $0) }
        }
    }

    /// Longer than the name of any program.
    private static let maximumBytes = 128
    /// The steps of a history that are looked at; the first one tells.
    private static let maximumSteps = 32

    /// True for an XMP packet whose xmp:CreatorTool or stEvt:softwareAgent (of xmpMM:History) names one. Searched for
    /// as text: parsing a packet takes longer than everything else that is read of a photo.
    static func isNamed(inPacket packet: ByteView) -> Bool {
        for name in ["CreatorTool", "softwareAgent"] as [StaticString] {
            var rest = packet
            for _ in 0..<maximumSteps {
                guard let place = rest.firstIndex(of: name) else { break }
                rest = rest.from(place + name.utf8CodeUnitCount)
                // `="…"` of an attribute, or `>…<` of an element.
                let value = rest.prefix(maximumBytes)
                guard let start = value.buffer.firstIndex(where: { "\"'>".utf8.contains($0) }) else { continue }
                let text = value.from(start + 1)
                let end = text.buffer.firstIndex { "\"'<".utf8.contains($0) } ?? text.count
                if isNamed(in: text.prefix(end)) { return true }
            }
        }
        return false
    }
}

/// Names that messengers and networks give to the copies that they send: `IMG-20200101-WA0001.jpg`.
enum MessengerName {
    /// Globs over names; case is ignored. They name digits where a name by itself would say too little.
    private static let patterns = [
        // WhatsApp, on telephones and on the desktop.
        "???-########-WA####*", "WhatsApp *",
        "signal-####-##-##-*", "photo_####-##-##_##-##-##*", "FB_IMG_####*", "received_####*", "mmexport####*",
        "Snapchat-####*", "threema-*",
    ].map { Array($0.uppercased().utf8) }

    static func matches(_ name: some Collection<UInt8>) -> Bool {
        let name = name.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        return patterns.contains { pattern in
            let isPrefix = pattern.last == UInt8(ascii: "*")
            let wanted = isPrefix ? pattern.dropLast() : pattern[...]
            guard name.count >= wanted.count, isPrefix || name.count == wanted.count else { return false }
            return zip(wanted, name).allSatisfy { wanted, byte in
                switch wanted {
                case UInt8(ascii: "#"): (0x30...0x39).contains(byte)
                case UInt8(ascii: "?"): (0x41...0x5A).contains(byte)
                default: wanted == byte
                }
            }
        }
    }
}
