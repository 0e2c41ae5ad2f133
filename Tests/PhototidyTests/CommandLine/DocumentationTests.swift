import Support
import Testing
import TidyKit

@testable import phototidy

/// What the documents tell people to type must at least be understood.
@Suite struct DocumentationTests {
    private static let package = FilePath(#filePath).directory.directory.directory.directory

    private static let documents =
        names(in: package) + names(in: package.appending("Docs")).map { "Docs/" + $0 }

    private static func names(in folder: FilePath) -> [String] {
        TemporaryFolder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasSuffix(".md") }
    }

    @Test func thereAreDocuments() { #expect(Self.documents.contains("Docs/Cookbook.md")) }

    @Test(arguments: documents)
    func everyCommandLineParses(_ document: String) throws {
        let file = Self.package.appending(document)
        let text = String(decoding: try FileSystem.contents(of: file), as: UTF8.self)
        for command in Self.commands(in: text) {
            let words = ShellWords.split(command)
            guard let name = words.dropFirst().first, !name.hasPrefix("-") else { continue }
            guard let spec = CommandSpec.named(name) else {
                Issue.record("\(document): no command '\(name)' in: \(command)")
                continue
            }
            #expect(throws: Never.self, "\(document): \(command)") {
                try ArgumentParser.parse(words.dropFirst(2).map { Array($0.utf8) }, for: spec)
            }
        }
    }

    /// The command lines of the code blocks that begin with the program's name, pipelines taken apart.
    private static func commands(in text: String) -> [String] {
        var commands: [String] = []
        var isFenced = false
        var pending = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isFenced.toggle() }
            guard isFenced || line.hasPrefix("    ") else { continue }
            let whole = pending + line
            pending = ""
            if whole.hasSuffix("\\") {
                pending = whole.dropLast() + " "
                continue
            }
            commands += ShellWords.commands(String(whole)).filter { $0.hasPrefix("\(Program.name) ") }
        }
        return commands
    }
}
