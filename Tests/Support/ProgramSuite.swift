internal import TidyKit

/// A suite that runs the built program in a home folder of its own.
public protocol ProgramSuite {
    var program: BuiltProgram { get }
}

extension ProgramSuite {
    public var home: TemporaryFolder { program.home }

    public func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run(arguments.map { FilePath($0) })
    }
}
