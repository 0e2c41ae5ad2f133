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

    /// A promise whose test has been renamed or taken out is a promise no more.
    @Test func everyTestNamedInSafetyExists() throws {
        let text = String(
            decoding: try FileSystem.contents(of: Self.package.appending("Docs/Safety.md")), as: UTF8.self)
        let sources = try Self.sources(in: Self.package.appending("Tests"))
        var (suite, count) = ("", 0)
        // The column after the promises; every second part is between backquotes.
        for line in text.split(separator: "\n") where line.hasPrefix("|") {
            let column = line.split(separator: "|").dropFirst().first ?? ""
            for (index, part) in column.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            where index % 2 == 1 {
                let words = part.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                if words[0].hasSuffix("Tests") { suite = words[0] }
                guard words[0].hasSuffix("Tests") || part.hasPrefix("."), let source = sources[suite] else {
                    if words[0].hasSuffix("Tests") { Issue.record("there is no \(part)") }
                    continue
                }
                guard words.count == 2 else { continue }
                count += 1
                #expect(source.contains("func \(words[1])("), "\(suite) has no \(words[1])")
            }
        }
        #expect(count > 40)
    }

    /// A file that is renamed must be renamed in the documents too.
    @Test(arguments: documents)
    func everySourceFileExists(_ document: String) throws {
        let text = String(decoding: try FileSystem.contents(of: Self.package.appending(document)), as: UTF8.self)
        let names = try Self.names(below: Self.package.appending("Sources"))
            .union(Self.names(below: Self.package.appending("Tests"))).union(["Package.swift"])
        for word in Self.words(in: text) where word.hasSuffix(".swift") || word.hasSuffix(".c") {
            let name = word.split(separator: "/").last.map(String.init) ?? word
            #expect(names.contains(name), "\(document): there is no \(word)")
        }
    }

    /// `Scan/IgnoreRule` is a file of a room, `Deletion/Plan` a folder.
    @Test func everyPlaceInArchitectureExists() throws {
        let kit = Self.package.appending("Sources/TidyKit")
        let rooms = Set(TemporaryFolder.names(in: kit).map { String(decoding: $0, as: UTF8.self) })
        let text = String(
            decoding: try FileSystem.contents(of: Self.package.appending("Docs/Architecture.md")), as: UTF8.self)
        var count = 0
        for word in Self.words(in: text) {
            guard word.contains("/"), let room = word.split(separator: "/").first.map(String.init) else { continue }
            let folder = room == "phototidy" ? Self.package.appending("Sources") : kit
            guard room == "phototidy" || rooms.contains(room), word != "phototidy/" else { continue }
            count += 1
            let place = folder.appending(word)
            #expect(place.exists || FilePath(place.bytes + ".swift".utf8).exists, "there is no \(word)")
        }
        #expect(count > 20)
    }

    private static func words(in text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "/+_.-".contains($0))) }
            .map { word in
                String(word.reversed().drop { ".-".contains($0) }.reversed())
            }
    }

    private static func names(below folder: FilePath) throws -> Set<String> {
        try TemporaryFolder.names(in: folder).reduce(into: []) { names, name in
            let path = folder.appending(name)
            if try FileStatus.of(path).kind == .directory {
                names.formUnion(try Self.names(below: path))
            } else {
                names.insert(String(decoding: name, as: UTF8.self))
            }
        }
    }

    /// The texts of all suites, by their names: `UndoTests+Killed.swift` extends `UndoTests`.
    private static func sources(in folder: FilePath) throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in TemporaryFolder.names(in: folder) {
            let path = folder.appending(name)
            let text = String(decoding: name, as: UTF8.self)
            if try FileStatus.of(path).kind == .directory {
                texts.merge(try sources(in: path), uniquingKeysWith: +)
            } else if text.hasSuffix(".swift"), let suite = text.dropLast(6).split(separator: "+").first,
                suite.hasSuffix("Tests")
            {
                texts[String(suite), default: ""] += String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
            }
        }
        return texts
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
