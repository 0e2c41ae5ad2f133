import Testing
import TidyKit

@testable import phototidy

/// The table from an error to its words and its exit code, as a table.
@Suite struct ErrorMessageTests {
    @Test func everyErrorHasItsExitCode() {
        let full = POSIXError(code: 28, operation: "write")
        let rows: [(any Error, String?, ExitCode)] = [
            (UsageError("bad", command: "list"), "bad", .usage),
            (CommandError(.refused, "no"), "no", .refused),
            (OutputError.closedPipe, nil, .closedPipe),
            (OutputError.failed(full), "cannot write to standard output: No space left on device", .environment),
            (
                POSIXError(code: 13, operation: "open", path: FilePath("a\n.jpg")), "a\\n.jpg: Permission denied",
                .environment
            ),
            (LibraryError.missing(FilePath("nowhere")), "nowhere: no such file or folder", .environment),
            (LibraryError.interrupted, "interrupted", .interrupted),
            (
                QueryError.invalidValue(option: "size", text: "5XB", expected: "a size"), "--size: '5XB' is not a size",
                .usage
            ),
        ]
        for (error, text, code) in rows {
            let message = ErrorMessage(error, command: "list")
            #expect(message.text == text)
            #expect(message.exitCode == code)
            #expect((message.hint == "Try 'phototidy help list'.") == (code == .usage))
        }
    }

    @Test func anExpressionIsShownWithACaret() {
        let error = QueryError.invalidExpression(expression: "é < nosuch", position: 5, reason: "unknown field")
        #expect(ErrorMessage(error).text == "--where: unknown field\n  é < nosuch\n      ^")
    }
}
