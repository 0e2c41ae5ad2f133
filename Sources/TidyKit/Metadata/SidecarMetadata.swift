/// The metadata of a photo in a file beside it: an XMP sidecar, or the JSON of Google Takeout. They count if the photo
/// itself has none.
package struct SidecarMetadata: Sendable, Equatable {
    /// `.xmpSidecar` or `.takeout`.
    package var captureDate: CaptureDate?
    package var location: Coordinate?
    /// -1 (rejected) or 0…5.
    package var rating: Int?
    package var problems: [Problem] = []

    package init() {}

    static func xmp(_ bytes: [UInt8], now: WallClock) -> SidecarMetadata {
        let packet = XMPReader.read(bytes, now: now)
        var metadata = SidecarMetadata()
        metadata.captureDate = packet.captureDate?.from(.xmpSidecar)
        metadata.location = packet.location
        metadata.rating = packet.rating ?? packet.ratingPercent.flatMap { XMPMetadata.stars(percent: $0) }
        metadata.problems = packet.problems.filter { $0 == .hour24(in: XMPMetadata.dateName) }
        return metadata
    }

    static func takeout(_ bytes: [UInt8], now: WallClock) -> SidecarMetadata {
        var metadata = SidecarMetadata()
        guard let json = TakeoutMetadata.read(bytes, now: now) else { return metadata }
        metadata.captureDate = json.captureDate
        metadata.location = json.location
        return metadata
    }
}

/// The fields of interest in the JSON file that Google Takeout writes for a photo.
package struct TakeoutMetadata: Sendable, Equatable {
    /// `photoTakenTime`, in seconds since 1970; the source is `.takeout`.
    package var captureDate: CaptureDate?
    /// `geoData`.
    package var location: Coordinate?

    /// Nil for JSON of another kind, and for invalid JSON.
    package static func read(_ bytes: [UInt8], now: WallClock) -> TakeoutMetadata? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let value = try? JSONReader.value(bytes[(bytes.starts(with: mark) ? 3 : 0)...]),
            let taken = value["photoTakenTime"]
        else { return nil }
        var metadata = TakeoutMetadata()
        // Google writes 0 for an unknown time.
        if let seconds = seconds(taken["timestamp"]), seconds != 0, (-1 << 40...1 << 40).contains(seconds) {
            let wall = WallClock(seconds: seconds)
            if wall.isPlausible(now: now) {
                metadata.captureDate = CaptureDate(wall: wall, offsetMinutes: 0, source: .takeout)
            }
        }
        if let place = value["geoData"], let latitude = place["latitude"]?.double,
            let longitude = place["longitude"]?.double
        {
            metadata.location = .recorded(latitude: latitude, longitude: longitude)
        }
        return metadata
    }

    /// Google writes the number as a string.
    private static func seconds(_ value: JSONValue?) -> Int64? {
        value?.text.flatMap { Int64($0) } ?? value?.integer
    }
}
