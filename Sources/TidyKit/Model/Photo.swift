/// One photo of a library: its main file, the metadata of that file, and the files that belong to it.
package struct Photo: Sendable, Equatable {
    /// The operand joined with the path below it.
    package var path: FilePath
    package var format: MediaFormat?
    package var identity: FileIdentity
    /// In pixels, after `orientation` is applied.
    package var width: Int?
    package var height: Int?
    /// EXIF tag 0x0112; for HEIF, the equivalent of `irot` and `imir`.
    package var orientation: Orientation?
    package var taken: CaptureDate?
    package var make: String?
    package var model: String?
    package var lens: String?
    package var location: Coordinate?
    /// -1 (rejected) or 0…5; nil without a rating.
    package var rating: Int?
    /// In seconds.
    package var duration: Double?
    /// Live Photo MOV, AAE, XMP, RAW of a pair, Takeout JSON; sorted by bytes.
    package var companions: [FilePath]
    /// Sidecars that belong to other photos as well; not part of the record.
    package var shared: SharedSidecars?
    /// A placeholder for content in the cloud (`.NAME.icloud`): never opened, never deleted.
    package var isOffline: Bool
    package var problems: [Problem]
    /// The group that a search found it in; nil where it is in none, or nobody asked.
    package var group: GroupMembership?

    package init(path: FilePath, identity: FileIdentity, format: MediaFormat? = nil) {
        self.path = path
        self.identity = identity
        self.format = format
        companions = []
        isOffline = false
        problems = []
    }

    package var kind: MediaKind? { format?.kind }
    package var isFavorite: Bool { rating == 5 }
    package var pixels: Int? {
        guard let width, let height else { return nil }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : pixels
    }
    package var longEdge: Int? {
        guard let width, let height else { return nil }
        return max(width, height)
    }
    /// Make and model, joined by a space. The make is omitted if the model already begins with it: `Canon EOS 5D`, or
    /// `KODAK DC240 ZOOM` of EASTMAN KODAK COMPANY.
    package var camera: String? {
        guard let make, let model else { return make ?? model }
        let words = make.lowercased().split(separator: " ")
        let name = model.lowercased()
        if let brand = words.first, name.hasPrefix(brand) { return model }
        return words.contains { $0 == name.prefix { $0 != " " } } ? model : "\(make) \(model)"
    }
}

/// A defect that does not keep a file from being listed, but that the user should know: "hour 24 in DateTimeOriginal
/// read as 00".
package struct Problem: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// Sidecars named after a stem that several photos share. They stay while one of these photos remains, and go with the
/// last.
package struct SharedSidecars: Hashable, Sendable {
    package var files: [FilePath]
    /// The main files of all photos that share them.
    package var photos: [FilePath]

    package init(files: [FilePath], photos: [FilePath]) {
        self.files = files
        self.photos = photos
    }
}

extension Photo {
    /// `4032×3024`; nil if the size of the picture is not known.
    package var sizeText: String? {
        guard let width, let height else { return nil }
        return "\(width)×\(height)"
    }
}

/// What kinds of files belong to a photo besides its main file.
package struct UnitTraits: Hashable, Sendable {
    package var hasLive = false
    package var hasSidecar = false
    /// The formats of its RAW companions.
    package var rawFormats: [MediaFormat] = []

    /// True for each file of a RAW pair, even if `--no-units` splits the pair.
    package var hasRaw = false

    package init() {}
}

/// A placeholder that iCloud leaves for a file whose content is not on this disk: `.NAME.icloud`.
package enum CloudStub {
    /// `NAME`; nil if `name` is not that of a placeholder.
    package static func originalName(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        let ending = ".icloud".utf8
        guard name.first == UInt8(ascii: "."), name.count > ending.count + 1,
            name.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        return name[1..<(name.count - ending.count)]
    }
}
