/// What a file beside a photo says of it: an XMP sidecar, or the JSON of Google Takeout. It counts where the photo itself says
/// nothing.
public struct SidecarMetadata: Sendable, Equatable {
    /// `.xmpSidecar` or `.takeout`.
    public var captureDate: CaptureDate?
    public var location: Coordinate?
    /// -1 (rejected), 0…5.
    public var rating: Int?
    public var problems: [Problem] = []

    public init() {}

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
