#if DEBUG
    internal import Glibc
    internal import Synchronization

    /// Debug builds only: makes one system call fail, or the process die in front of it, so that tests can stand at every
    /// step of a move. `PHOTOTIDY_FAULT=kill:N` kills in front of the Nth call that changes something,
    /// `PHOTOTIDY_FAULT=renameat2:N:EXDEV-number` lets the Nth call of that name fail with that `errno`; `N` 0 means each.
    enum Fault {
        private static let plan: (operation: String, number: Int, code: Int32)? = {
            guard let text = Environment.value("PHOTOTIDY_FAULT")?.displayText else { return nil }
            let parts = text.split(separator: ":")
            guard parts.count >= 2, let number = Int(parts[1]) else { return nil }
            return (String(parts[0]), number, parts.count > 2 ? Int32(parts[2]) ?? EIO : EIO)
        }()
        private static let count = Atomic<Int>(0)
        /// Calls that only look: to be killed in front of one leaves the disk as it was after the one before.
        private static let looking: Set<String> = [
            "fstat", "fstatat", "statx", "faccessat", "pread", "read", "realpath", "readdir", "fcntl",
        ]

        /// The `errno` that the call shall fail with; nil where it shall be made.
        static func strike(_ operation: String) -> Int32? {
            guard let plan else { return nil }
            if plan.operation == "kill" {
                guard !looking.contains(operation) else { return nil }
                if count.add(1, ordering: .relaxed).newValue == plan.number { raise(SIGKILL) }
                return nil
            }
            guard plan.operation == operation else { return nil }
            let number = count.add(1, ordering: .relaxed).newValue
            return plan.number == 0 || plan.number == number ? plan.code : nil
        }
    }
#endif
