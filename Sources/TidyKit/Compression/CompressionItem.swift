/// One input of a run and what came of it: an item of the report `phototidy.compress/1`.
public struct CompressionItem: Sendable {
    public var source: FilePath
    /// Nil where nothing was written (and none would be, in a dry run), and for standard output.
    public var output: FilePath?
    public var sourceBytes: Int64
    public var bytes: Int64?
    /// The bytes that were allowed.
    public var target: Int64
    /// Upright, in pixels; nil where the source could not be read.
    public var sourceWidth: Int?
    public var sourceHeight: Int?
    public var width: Int?
    public var height: Int?
    /// IJG scale with one decimal; nil where nothing was recompressed.
    public var quality: Double?
    public var action: CompressedPhoto.Action
    /// Why it failed, or why pixels were left alone.
    public var reason: String?

    init(_ job: CompressionPlan.Job, target: Int64, failure: CompressionError) {
        source = job.source
        sourceBytes = job.bytes
        self.target = target
        action = .failed
        reason = failure.reason
    }

    init(_ job: CompressionPlan.Job, target: Int64, photo: CompressedPhoto) {
        source = job.source
        output = job.output
        sourceBytes = job.bytes
        bytes = Int64(photo.bytes.count)
        self.target = target
        sourceWidth = photo.sourceWidth
        sourceHeight = photo.sourceHeight
        width = photo.width
        height = photo.height
        quality = photo.quality
        action = photo.action
        reason = photo.note
    }
}
