internal import TidyKit

/// `phototidy delete`.
enum DeleteCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let request = try DeleteRequest(arguments, context)
        if !arguments.has(.dryRun) { context.recover() }
        let prepared = try request.prepare()
        let presentation = DeletionPresentation(arguments: arguments, context: context, prepared: prepared)
        if Interrupt.isRequested { return .interrupted }
        if let path = arguments.path(.savePlan) { try PlanFile.save(prepared.plan, to: path) }
        if arguments.has(.dryRun) {
            let forecast = try DeletionRun.rehearse(prepared.plan, environment: context.environment)
            return try presentation.show(forecast.plan, isDryRun: true, stopped: forecast.stopped)
        }
        guard prepared.plan.items.contains(where: { $0.status == .ready }) else {
            return try presentation.show(prepared.plan, isDryRun: false)
        }
        if let refusal = presentation.ask() { return refusal }
        let result = try DeletionRun.execute(
            prepared.plan, environment: context.environment, progress: context.progress)
        return try presentation.show(result)
    }
}
