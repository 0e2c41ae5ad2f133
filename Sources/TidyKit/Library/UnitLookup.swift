/// Finds the photo unit of files that were named outright. A folder is listed once, however many of its files are asked
/// for.
public struct UnitLookup {
    private let now: WallClock

    public init(now: WallClock) { self.now = now }

    /// The unit that `file` is a part of. Where `main` is another path than `file`, the file is a companion.
    /// Paths of the unit are spelled as `file` is: `./a.jpg` has the companion `./a.mov`.
    public mutating func unit(of file: FilePath) throws(LibraryError) -> PhotoUnit {
        PhotoUnit(main: file)
    }
}
