internal import TidyKit

/// A page of thumbnails for the browser: one file without scripts, which loads nothing but the photos.
struct ContactSheet {
    let photos: [Photo]
    /// The folder of the page. Links are relative to it, so that page and photos can be moved together.
    let folder: FilePath
    /// True if photos of a group follow each other, and get a heading.
    var showsGroups = false

    /// Identifies a contact sheet; only a file with this line is ever replaced.
    private static let mark = "<!DOCTYPE html><!-- phototidy contact sheet -->\n"

    /// Writes the page. An existing file is replaced only if it is a contact sheet.
    func save(to file: FilePath) throws {
        let page = try Array(html().utf8)
        do {
            try AtomicFile.write(page, to: file, replacing: Self.isContactSheet(file))
        } catch {
            guard error.isOccupied else { throw error }
            throw CommandError(
                .refused, "\(TerminalText.escaped(file)) exists already and is not a contact sheet",
                hint: "Name another file, or remove this one first.")
        }
    }

    private static func isContactSheet(_ file: FilePath) -> Bool {
        // A link is never replaced, and a pipe or device never read.
        guard (try? FileStatus.of(file))?.kind == .regular, let content = try? FileSystem.contents(of: file) else {
            return false
        }
        return content.starts(with: mark.utf8)
    }

    func html() throws(POSIXError) -> String {
        let base = try folder.resolved()
        var resolved: [FilePath: FilePath] = [:]
        var page = Self.mark + Self.head
        page += "<h1>\(photos.count) photo\(photos.count == 1 ? "" : "s")</h1>\n<main>\n"
        var group = 0
        for photo in photos {
            if showsGroups, let own = photo.group, own.id != group {
                group = own.id
                page += Self.heading(own)
            }
            let directory = photo.path.directory
            if resolved[directory] == nil { resolved[directory] = try directory.resolved() }
            let place = resolved[directory] ?? directory
            page += figure(photo, link: Self.link(to: place.appending(photo.path.lastComponent), from: base))
        }
        return page + "</main>\n</html>\n"
    }

    private func figure(_ photo: Photo, link: String) -> String {
        let name = Self.escaped(TerminalText.escaped(photo.path.lastComponent))
        var details: [String] = []
        if let group = photo.group { details.append(Self.role(group, isKept: group.keep == photo.path)) }
        if let date = photo.taken { details.append(date.localText) }
        if let width = photo.width, let height = photo.height { details.append("\(width) × \(height)") }
        details.append(ByteSize.describe(photo.identity.bytes))
        if let camera = photo.camera { details.append(TerminalText.escaped(camera)) }
        if let rating = photo.rating, rating > 0 { details.append(String(repeating: "★", count: rating)) }
        return """
            <figure\(photo.group?.role == .keep ? " class=\"stays\"" : "")><a href="\(link)">\(Self.picture(photo, link: link, name: name))</a>
            <figcaption title="\(Self.escaped(TerminalText.escaped(photo.path)))">\(name)
            <small>\(Self.escaped(details.joined(separator: " · ")))</small></figcaption></figure>

            """
    }

    private static func heading(_ group: GroupMembership) -> String {
        let stays = group.staysWhole ? "all stay" : TerminalText.escaped(group.keep.lastComponent) + " stays"
        return "<h2>\(group.id). \(escaped(stays)): \(escaped(TerminalText.escaped(group.reason)))</h2>\n"
    }

    private static func role(_ group: GroupMembership, isKept: Bool) -> String {
        if group.role == .keep { return "stays" }
        let distance = group.kind == .similar ? group.distance.map { ", \($0) of 256 bits apart" } : nil
        return "could go" + (distance ?? "")
    }

    private static func picture(_ photo: Photo, link: String, name: String) -> String {
        switch photo.isOffline ? nil : photo.format {
        case .jpeg, .png, .webp, .gif, .avif, .bmp:
            "<img src=\"\(link)\" alt=\"\(name)\" loading=\"lazy\" decoding=\"async\"\(size(photo))>"
        case .mov, .mp4: "<video src=\"\(link)\" preload=\"metadata\" muted></video>"
        // Formats that no browser displays.
        default: "<b>\(photo.isOffline ? "offline" : photo.format?.rawValue ?? "")</b>"
        }
    }

    /// Keeps the layout of a page with thousands of pictures stable while they load.
    private static func size(_ photo: Photo) -> String {
        guard let width = photo.width, let height = photo.height else { return "" }
        return " width=\"\(width)\" height=\"\(height)\""
    }

    /// The percent-encoded relative path from the folder `base` to `path`; both are absolute and resolved.
    static func link(to path: FilePath, from base: FilePath) -> String {
        let slash = UInt8(ascii: "/")
        let target = path.bytes.split(separator: slash)
        let start = base.bytes.split(separator: slash)
        var common = 0
        while common < start.count, common < target.count - 1, start[common] == target[common] { common += 1 }
        let parts = repeatElement("..", count: start.count - common) + target[common...].map { encoded($0) }
        return parts.joined(separator: "/")
    }

    /// Encodes all but RFC 3986's unreserved characters as `%XX`, so that a name cannot become a scheme or markup.
    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                text += "%" + (hex.utf8.count == 1 ? "0" : "") + hex
            }
        }
        return text
    }

    /// By scalars, because a quote with a combining mark is a different `Character` but still a quote in HTML.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static let head = """
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>Contact sheet</title>
        <style>
        body { margin: 1rem; font: 14px system-ui, sans-serif; background: #fff; color: #222 }
        main { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 1rem }
        h2 { grid-column: 1 / -1; margin: 1rem 0 0; font-size: 1rem; overflow-wrap: anywhere }
        figure { margin: 0 }
        .stays a { outline: 3px solid #2a2 }
        a { display: flex; height: 180px; background: #eee; align-items: center; justify-content: center }
        img, video { width: auto; height: auto; max-width: 100%; max-height: 180px; image-orientation: from-image }
        b { color: #888; text-transform: uppercase }
        figcaption { overflow: hidden; text-overflow: ellipsis; overflow-wrap: anywhere }
        small { display: block; color: #666 }
        @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd } a { background: #222 } }
        </style>

        """
}
