internal import TidyKit

/// The environment in which a command runs.
struct CommandContext {
    let environment: Environment
    let now: WallClock
    /// Standard output: results only.
    let output: Output
    /// Standard error: warnings, progress, everything else.
    let diagnostics: Diagnostics

    init(progress: ProgressMode, isQuiet: Bool = false) {
        environment = .current()
        now = .now()
        diagnostics = Diagnostics(progress: progress, isQuiet: isQuiet)
        output = Output(diagnostics: diagnostics)
    }

    var progress: Progress { diagnostics.progress }

    /// Finishes or undoes what killed runs left incomplete, before the next run begins.
    func recover() {
        for note in SidecarRecovery.run(environment) { diagnostics.note(note) }
    }

    /// `delete` and `undo` update the selections. If that failed because the folder belongs to somebody else, this says
    /// so.
    func explainSelections(unless isDone: Bool) {
        let lock = environment.state.appending("selections/.lock")
        guard !isDone, let foreign = ForeignOwner.above(lock, in: environment) else { return }
        diagnostics.warning(foreign.hint)
    }
}
