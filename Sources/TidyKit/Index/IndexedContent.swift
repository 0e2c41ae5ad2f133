/// What is known of the content of a file, by its identity. Nothing in here may depend on a name: an inode can have
/// several, and a rename keeps it.
public enum IndexedContent: Sendable, Equatable {
    case noMedia
    /// Nobody needed more than the format.
    case format(MediaFormat)
    case metadata(MediaMetadata)

    /// Nil where the file is no media.
    public var format: MediaFormat? {
        switch self {
        case .noMedia: nil
        case .format(let format): format
        case .metadata(let metadata): metadata.format
        }
    }
}
