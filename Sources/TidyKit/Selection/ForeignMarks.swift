/// What other systems put around the lines of a list. Names are bytes, so nothing is stripped; but a name that is there only
/// without them was written by such a system.
public struct ForeignMarks: Equatable, Sendable {
    /// As the list has it.
    public let path: FilePath
    public let hasByteOrderMark: Bool
    public let hasCarriageReturn: Bool

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first of `photos` that is not there as it is written, and is there without its marks; nil where there is none.
    /// - Parameter isThere: whether a path names something; asked only of names that have marks.
    public static func first(
        in photos: [ListedPhoto], isThere: (FilePath) -> Bool = { (try? FileStatus.of($0)) != nil }
    ) -> ForeignMarks? {
        for (index, photo) in photos.enumerated() {
            var bytes = photo.path.bytes[...]
            let hasByteOrderMark = index == 0 && bytes.starts(with: byteOrderMark)
            if hasByteOrderMark { bytes = bytes.dropFirst(byteOrderMark.count) }
            let hasCarriageReturn = bytes.last == 0x0D
            if hasCarriageReturn { bytes = bytes.dropLast() }
            guard hasByteOrderMark || hasCarriageReturn, !bytes.isEmpty, !isThere(photo.path),
                isThere(FilePath(bytes))
            else { continue }
            return ForeignMarks(
                path: photo.path, hasByteOrderMark: hasByteOrderMark, hasCarriageReturn: hasCarriageReturn)
        }
        return nil
    }
}
