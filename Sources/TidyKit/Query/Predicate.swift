/// One condition on a photo, as an option of the command line states it.
public struct Predicate: Sendable {
    /// The option without its dashes: `taken`.
    public let option: String
    /// The value as the user wrote it; nil for `--screenshot` and the like.
    public let value: [UInt8]?

    /// - Parameter option: without its dashes.
    /// - Parameter now: in UTC; ages are counted back from here.
    public init(option: String, value: [UInt8]?, now: WallClock) throws(QueryError) {
        self.option = option
        self.value = value
    }
}
