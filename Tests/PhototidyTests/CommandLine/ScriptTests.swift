import Support
import Testing
import TidyKit

/// The scripts, with a fake compiler.
@Suite struct ScriptTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let package = FilePath(#filePath).directory.directory.directory.directory
        for name in ["Scripts/setup", "Scripts/run"] {
            try program.home.write("package/" + name, try FileSystem.contents(of: package.appending(name)))
        }
        try program.home.write("package/Package.swift", "// needs nothing\n")
        try tool("dpkg-query", "echo installed")
        // The last build is there, and answers.
        try program.home.write("package/.build/release/phototidy", "#!/bin/sh\necho it ran\n")
        _ = try program.runShell("/bin/sh", "chmod +x package/.build/release/phototidy")
    }

    private func tool(_ name: String, _ script: String) throws {
        try program.home.write("bin/" + name, "#!/bin/sh\n\(script)\n")
        _ = try program.runShell("/bin/sh", "chmod +x bin/\(name)")
    }

    private func runScript(building build: String) throws -> BuiltProgram.Result {
        try tool("swift", "case $1 in --version) echo 'Swift version 6.3 (swift-6.3)' ;; *) \(build) ;; esac")
        return try program.runShell("/bin/sh", "PATH=$PWD/bin:$PATH; sh package/Scripts/run list")
    }

    @Test func whatIsBuiltRuns() throws {
        let result = try runScript(building: "echo 'Build of product complete!'")
        #expect(result.exitCode == 0 && result.text == "it ran\n", "\(result.errorText)")
        #expect(result.errors.isEmpty)
        // Whatever words a compiler closes with.
        #expect(try runScript(building: "echo 'Fertig.'").exitCode == 0)
    }

    @Test func aCompilerThatDoesNotStartIsNotCalledOld() throws {
        try tool("swift", "echo 'swift: libncurses.so.6: cannot open shared object file' >&2; exit 127")
        let result = try program.runShell("/bin/sh", "PATH=$PWD/bin:$PATH; sh package/Scripts/run list")
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("does not run") && result.errorText.contains("libncurses.so.6"))
        #expect(!result.errorText.contains("needs Swift"))
    }

    /// The exit code says whether a build failed, not the last line; then no older program runs in its place.
    @Test(arguments: ["echo 'Build complete!'; exit 1", "echo 'error: no such module'; exit 1", "kill -9 $$"])
    func aBuildThatFailsRunsNothing(_ build: String) throws {
        let result = try runScript(building: build)
        #expect(result.exitCode == 5)
        #expect(result.text.isEmpty)
        #expect(result.errorText.contains("The build failed"), "\(result.errorText)")
        if build.contains("module") { #expect(result.errorText.contains("no such module")) }
    }
}
