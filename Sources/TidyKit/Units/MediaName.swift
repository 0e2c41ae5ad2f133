/// What the name of a file says before it is opened.
enum MediaName {
    /// Some files of media content only go with another one.
    enum Role: Sendable {
        case media
        /// `.THM`: the small picture that a camera writes beside a film.
        case thumbnail
        /// `.LRV`: the small copy of a film.
        case proxy
    }

    static func role(_ name: [UInt8]) -> Role {
        switch Ending(name) {
        case Ending("thm"): .thumbnail
        case Ending("lrv"): .proxy
        default: .media
        }
    }

    /// True unless the extension is one of pictures: only the content tells, but nobody keeps films as `.jpg`.
    static func mayBeVideo(_ name: [UInt8]) -> Bool {
        let ending = Ending(name)
        return !stills.contains(ending) && ending != Ending("thm") && ending != Ending("lrv")
    }

    /// False for the names of films and of what goes with them.
    static func mayBeStill(_ name: [UInt8]) -> Bool { !films.contains(Ending(name)) && role(name) == .media }

    private static let films = Set(
        ["mov", "mp4", "m4v", "mp", "qt", "3gp", "3g2", "avi", "mts", "m2ts", "mpg", "mpeg", "wmv", "mkv", "webm"].map {
            Ending($0)
        })

    /// An extension in lower case, in one number; 0 where there is none, and for long ones.
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
        // What else they are called, and RAW formats that count as those of their family.
        let others = [
            "jpg", "jpe", "jfif", "heif", "hif", "tif", "nrw", "srf", "sr2", "rwl", "fff", "gpr", "cap", "eip", "psd",
        ]
        return Set((formats + others).map { Ending($0) })
    }()
}
