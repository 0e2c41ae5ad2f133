/// Tells the format of a file by its first bytes.
public enum ContentType {
    /// As many bytes as a decision can need.
    public static let headLength = 4096

    /// Nil for what is no photo and no video. `head` is the beginning of the file, `headLength` bytes or the whole.
    public static func format(of head: UnsafeRawBufferPointer) -> MediaFormat? { format(of: ByteView(head)) }

    static func format(of head: ByteView) -> MediaFormat? {
        if head[0] == 0xFF, head[1] == 0xD8, head[2] == 0xFF { return .jpeg }
        return nil
    }
}
