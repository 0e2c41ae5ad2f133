/// One input of a run and what came of it: an item of the report `phototidy.compress/1`.
public struct CompressionItem: Sendable {
    public enum Action: String, Sendable {
        case recompressed
        /// Pixels untouched, metadata reduced.
        case rewritten
        /// The very bytes of the source.
        case copied
        case failed
    }

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
    public var action: Action
    /// The output was there before, byte for byte, and was left alone.
    public var wasThere = false
    /// Why it failed, or why pixels were left alone.
    public var reason: String?

    public init(source: FilePath, sourceBytes: Int64, target: Int64, action: Action, reason: String? = nil) {
        self.source = source
        self.sourceBytes = sourceBytes
        self.target = target
        self.action = action
        self.reason = reason
    }
}
