internal import Glibc
internal import TidyKit

@main
enum Main {
    static func main() {
        StandardStreams.prepare()
        Interrupt.catchSignals()
        exit(Program.run(ProcessArguments.afterName()).rawValue)
    }
}
