/// The kind of a sidecar, recognised by its name. XMP and Takeout JSON may contain date, place and rating of the photo.
package enum SidecarKind: Sendable {
    case xmp
    /// `.AAE`: the edits made in Apple's Photos.
    case adjustments
    /// The JSON file that Google Takeout writes for a photo.
    case takeout
    /// RawTherapee, DxO, ON1, ART and Capture One.
    case development
    /// `.SRT` of a video: the positions of a drone.
    case subtitles
    /// `.WAV`: a voice memo recorded by the camera.
    case sound

    /// True for a sidecar that is an orphan when its photo is gone.
    var canBeOrphan: Bool {
        switch self {
        case .xmp, .adjustments, .takeout, .development: true
        case .subtitles, .sound: false
        }
    }

    /// True if only the content of a photo decides whether the sidecar belongs to it: subtitles never belong to a
    /// picture.
    var needsContent: Bool { self == .subtitles || self == .sound }

    /// - Parameter ending: a lowercase extension.
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
