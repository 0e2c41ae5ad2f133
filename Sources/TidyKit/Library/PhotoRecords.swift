/// The records of many photos, written on all cores: in a large library they cost as much as finding the photos.
public enum PhotoRecords {
    private static let pieceLength = 256

    /// The records in their order, in pieces of some hundred.
    /// - Parameter commas: as `JSONWriter.records` has them within a piece.
    public static func pieces(_ photos: ArraySlice<Photo>, commas: Bool) -> [JSONWriter] {
        let pieces = stride(from: photos.startIndex, to: photos.endIndex, by: pieceLength).map {
            photos[$0..<min($0 + pieceLength, photos.endIndex)]
        }
        return ParallelMap.map(
            pieces, chunk: 1, worker: {},
            { _, piece in
                var json = JSONWriter()
                json.records(piece, commas: commas)
                return json
            })
    }
}
