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

    /// What the user named. An operand that is a folder stands for the photos in it, in the order of `list`.
    private static func named(_ arguments: ParsedArguments, _ context: CommandContext) throws -> [FilePath] {
        if let listed = try PhotoList.read(arguments, context) { return listed.map(\.path) }
        return try arguments.operands.flatMap { operand in
            guard (try? FileStatus.of(operand, followLinks: true))?.kind == .directory else { return [operand] }
            let query = LibraryQuery(operands: [operand], order: SortOrder(.taken, reversed: true), now: context.now)
            let found = try PhotoLibrary.photos(query, environment: context.environment, progress: context.progress)
            context.diagnostics.clearProgress()
            // A part of a folder would be taken for the whole.
            if let warning = found.warnings.first {
                throw CommandError(
                    .environment, "\(TerminalText.escaped(warning.description)); nothing was selected",
                    hint: "Name the photos, or the folders that can be read.")
            }
            return found.photos.map(\.path)
        }
    }

    private static func change(
        _ store: SelectionStore, _ name: [UInt8], _ verb: String, _ arguments: ParsedArguments,
        _ context: CommandContext
    ) throws -> ExitCode {
        let paths = try named(arguments, context)
        if paths.isEmpty {
            // An empty list is what a command that failed leaves behind it in a pipe: it empties nothing.
            context.diagnostics.note(
                verb == "set"
                    ? "Nothing to select: \(TerminalText.escaped(name)) stays as it is; "
                        + "'phototidy select clear' empties a selection."
                    : "Nothing to select.")
            return .nothing
        }
        let limit = arguments.integer(.selectionLimit)
        var count = 0
        try store.change(name) { (selection) throws(SelectionError) in
            var new = selection
            // What leaves needs not exist any more.
            var (leaving, coming) = (Set<FilePath>(), paths)
            if verb == "toggle" { (leaving, coming) = try SelectionMembers.parted(paths, by: new) }
            let members = try SelectionMembers.members(coming)
            if verb == "set" { new.clear() }
            new.remove(leaving)
            if let limit { try new.setLimit(limit) }
            try new.add(members)
            selection = new
            count = new.members.count
        }
        if context.diagnostics.isTerminal {
            context.diagnostics.note("\(TerminalText.escaped(name)) holds \(count) photo\(count == 1 ? "" : "s").")
        }
        return .done
    }

    private static func remove(
        _ store: SelectionStore, _ name: [UInt8], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExitCode {
        // What leaves needs not exist any more, so a folder is a beginning of paths here.
        let paths = try (try PhotoList.read(arguments, context)?.map(\.path) ?? arguments.operands).map {
            try SelectionMembers.path($0)
        }
        let reachesBelow = !arguments.has(.from)
        var removed = 0
        try store.change(name) { selection in
            let members = selection.members.map(\.path)
            var leaving = Set(paths)
            let folders = reachesBelow ? leaving.subtracting(members) : []
            if !folders.isEmpty {
                leaving.formUnion(members.filter { member in folders.contains { member.isSameOrBelow($0) } })
            }
            removed = selection.remove(leaving)
        }
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
