internal import TidyKit

/// `phototidy compress`.
enum CompressCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let settings = try CompressionSettings(arguments)
        let output = arguments.path(.output)
        let toStream = output == FilePath("-")
        if toStream, arguments.has(.report) {
            throw arguments.usageError("'--output -' writes the picture to standard output; --json cannot go there too")
        }
        if arguments.has(.inPlace) { try checkInPlace(arguments) }

        let inputs = try CompressionInputs(arguments, context, output: output)
        for warning in inputs.warnings {
            context.diagnostics.warning("\(TerminalText.escaped(warning.path)): \(warning.reason)")
        }
        let plan = try plan(inputs, arguments, output)
        guard !plan.jobs.isEmpty else {
            if arguments.has(.report) { try CompressionListing(context).write(report: []) }
            context.diagnostics.note("No pictures to compress.")
            return !inputs.warnings.isEmpty ? .partly : arguments.has(.allowEmpty) ? .done : .nothing
        }

        var run = CompressionRun(plan: plan, settings: settings)
        run.isDryRun = arguments.has(.dryRun)
        run.overwrites = arguments.has(.overwrite)
        if let jobs = arguments.integer(.jobs) { run.jobs = jobs }
        let outcome = run.run(progress: context.progress)
        context.diagnostics.clearProgress()

        let listing = CompressionListing(context)
        listing.explainFailures(outcome.items)
        if arguments.has(.report) {
            try listing.write(report: outcome.items)
        } else if toStream {
            if let picture = outcome.stream, !run.isDryRun { try context.output.write(picture) }
        } else {
            try listing.write(items: outcome.items)
        }
        listing.summarize(outcome.items, passedOver: inputs.passedOver, isDryRun: run.isDryRun)
        if outcome.wasInterrupted { return .interrupted }
        let isComplete = inputs.warnings.isEmpty && outcome.items.allSatisfy { $0.action != .failed }
        return isComplete ? .done : .partly
    }

    private static func checkInPlace(_ arguments: ParsedArguments) throws {
        guard arguments.has(.maxSize) || arguments.has(.maxEdge) else {
            throw arguments.usageError("'--in-place' needs --max-size or --max-edge said outright")
        }
        if arguments.has(.suffix) || arguments.has(.overwrite) {
            throw arguments.usageError("'--in-place' keeps the names of photos: no --suffix, no --overwrite")
        }
        guard arguments.has(.dryRun) else {
            throw CommandError(
                .refused, "replacing photos in place is not there yet; nothing was changed",
                hint: "Use --output DIR, or --dry-run to see what would be saved.")
        }
    }

    private static func plan(
        _ inputs: CompressionInputs, _ arguments: ParsedArguments, _ output: FilePath?
    ) throws -> CompressionPlan {
        let destination = CompressionPlan.Destination(output: output, for: inputs.inputs, of: arguments.operands)
        do throws(CompressionPlan.Refusal) {
            let plan = try CompressionPlan(inputs.inputs, to: destination, suffix: arguments.value(.suffix) ?? [])
            if destination != .inPlace { try CompressionInputs.check(plan) }
            return plan
        } catch {
            if case .severalToOne = error { throw arguments.usageError(error.description) }
            throw CommandError(
                .refused, "\(TerminalText.escaped(error.description)); nothing was written",
                hint: "Other output folders, or --suffix, keep names apart.")
        }
    }
}
