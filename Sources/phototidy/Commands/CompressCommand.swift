internal import TidyKit

/// `phototidy compress`.
enum CompressCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let settings = try CompressionSettings(arguments)
        let output = arguments.path(.output)
        try check(arguments, output, context)
        let streamed = try standardInput(arguments, settings, output)
        var inputs = CompressionInputs()
        if let streamed { inputs.add(streamed) } else { try inputs.add(arguments, context, output: output) }
        for warning in inputs.warnings {
            context.diagnostics.warning(
                "\(TerminalText.escaped(warning.path)): \(TerminalText.escaped(warning.reason))")
        }
        let plan = try plan(inputs, arguments, output, context)
        guard !plan.jobs.isEmpty else {
            if arguments.has(.report) { try CompressionListing(context).write(report: []) }
            context.diagnostics.note(try emptiness(arguments, context))
            return !inputs.warnings.isEmpty ? .partly : arguments.has(.allowEmpty) ? .done : .nothing
        }

        var run = CompressionRun(plan: plan, settings: settings)
        run.streamed = streamed
        let record = CompressionRecord(context.environment, version: Program.version)
        run.record = record
        run.isDryRun = arguments.has(.dryRun)
        run.overwrites = arguments.has(.overwrite)
        run.roots = inputs.roots
        if arguments.has(.inPlace) {
            run.obstacles = InPlaceObstacles(environment: context.environment, roots: inputs.roots)
        }
        if let jobs = arguments.integer(.jobs) { run.jobs = jobs }
        if arguments.has(.inPlace), !run.isDryRun {
            if let refusal = Confirmation.refusal(arguments, context, { question(plan) }) { return refusal }
            context.recover()
            run.inPlace = InPlaceRun(
                root: root(of: plan), environment: context.environment, roots: inputs.roots,
                withoutOrigin: settings.metadata != .all)
        }
        Heap.reserve(heapBytes)
        let outcome = run.run(progress: context.progress)
        let closed = Result { try run.inPlace?.finish() }
        if !run.isDryRun { record.save() }
        context.diagnostics.clearProgress()
        try show(outcome, of: run, inputs, arguments, context)
        // If nothing was replaced, the items already say what failed.
        if outcome.items.contains(where: \.changesSource) { try closed.get() }
        return exitCode(of: outcome, inputs)
    }

    /// Refuses options that contradict each other.
    private static func check(_ arguments: ParsedArguments, _ output: FilePath?, _ context: CommandContext) throws {
        let toStream = output == StreamedPicture.path
        if toStream, arguments.has(.report) {
            throw arguments.usageError("'--output -' writes the picture to standard output; --json cannot go there too")
        }
        if let output, CompressionPlan.Destination.namesAnotherFormat(output) {
            throw arguments.usageError(objection(to: output))
        }
        if toStream, context.output.isTerminal, !arguments.has(.dryRun) {
            throw arguments.usageError("standard output is a terminal: send the picture into a file or a pipe")
        }
        if arguments.has(.inPlace) { try checkInPlace(arguments) }
    }

    /// Important messages come after the rows, of which there may be many. They appear even if the reader of the rows
    /// is gone.
    private static func show(
        _ outcome: CompressionRun.Outcome, of run: CompressionRun, _ inputs: CompressionInputs,
        _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        let listing = CompressionListing(context)
        let shown = Result {
            if arguments.has(.report) {
                try listing.write(report: outcome.items)
            } else if arguments.path(.output) == StreamedPicture.path {
                if let picture = outcome.stream, !run.isDryRun { try context.output.write(picture) }
            } else if run.isDryRun || !arguments.has(.quiet) {
                try listing.write(items: outcome.items)
            }
            try context.output.flush()
        }
        listing.explainFailures(outcome.items)
        if let failure = outcome.journalFailure {
            let error = DeletionError.journal(failure)
            let message = ErrorMessage(error).explainingOwner(of: error, in: context.environment)
            if let text = message.text, let hint = message.hint { context.diagnostics.error(text, hint: hint) }
        }
        listing.summarize(
            outcome.items, notBegun: outcome.notBegun, passedOver: inputs.passedOver, isDryRun: run.isDryRun)
        if let id = run.inPlace?.id, outcome.items.contains(where: { $0.changesSource }) {
            context.diagnostics.note("The originals are in the trash; 'phototidy undo \(id)' brings them back.")
        }
        try shown.get()
    }

    private static func exitCode(of outcome: CompressionRun.Outcome, _ inputs: CompressionInputs) -> ExitCode {
        if outcome.wasInterrupted { return .interrupted }
        // As with delete: no space, or no journal, so that nothing was done.
        if outcome.isFull, outcome.items.allSatisfy({ $0.action == .failed }) { return .environment }
        let isComplete = inputs.warnings.isEmpty && outcome.items.allSatisfy { $0.action != .failed }
        return isComplete ? .done : .partly
    }

    /// The picture on standard input if the operand is `-`; nil if the operands are files.
    private static func standardInput(
        _ arguments: ParsedArguments, _ settings: CompressionSettings, _ output: FilePath?
    ) throws -> StreamedPicture? {
        guard arguments.operands.contains(StreamedPicture.path) else { return nil }
        guard arguments.operands.count == 1 else {
            throw arguments.usageError("'-' (standard input) must be the only input; a file of that name is './-'")
        }
        if arguments.has(.inPlace) {
            throw arguments.usageError("a picture from standard input needs an output: use -o")
        }
        if case .folder(let folder) = CompressionPlan.Destination(output: output) {
            let name = TerminalText.escaped(folder)
            throw arguments.usageError("a picture from standard input has no name: write '-o \(name)/NAME.jpg'")
        }
        do throws(StreamedPicture.Failure) { return try StreamedPicture(limit: settings.decoding.memory) } catch {
            switch error {
            case .interrupted: throw CommandError(.interrupted, "interrupted; nothing was written")
            case .tooLong(let limit):
                throw CommandError(
                    .partly,
                    "standard input is longer than the \(ByteSize.describe(limit)) of memory allowed; "
                        + "nothing was written", hint: "--memory raises it.")
            case .file(let error): throw error
            }
        }
    }

    private static func emptiness(_ arguments: ParsedArguments, _ context: CommandContext) throws -> String {
        if let name = arguments.value(.selectionInput), try SelectionStore(context.environment).selection(name) == nil {
            return "There is no selection '\(TerminalText.escaped(name))'; 'phototidy select names' lists them."
        }
        return "No pictures to compress."
    }

    /// More than a baseline JPEG of 50 megapixels needs.
    private static let heapBytes: Int32 = 64 << 20

    private static func checkInPlace(_ arguments: ParsedArguments) throws {
        guard arguments.has(.maxSize) || arguments.has(.maxEdge) else {
            throw arguments.usageError("'--in-place' requires an explicit --max-size or --max-edge")
        }
        if arguments.has(.suffix) || arguments.has(.overwrite) {
            throw arguments.usageError("'--in-place' keeps the names of photos: no --suffix, no --overwrite")
        }
    }

    private static func plan(
        _ inputs: CompressionInputs, _ arguments: ParsedArguments, _ output: FilePath?, _ context: CommandContext
    ) throws -> CompressionPlan {
        let destination = CompressionPlan.Destination(output: output)
        let suffix = arguments.value(.suffix) ?? []
        if let output, let folder = destination.folder(around: arguments.operands) {
            let (inner, outer) = (TerminalText.escaped(output), TerminalText.escaped(folder))
            context.diagnostics.warning(
                "\(inner) is inside \(outer): later runs on \(outer) will treat the copies as photos; "
                    + "choose a folder outside it")
        }
        guard !suffix.contains(UInt8(ascii: "/")) else {
            throw arguments.usageError("'--suffix' is a part of a name and holds no '/'")
        }
        do throws(CompressionPlan.Refusal) {
            let plan = try CompressionPlan(
                inputs.inputs, to: destination, suffix: suffix, numbers: arguments.has(.numberOutputs))
            if destination != .inPlace { try CompressionInputs.check(plan) }
            return plan
        } catch {
            if case .severalToOne = error {
                let folder = output.map { $0 == FilePath("-") ? "" : "; '-o \(TerminalText.escaped($0))/' is a folder" }
                throw arguments.usageError(error.description + (folder ?? ""))
            }
            throw CommandError(
                .refused, "\(TerminalText.escaped(error.description)); nothing was written",
                hint: Self.hint(error, isInPlace: destination == .inPlace))
        }
    }

    /// Suggests how to give outputs different names.
    private static func hint(_ refusal: CompressionPlan.Refusal, isInPlace: Bool) -> String {
        guard case .clash = refusal else { return "Another output folder, or --suffix, keeps names apart." }
        let numbers = "--rename gives all but the first a number (a-2.jpg)."
        if isInPlace { return numbers }
        return numbers
            + " Or compress them in two runs, each with an output of its own: 'phototidy filter --type png -0' picks one "
            + "kind for 'compress --from - -0'."
    }

    private static func objection(to output: FilePath) -> String {
        let name = TerminalText.escaped(output)
        let stem = TerminalText.escaped(output.bytes.dropLast(output.lowercasedExtension.count))
        return "outputs are JPEG, and '\(name)' is not the name of one: write '-o \(stem)jpg', "
            + "or '-o \(name)/' for a folder"
    }

    private static func question(_ plan: CompressionPlan) -> String {
        let bytes = plan.jobs.totalBytes(\.bytes)
        let count = plan.jobs.count
        var question = "\(count) picture\(count == 1 ? "" : "s") (\(ByteSize.describe(bytes))):\n"
        for job in plan.jobs.prefix(5) { question += "  \(TerminalText.escaped(job.source))\n" }
        if count > 5 { question += "  … and \(count - 5) more\n" }
        return question + "Replace those that do not fit, with the originals in the trash? [y/N] "
    }

    private static func root(of plan: CompressionPlan) -> FilePath {
        DeletionPlan.root(of: plan.jobs.compactMap { try? $0.source.absolute() }) ?? .root
    }
}

extension CompressionItem {
    /// In place: the item has replaced its source.
    fileprivate var changesSource: Bool { action == .recompressed || action == .rewritten }
}
