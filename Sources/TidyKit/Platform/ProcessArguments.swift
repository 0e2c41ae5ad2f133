internal import CPlatform

/// The words that this process was started with, byte for byte. Swift's `CommandLine` reads them from `/proc`, and finds none
/// where that is not mounted.
public enum ProcessArguments {
    /// Behind the program's own name; nil where the C library does not hand them out.
    public static func afterName() -> [[UInt8]]? {
        let count = platform_argument_count()
        guard count > 0 else { return nil }
        return (1..<max(1, count)).compactMap { index in
            platform_argument(index).map { FilePath(cString: $0).bytes }
        }
    }
}
