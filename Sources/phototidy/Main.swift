internal import Glibc
internal import TidyKit

@main
enum Main {
    static func main() {
        StandardStreams.prepare()
        Interrupt.catchSignals()
        // unsafeArgv, because `CommandLine.arguments` repairs names that are not UTF-8.
        let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { FilePath(cString: $0).bytes }
        }
        exit(Program.run(arguments).rawValue)
    }
}
