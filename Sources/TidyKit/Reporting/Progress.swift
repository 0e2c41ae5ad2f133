/// How far a long operation has come. TidyKit reports it; only the program knows whether to show it.
package struct Progress: Sendable {
    /// One message of an operation.
    package struct Event: Sendable {
        /// The activity in words for the user: `scanning`, `trashing`, `compressing`.
        package var activity: String
        package var done: Int
        /// Nil if the total is not known yet.
        package var total: Int?
        /// Bytes moved, or saved.
        package var bytes: Int64
        package var totalBytes: Int64?
        package var batch: Int?
        package var batches: Int?
        /// Whether the index keeps what is done, so that the next run is short; nil for work that no index could save.
        package var isKept: Bool?

        package init(activity: String, done: Int, total: Int? = nil, bytes: Int64 = 0) {
            self.activity = activity
            self.done = done
            self.total = total
            self.bytes = bytes
        }
    }

    package let report: @Sendable (Event) -> Void

    package init(_ report: @escaping @Sendable (Event) -> Void) { self.report = report }
    package static let none = Progress { _ in }
}
