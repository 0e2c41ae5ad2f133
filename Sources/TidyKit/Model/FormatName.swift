/// The names under which people know formats.
enum FormatName {
    /// - Parameter word: in lower case.
    static func format(_ word: String) -> MediaFormat? {
        switch word {
        case "jpg": .jpeg
        case "heif", "hif": .heic
        case "tif": .tiff
        case "m2ts", "m2t": .mts
        default: MediaFormat(rawValue: word)
        }
    }
}
