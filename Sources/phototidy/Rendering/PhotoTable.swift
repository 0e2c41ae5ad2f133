internal import TidyKit

/// Photos as a table on a terminal.
struct PhotoTable {
    private var table: Table
    private let fields: [PhotoField]?

    /// - Parameter fields: nil for the default columns.
    init(fields: [PhotoField]?) {
        self.fields = fields
        table = Table(columns: fields.map { $0.map(Self.column) } ?? Self.standard)
    }

    mutating func append(_ photo: Photo) {
        if let fields {
            table.append(fields.map { Self.display($0, photo) })
        } else {
            table.append([
                Self.display(.taken, photo), photo.isOffline ? "offline" : photo.format?.rawValue ?? "",
                ByteSize.describe(photo.identity.bytes), photo.sizeText ?? "", Self.stars(photo),
                Self.display(.camera, photo), Self.display(.path, photo) + Self.mark(photo),
            ])
        }
    }

    func text(columns: Int?, bold: Bool) -> String {
        let table = fields == nil ? table.dropping(emptyColumns: ["STARS", "CAMERA", "PIXELS"]) : table
        return table.text(columns: columns, bold: bold)
    }

    private static let standard: [Table.Column] = [
        .init(title: "TAKEN"), .init(title: "TYPE"), .init(title: "SIZE", isRightAligned: true),
        .init(title: "PIXELS", isRightAligned: true), .init(title: "STARS"),
        .init(title: "CAMERA", minimum: 8), .init(title: "PATH", minimum: 12, keepsEnd: true),
    ]

    private static func column(_ field: PhotoField) -> Table.Column {
        switch field {
        case .path, .name: .init(title: field.rawValue.uppercased(), minimum: 12, keepsEnd: true)
        case .bytes, .size, .width, .height, .longEdge, .megapixels, .orientation, .rating, .duration, .latitude,
            .longitude:
            .init(title: field.rawValue.uppercased(), isRightAligned: true)
        case .camera, .make, .model, .lens, .companions, .problems:
            .init(title: field.rawValue.uppercased(), minimum: 8)
        default: .init(title: field.rawValue.uppercased())
        }
    }

    private static func display(_ field: PhotoField, _ photo: Photo) -> String {
        switch (field, field.value(of: photo)) {
        case (.size, .integer(let bytes)): ByteSize.describe(bytes)
        case (.taken, _): photo.taken?.localText ?? ""
        case (.modified, .text): WallClock.utc(ns: photo.identity.modifiedNs).localText
        case (.megapixels, .decimal(let number)): String((number * 10).rounded() / 10)
        case (_, .null): ""
        case (_, .text(let text)): TerminalText.escaped(text)
        case (_, .path(let path)): TerminalText.escaped(path)
        case (_, .paths(let paths)): paths.map { TerminalText.escaped($0.lastComponent) }.joined(separator: ", ")
        case (_, .texts(let texts)): texts.map(TerminalText.escaped).joined(separator: "; ")
        case (_, let value): String(decoding: value.cell, as: UTF8.self)
        }
    }

    private static func stars(_ photo: Photo) -> String {
        guard let rating = photo.rating else { return "" }
        return rating < 0 ? "reject" : String(repeating: "*", count: rating)
    }

    private static func mark(_ photo: Photo) -> String {
        photo.companions.isEmpty ? "" : " +\(photo.companions.count)"
    }
}
