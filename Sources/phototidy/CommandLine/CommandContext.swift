internal import TidyKit

/// The world as a command sees it.
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
}
