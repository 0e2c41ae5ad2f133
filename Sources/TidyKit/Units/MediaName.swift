/// What a file's name says before the file is opened.
enum MediaName {
    /// Media files that are only companions have a role other than `media`.
    enum Role: Sendable {
        case media
        /// `.THM`: the thumbnail that a camera writes for a video.
        case thumbnail
        /// `.LRV`: the low-resolution copy of a video.
        case proxy
    }

    static func role(_ name: [UInt8]) -> Role {
        switch Ending(name) {
        case Ending("thm"): .thumbnail
        case Ending("lrv"): .proxy
        default: .media
        }
    }

    /// False for the extensions of pictures. Only the content is conclusive, but nobody names a video `.jpg`.
    static func mayBeVideo(_ name: [UInt8]) -> Bool {
        let ending = Ending(name)
        return !stills.contains(ending) && ending != Ending("thm") && ending != Ending("lrv")
    }

    /// False for the names of videos and of their companions.
    static func mayBeStill(_ name: [UInt8]) -> Bool { !films.contains(Ending(name)) && role(name) == .media }

    private static let films = Set(
        ["mov", "mp4", "m4v", "mp", "qt", "3gp", "3g2", "avi", "mts", "m2ts", "mpg", "mpeg", "wmv", "mkv", "webm"].map {
            Ending($0)
        })

    /// A lowercase extension, packed into an integer; 0 without an extension, and for long ones.
    struct Ending: Hashable, Sendable {
        private var packed: UInt64 = 0

        init(_ name: [UInt8]) {
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 8 else { return }
            for byte in name[(dot + 1)...] { packed = packed << 8 | UInt64(byte.asciiLowercased) }
        }

        init(_ word: String) { for byte in word.utf8 { packed = packed << 8 | UInt64(byte) } }
    }

    private static let stills: Set<Ending> = {
        let formats = MediaFormat.allCases.filter { $0.kind != .video }.map(\.rawValue)
        // Alternative extensions, and RAW formats that belong to a family of another name.
        let others = [
            "jpg", "jpe", "jfif", "heif", "hif", "tif", "nrw", "srf", "sr2", "rwl", "fff", "gpr", "cap", "eip", "psd",
        ]
        return Set((formats + others).map { Ending($0) })
    }()
}
