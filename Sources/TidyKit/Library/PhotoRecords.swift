/// The records of many photos, written on all cores: in a large library they cost as much as finding the photos.
public enum PhotoRecords {
    private static let pieceLength = 256

    /// The records in their order, in pieces of some hundred.
    /// - Parameter commas: between the records of a piece stands a comma before the newline, as in an array. Before the
    ///   first and behind the last record of a piece stands nothing.
    public static func pieces(_ photos: ArraySlice<Photo>, commas: Bool) -> [JSONWriter] {
        let ranges = stride(from: photos.startIndex, to: photos.endIndex, by: pieceLength).map {
            $0..<min($0 + pieceLength, photos.endIndex)
        }
        return ParallelMap.map(
            ranges, chunk: 1, worker: {},
            { _, range in
                var json = JSONWriter()
                json.reserve(range.count * 640)
                for index in range {
                    if index > range.lowerBound { json.newline(afterComma: commas) }
                    json.record(photos[index])
                }
                return json
            })
    }
}
