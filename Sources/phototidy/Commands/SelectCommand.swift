internal import TidyKit

/// `phototidy select`.
enum SelectCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let store = SelectionStore(context.environment)
        let name = arguments.value(.selectionName) ?? Selection.standardName
        switch arguments.verb?.commandName {
        case "show": return try SelectionListing(arguments: arguments, context: context).show(store.selection(name))
        case "names": return try names(store, context)
        case "clear":
            guard try store.selection(name) != nil else {
                context.diagnostics.note(
                    "There is no selection '\(TerminalText.escaped(name))'; 'phototidy select names' lists them.")
                return .nothing
            }
            try store.change(name) { $0.clear() }
            return .done
        case "remove": return try remove(store, name, arguments, context)
        case let verb: return try change(store, name, verb ?? "", arguments, context)
        }
    }

    private static func named(_ arguments: ParsedArguments, _ context: CommandContext) throws -> [FilePath] {
        if let listed = try PhotoList.read(arguments, context) { return listed.map(\.path) }
        defer { context.diagnostics.clearProgress() }
        return try SelectionMembers.photos(
            named: arguments.operands, now: context.now, environment: context.environment, progress: context.progress)
    }

    private static func change(
        _ store: SelectionStore, _ name: [UInt8], _ verb: String, _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let paths = try named(arguments, context)
        if paths.isEmpty {
            // A failed command in a pipe leaves an empty list, which must not empty the selection.
            context.diagnostics.note(
                verb == "set"
                    ? "Nothing to select: \(TerminalText.escaped(name)) stays as it is; "
                        + "'phototidy select clear' empties a selection."
                    : "Nothing to select.")
            return .nothing
        }
        let change = SelectionStore.Change(rawValue: verb) ?? .add
        let count = try store.apply(change, paths, limit: arguments.integer(.selectionLimit), to: name)
        if context.diagnostics.isTerminal {
            context.diagnostics.note("\(TerminalText.escaped(name)) holds \(count) photo\(count == 1 ? "" : "s").")
        }
        return .done
    }

    private static func remove(
        _ store: SelectionStore, _ name: [UInt8], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExitCode {
        let listed = try PhotoList.read(arguments, context)
        let removed = try store.remove(
            listed?.map(\.path) ?? arguments.operands, takesFolders: listed == nil, from: name)
        if removed == 0 { context.diagnostics.note("\(TerminalText.escaped(name)): none of these is in it.") }
        return removed == 0 ? .nothing : .done
    }

    private static func names(_ store: SelectionStore, _ context: CommandContext) throws -> ExitCode {
        for name in try store.names() {
            try context.output.write(
                context.output.isTerminal || name.contains(UInt8(ascii: "\n"))
                    ? Array((TerminalText.escaped(name) + "\n").utf8) : name + [UInt8(ascii: "\n")])
        }
        return .done
    }
}
