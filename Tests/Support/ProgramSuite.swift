internal import TidyKit

/// A suite that runs the built program in a home folder of its own.
package protocol ProgramSuite {
    var program: BuiltProgram { get }
}

extension ProgramSuite {
    package var home: TemporaryFolder { program.home }

    package func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run(arguments.map { FilePath($0) })
    }
}
