/// One input of a run and its result: an item of the report `phototidy.compress/1`.
package struct CompressionItem: Sendable {
    /// What became of an input. The raw values are those of `action` in the report.
    package enum Action: String, CaseIterable, Sendable {
        case recompressed
        /// Pixels untouched, metadata reduced.
        case rewritten
        /// The very bytes of the source.
        case copied
        case failed
    }

    package var source: FilePath
    /// Nil where nothing was written (and none would be, in a dry run), and for standard output.
    package var output: FilePath?
    package var sourceBytes: Int64
    package var bytes: Int64?
    /// The bytes that were allowed; `noTarget` where any number was.
    package var target: Int64
    /// Upright, in pixels; nil where the source could not be read.
    package var sourceWidth: Int?
    package var sourceHeight: Int?
    package var width: Int?
    package var height: Int?
    /// IJG scale with one decimal; nil where nothing was recompressed.
    package var quality: Double?
    package var action: Action
    /// The output was there before, byte for byte, and was left alone.
    package var wasThere = false
    /// Why it failed, why pixels were left alone, and what the copy lacks.
    package var reason: String?

    /// `--max-size none`.
    package static let noTarget = Int64.max

    package init(source: FilePath, sourceBytes: Int64, target: Int64, action: Action, reason: String? = nil) {
        self.source = source
        self.sourceBytes = sourceBytes
        self.target = target
        self.action = action
        self.reason = reason
    }

    /// Appends another reason.
    mutating func add(reason other: String) { reason = reason.map { "\($0); \(other)" } ?? other }
}

/// What the items of a run add up to. Bytes of outputs are those of what did not fail.
package struct CompressionTotals: Sendable, Equatable {
    package private(set) var pictures = 0
    package private(set) var sourceBytes: Int64 = 0
    package private(set) var bytes: Int64 = 0
    private var counts: [CompressionItem.Action: Int] = [:]

    package init(_ items: [CompressionItem]) {
        pictures = items.count
        for item in items {
            counts[item.action, default: 0] += 1
            sourceBytes = sourceBytes.addingClamped(item.sourceBytes)
            bytes = bytes.addingClamped(item.bytes ?? 0)
        }
    }

    /// The number of items with this action.
    package func count(_ action: CompressionItem.Action) -> Int { counts[action] ?? 0 }
}
