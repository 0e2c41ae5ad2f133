/// How far long work has come. TidyKit calls it now and then; only the program knows whether to show it.
public struct Progress: Sendable {
    public struct Event: Sendable {
        /// What goes on, for people: `scanning`, `trashing`, `compressing`.
        public var activity: String
        public var done: Int
        /// Nil while nobody knows.
        public var total: Int?
        /// Bytes moved, or saved.
        public var bytes: Int64
        public var totalBytes: Int64?
        public var batch: Int?
        public var batches: Int?

        public init(
            activity: String, done: Int, total: Int? = nil, bytes: Int64 = 0, totalBytes: Int64? = nil,
            batch: Int? = nil, batches: Int? = nil
        ) {
            self.activity = activity
            self.done = done
            self.total = total
            self.bytes = bytes
            self.totalBytes = totalBytes
            self.batch = batch
            self.batches = batches
        }
    }

    public let report: @Sendable (Event) -> Void

    public init(_ report: @escaping @Sendable (Event) -> Void) { self.report = report }
    public static let none = Progress { _ in }
}
