/// Why an entry of a folder is passed over.
public enum IgnoreRule: String, CaseIterable, Sendable {
    case hidden
    /// `@eaDir`, `#recycle`: what a NAS keeps for itself.
    case nasFolder = "NAS folder"
    case thumbnails
    case trash
    /// `._NAME`: resource forks of macOS.
    case resourceFork = "resource fork"
    /// `.phototidy-*`: a file that this program is writing.
    case temporary
    /// The output folder of this very run.
    case output
    case symbolicLink = "symbolic link"
    /// Sockets, pipes, devices.
    case special = "special file"
    /// A folder that was entered already, by another path.
    case enteredBefore = "entered before"
    case noMedia = "no media"
}
