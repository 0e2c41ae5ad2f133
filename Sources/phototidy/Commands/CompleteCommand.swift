internal import TidyKit

/// `phototidy complete KIND`, hidden: the names that completion scripts offer. Each ends with NUL, so that no shell has
/// to split them.
enum CompleteCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        for name in try names(arguments.operands.first?.displayText ?? "", context) {
            try context.output.write(name + [0])
        }
        return .done
    }

    private static func names(_ kind: String, _ context: CommandContext) throws -> [[UInt8]] {
        guard kind == "runs" else {
            let names = try SelectionStore(context.environment).names()
            return kind == "selections" ? names : names.filter { !$0.contains(UInt8(ascii: "\t")) }
        }
        // Reads only the journals: completion must not wait for trashes on slow disks.
        let journal = Journal(context.environment)
        return try journal.runs().filter { run in
            guard let state = try journal.history(run.id)?.state else { return false }
            return [.done, .interrupted, .partlyUndone].contains(state)
        }
        .map(\.id.bytes)
    }
}
