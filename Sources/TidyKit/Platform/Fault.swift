#if DEBUG
    internal import CPlatform
    internal import Glibc
    internal import Synchronization

    /// Debug builds only: makes a system call fail, or kills the process before one, so that tests can stop at every
    /// step of a move.
    ///
    /// `PHOTOTIDY_FAULT=kill:N` kills before the Nth call that changes something; `PHOTOTIDY_FAULT=renameat2:N:CODE`
    /// makes the Nth call of that name fail with that `errno` number; an `N` of 0 means every call. `save:N` and
    /// `exchange:N` do what another program might do before the Nth call of any kind: rename
    /// `PHOTOTIDY_FAULT_FROM` over `PHOTOTIDY_FAULT_TO`, or exchange both names. An `N` of 0 exchanges them before
    /// each call. `kill:N:CALL` and `save:N:CALL` count the calls of that name only. Commas separate several faults.
    enum Fault {
        private final class Plan: Sendable {
            let operation: String
            let number: Int
            let code: Int32
            /// The only call that is counted; nil for all.
            let call: String?
            let count = Atomic<Int>(0)

            init?(_ text: Substring) {
                let parts = text.split(separator: ":")
                guard parts.count >= 2, let number = Int(parts[1]) else { return nil }
                operation = String(parts[0])
                self.number = number
                code = parts.count > 2 ? Int32(parts[2]) ?? EIO : EIO
                call = parts.count > 2 && Int32(parts[2]) == nil ? String(parts[2]) : nil
            }

            /// Counts the call; true if it is the one that the plan names.
            func isDue(_ operation: String) -> Bool {
                if let call, call != operation { return false }
                let turn = count.add(1, ordering: .relaxed).newValue
                return number == 0 || number == turn
            }
        }

        private static let plans: [Plan] =
            Environment.value("PHOTOTIDY_FAULT")?.displayText.split(separator: ",").compactMap(Plan.init) ?? []
        /// Calls that change nothing. A kill before one of them leaves the same disk as a kill before the next call.
        private static let readOnly: Set<String> = [
            "fstat", "fstatat", "statx", "faccessat", "pread", "read", "realpath", "readdir", "fcntl", "openat2",
        ]

        private static let names = (
            from: Environment.value("PHOTOTIDY_FAULT_FROM"), to: Environment.value("PHOTOTIDY_FAULT_TO")
        )

        private static func rename(isExchange: Bool) {
            guard let from = names.from, let to = names.to else { return }
            from.withCString { from in
                to.withCString { to in
                    _ = isExchange ? platform_rename_exchange(AT_FDCWD, from, AT_FDCWD, to) : Glibc.rename(from, to)
                }
            }
        }

        /// The `errno` to fail with; nil to make the call.
        static func code(for operation: String) -> Int32? {
            for plan in plans {
                switch plan.operation {
                case "kill":
                    if !readOnly.contains(operation), plan.isDue(operation) { raise(SIGKILL) }
                case "save": if plan.isDue(operation) { rename(isExchange: false) }
                case "exchange": if plan.isDue(operation) { rename(isExchange: true) }
                case operation: if plan.isDue(operation) { return plan.code }
                default: continue
                }
            }
            return nil
        }
    }
#endif
