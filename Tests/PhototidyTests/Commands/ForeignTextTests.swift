import Support
import Testing
import TidyKit

/// What files, names, selections and trashes of others say never reaches the terminal as anything but text.
@Suite(.enabled(if: PseudoTerminal.isAvailable, "no terminal can be had here"))
struct ForeignTextTests: ProgramSuite {
    let program: BuiltProgram
    /// The title of the window by ESC, a colour by the C1 control, a bell, and a line that runs backwards.
    private static let evil = "\u{1B}]0;gone\u{7}\u{9B}31m\u{202E}x"

    init() throws {
        program = try BuiltProgram()
        var exif = ExifFixture()
        exif.camera(make: Self.evil, model: Self.evil)
        exif.taken("2024:05:01 12:00:00")
        let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(Self.evil)"
        let picture = JPEGFixture(picture: DrawnPicture(width: 64, height: 48).jpeg()).with(exif).with(xmp: packet)
        try program.home.write("in/\(Self.evil).jpg", picture.bytes)
        try program.home.write("in/\(Self.evil).xmp", packet)
        try program.home.write("in/broken \(Self.evil).jpg", Array(picture.bytes.prefix(picture.bytes.count - 60)))
        let words = ["select", "add", "--selection=" + Self.evil, "in/\(Self.evil).jpg"]
        #expect(try program.run(words.map { FilePath($0) }).exitCode == 0)
    }

    private func expectPlain(_ arguments: [String], question: String? = nil, answer: String = "") throws {
        let (_, screen) = try program.runAtTerminal(
            arguments, question: question, answer: answer, environment: ["NO_COLOR": "1"])
        var controls: Set<Unicode.Scalar> = ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"]
        // JSON carries text as it is; only what a terminal obeys is written by its number.
        if arguments.contains(where: { $0.hasSuffix("json") }) { controls.remove("\u{202E}") }
        // What the progress line is cleared with is ours.
        let own = screen.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false).joined()
        #expect(!own.unicodeScalars.contains { controls.contains($0) }, "\(arguments): \(own.debugDescription)")
    }

    @Test(arguments: [
        ["list", "in"], ["list", "in", "--csv"], ["list", "in", "--tsv"], ["list", "in", "--json"],
        ["list", "in", "--ndjson"], ["list", "in", "--fields", "path,make,model,camera,companions,problems"],
        ["list", "in", "--html", "-"], ["filter", "in", "--camera", "gone"], ["filter", "in", "--type", "photo"],
        ["list", "in", "--stats"], ["list", "in/\(evil).jpg"], ["list", "in", "--explain", "in/\(evil).jpg"],
        ["list", "in/\(evil)"], ["list", "in", "--no-such\(evil)"], ["list", "in", "--where", "make == \"\(evil)"],
        ["select", "names"], ["select", "show", "--selection", evil], ["select", "show", "--selection", evil + "y"],
        ["compress", "in", "-o", "out"], ["compress", "in", "-o", "out", "-n"], ["delete", "in", "--all", "-n"],
        ["compress", "in", "-o", "out", "--json"], ["delete", "in", "--all", "-n", "--json"],
        ["delete", "in/\(evil)", "--yes"], ["undo", evil], [evil],
    ])
    func whatIsListedOrReportedIsText(arguments: [String]) throws { try expectPlain(arguments) }

    @Test func questionsAndTrashesAreText() throws {
        try expectPlain(["delete", "in", "--all"], question: "[y/N]", answer: "n")
        try expectPlain(["delete", "in", "--all"], question: "[y/N]", answer: "y")
        try home.write(
            ".local/share/Trash/info/x.trashinfo",
            "[Trash Info]\nPath=/\(Self.evil)\nDeletionDate=\(Self.evil)\nX-Phototidy-Run=\(Self.evil)\n")
        try home.write(".local/share/Trash/files/x", "")
        try expectPlain(["undo", "--list"])
        try home.write("in/\(Self.evil).jpg", "a newcomer")
        try expectPlain(["undo", "-n"])
        try expectPlain(["undo"])
    }
}
