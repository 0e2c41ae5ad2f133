internal import TidyKit

/// The command line of `delete`, and the plan that results from it.
struct DeleteRequest {
    private let arguments: ParsedArguments
    private let context: CommandContext
    private var input: DeletionInput

    /// A plan, and the messages that go with it.
    struct Prepared {
        var plan: DeletionPlan
        /// Messages about trashes that cannot be used.
        var notes: [String] = []
        /// Parts of the library that could not be read.
        var warnings: [LibraryWarning] = []
        /// How many files were not compared, and why; nil if all were.
        var notCompared: String?
    }

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        self.arguments = arguments
        self.context = context
        var options = DeletionOptions()
        options.mode = arguments.has(.permanent) ? .erase : .trash
        options.batchSize = arguments.integer(.batchSize) ?? options.batchSize
        options.companions = arguments.text(.companions).flatMap(DeletionOptions.Companions.init) ?? .unit
        options.verification = arguments.text(.verify).flatMap(DeletionPlan.Verification.init) ?? .stat
        options.protected = arguments.values(.protect).map { FilePath($0) }
        options.maxFiles = arguments.integer(.maxFiles)
        options.maxBytes = arguments.byteSize(.maxBytes)
        options.copiesToHomeTrash = arguments.has(.copyToHomeTrash)
        input = DeletionInput(options: options, now: context.now)
        input.damageDetector = .decoders(now: context.now)
        input.includeHidden = arguments.has(.hidden)
        // The index is also a file of the user, and reading it would change its access time.
        input.useIndex = !arguments.has(.noIndex) && !arguments.has(.dryRun)
        input.splitsUnits = arguments.has(.noUnits)
        input.takesAll = arguments.has(.all)
        input.allowsIncomplete = arguments.has(.allowIncomplete)
        input.trustsModified = arguments.has(.trustModified)
        input.predicates = try arguments.predicates(now: context.now)
        input.grouping = try arguments.groupRequest(context)
        try checkCombinations()
    }

    private func checkCombinations() throws(UsageError) {
        if arguments.operands.isEmpty, let predicate = input.predicates.first {
            throw arguments.usageError(
                "\(predicate.text) chooses from PATH...; a list, a selection or a plan is taken as it is")
        }
        if arguments.path(.savePlan) == FilePath("-") {
            throw arguments.usageError(
                "--save-plan needs a file name, not '-' (--json prints the report; ./- is a file of that name)")
        }
        if arguments.has(.noUnits), arguments.has(.companions), let value = arguments.text(.companions), value != "only"
        {
            throw arguments.usageError(
                "--companions \(value) cannot go with --no-units, which leaves all companions where they are")
        }
        guard arguments.has(.plan) else { return }
        for option in [OptionSpec.permanent, .batchSize, .companions, .noUnits, .verify, .copyToHomeTrash, .savePlan]
        where arguments.has(option) {
            throw arguments.usageError("--\(option.name) cannot go with --plan: a plan is run exactly as it was saved")
        }
    }

    func prepare() throws -> Prepared {
        let timeNs = SystemClock.nowNs()
        if let path = arguments.path(.plan) {
            let saved = try PlanFile.load(path)
            let history = try Journal(context.environment).history(saved.id)
            var planner = try DeletionPlanner(input.options, environment: context.environment)
            let plan = try planner.renew(saved, history: history)
            return Prepared(plan: plan, notes: planner.notes)
        }
        let candidates = try candidates()
        arguments.warn(ofUnmatched: candidates.unmatchedPreferences, context.diagnostics)
        var planner = try DeletionPlanner(
            input.options, environment: context.environment, roots: input.roots)
        let plan = try planner.plan(candidates.photos, id: RunID(ns: timeNs), timeNs: timeNs)
        return Prepared(
            plan: plan, notes: planner.notes, warnings: candidates.warnings,
            notCompared: PhotoListing.notCompared(candidates.notCompared))
    }

    private func candidates() throws -> DeletionInput.Candidates {
        if let name = arguments.value(.selectionInput) {
            let selection = try SelectionStore(context.environment).selection(name)
            let listed = (selection?.members ?? []).map { ListedPhoto(path: $0.path, identity: $0.identity) }
            return DeletionInput.Candidates(photos: try input.candidates(listed: listed))
        }
        if let listed = try PhotoList.read(arguments, context) {
            var input = input
            if listed.contains(where: { $0.group != nil }) { input.grouping.selected = try context.selectedPhotos() }
            return DeletionInput.Candidates(
                photos: try input.candidates(listed: listed, environment: context.environment))
        }
        return try input.candidates(
            operands: arguments.operands, environment: context.environment, progress: context.progress)
    }
}
