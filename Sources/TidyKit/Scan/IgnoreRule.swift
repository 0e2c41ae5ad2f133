/// Why an entry of a folder is skipped.
package enum IgnoreRule: String, CaseIterable, Sendable {
    case hidden
    /// `@eaDir`, `#recycle`: the private folders of a NAS.
    case nasFolder = "NAS folder"
    case thumbnails
    case trash
    /// `._NAME`: resource forks of macOS.
    case resourceFork = "resource fork"
    /// `.phototidy-*`: written or set aside by this program.
    case temporary
    /// The output folder of this run.
    case output
    case symbolicLink = "symbolic link"
    /// Sockets, pipes, devices.
    case special = "special file"
    /// A folder that was already entered by another path.
    case enteredBefore = "entered before"
    case noMedia = "no media"

    /// The rule that applies to the name alone. `.hidden` comes last, because `--hidden` lifts only that rule.
    package static func rule(forName name: some Collection<UInt8>) -> IgnoreRule? {
        guard let first = name.first else { return nil }
        if first == UInt8(ascii: "@") { return name.elementsEqual("@eaDir".utf8) ? .nasFolder : nil }
        if first == UInt8(ascii: "#") { return name.elementsEqual("#recycle".utf8) ? .nasFolder : nil }
        guard first == UInt8(ascii: ".") else { return nil }
        if name.starts(with: "._".utf8) { return .resourceFork }
        if name.elementsEqual(".thumbnails".utf8) { return .thumbnails }
        if name.starts(with: ".Trash".utf8) { return .trash }
        if name.starts(with: AtomicFile.temporaryPrefix.utf8) { return .temporary }
        return .hidden
    }
}
