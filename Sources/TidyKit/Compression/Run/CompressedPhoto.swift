/// What came of one source: the bytes of a JPEG, and what was done to get them.
public struct CompressedPhoto: Sendable {
    public var bytes: [UInt8]
    public var action: CompressionItem.Action
    /// Upright, in pixels.
    public var sourceWidth: Int
    public var sourceHeight: Int
    public var width: Int
    public var height: Int
    /// IJG scale; nil where pixels are untouched.
    public var quality: Double?
    /// Why pixels were left alone, what the copy leaves out, and what else the user should know.
    public var notes: [String] = []
    /// In place: the file keeps its name, whatever its format.
    var staysAsItIs = false

    var reason: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }
}
