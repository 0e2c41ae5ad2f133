internal import TidyKit

/// `phototidy select show`: the members in their order. Those that have vanished or changed are marked.
struct SelectionListing {
    let arguments: ParsedArguments
    let context: CommandContext

    func show(_ selection: Selection?) throws -> ExitCode {
        let request = try OutputRequest(arguments, standard: .paths, isTerminal: context.output.isTerminal)
        guard let selection, !selection.members.isEmpty else {
            // A mistyped name must not replace an existing contact sheet with an empty one.
            if selection != nil || request.file == nil { _ = try PhotoWriter.write([], request, context) }
            try context.output.flush()
            context.diagnostics.note(
                selection.map { "The selection '\(TerminalText.escaped($0.name))' is empty (0 photos)." }
                    ?? "There is no such selection; 'phototidy select names' lists them.")
            return .nothing
        }
        let states = selection.members.map { SelectionMembers.state(of: $0) }
        let photos = try photos(selection.members, states, request)
        let code = try PhotoWriter.write(photos, request, context)
        try context.output.flush()
        for (member, state) in zip(selection.members, states) {
            if let mark = Self.mark(state) {
                context.diagnostics.warning("\(TerminalText.escaped(member.path)): \(mark)")
            }
        }
        return code
    }

    private static func mark(_ state: SelectionMembers.State) -> String? {
        switch state {
        case .same: nil
        case .vanished: "vanished since it was selected"
        case .changed(let difference): "changed since it was selected: \(difference)"
        }
    }

    /// In the order of the selection, including members that have vanished or are not media.
    private func photos(
        _ members: [Selection.Member], _ states: [SelectionMembers.State], _ request: OutputRequest
    ) throws -> [Photo] {
        var found: [FilePath: Photo] = [:]
        let present = zip(members, states).filter { $0.1 != .vanished }.map(\.0.path)
        if request.detail != .file, !present.isEmpty {
            var query = LibraryQuery(operands: present, order: SortOrder(.none), now: context.now)
            query.includeHidden = true
            query.detail = request.detail
            for photo in try PhotoLibrary.photos(query, environment: context.environment).photos {
                found[photo.path] = photo
            }
        }
        return zip(members, states).map { member, state in
            var photo = found[member.path] ?? Photo(path: member.path, identity: member.identity)
            if let mark = Self.mark(state) { photo.problems.append(Problem(mark)) }
            return photo
        }
    }
}
