/// What a sidecar is, told by its name. XMP and Takeout's JSON may say date, place and rating of the photo.
public enum SidecarKind: Sendable {
    case xmp
    /// `.AAE`: what Apple's editors did.
    case adjustments
    /// The JSON that Google Takeout writes beside a photo.
    case takeout
    /// RawTherapee, DxO, ON1, ART and Capture One.
    case development
    /// `.SRT` of a film: where a drone was.
    case subtitles
    /// `.WAV`: a note spoken into the camera.
    case sound

    /// True for what is an orphan where its photo is gone.
    var canBeOrphan: Bool {
        switch self {
        case .xmp, .adjustments, .takeout, .development: true
        case .subtitles, .sound: false
        }
    }

    /// True for what goes with some photos only: a film's subtitles never with a picture.
    var asksContent: Bool { self == .subtitles || self == .sound }

    /// - Parameter ending: an extension in lower case.
    init?(ending: some Sequence<UInt8>) {
        func isEnding(_ word: StaticString) -> Bool {
            ending.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }
        if isEnding("xmp") {
            self = .xmp
        } else if isEnding("json") {
            self = .takeout
        } else if isEnding("aae") {
            self = .adjustments
        } else if isEnding("srt") {
            self = .subtitles
        } else if isEnding("wav") {
            self = .sound
        } else if isEnding("pp3") || isEnding("dop") || isEnding("on1") || isEnding("arp") || isEnding("cos") {
            self = .development
        } else {
            return nil
        }
    }
}
