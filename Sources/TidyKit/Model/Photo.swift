/// One photo of a library: its main file, what that file says of itself, and the files that belong to it.
package struct Photo: Sendable, Equatable {
    /// The operand joined with the relative path.
    package var path: FilePath
    package var format: MediaFormat?
    package var identity: FileIdentity
    /// Upright, after `orientation`; in pixels.
    package var width: Int?
    package var height: Int?
    /// EXIF tag 0x0112; for HEIF what `irot` and `imir` amount to.
    package var orientation: Orientation?
    package var taken: CaptureDate?
    package var make: String?
    package var model: String?
    package var lens: String?
    package var location: Coordinate?
    /// -1 (rejected), 0…5; nil where no rating is written.
    package var rating: Int?
    /// Seconds.
    package var duration: Double?
    /// Live Photo MOV, AAE, XMP, RAW of a pair, Takeout JSON; sorted by bytes.
    package var companions: [FilePath]
    /// Sidecars that other photos have as well; no part of the record.
    package var shared: SharedSidecars?
    /// A placeholder whose content is in the cloud (`.NAME.icloud`): never opened, never deleted.
    package var isOffline: Bool
    package var problems: [Problem]

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
    /// Make and model, each where it is known, joined by a space. Many models name their maker themselves: `Canon EOS 5D` of
    /// Canon, `KODAK DC240 ZOOM` of the EASTMAN KODAK COMPANY.
    package var camera: String? {
        guard let make, let model else { return make ?? model }
        let words = make.lowercased().split(separator: " ")
        let name = model.lowercased()
        if let brand = words.first, name.hasPrefix(brand) { return model }
        return words.contains { $0 == name.prefix { $0 != " " } } ? model : "\(make) \(model)"
    }
}

/// Something a user should know about a file that is listed all the same: "hour 24 in DateTimeOriginal read as 00".
package struct Problem: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// Sidecars that name a stem which several photos have: they belong to none alone, stay while one of the photos stands, and
/// go with the last.
package struct SharedSidecars: Hashable, Sendable {
    package var files: [FilePath]
    /// The main files of all photos that share them.
    package var photos: [FilePath]

    package init(files: [FilePath], photos: [FilePath]) {
        self.files = files
        self.photos = photos
    }
}

/// What belongs to a photo besides its main file.
package struct UnitTraits: Hashable, Sendable {
    package var hasLive = false
    package var hasSidecar = false
    /// Formats of the RAW files of a pair.
    package var rawFormats: [MediaFormat] = []

    /// True for each file of a pair, where the pair is split as well.
    package var hasRaw = false

    package init() {}
}

/// A placeholder that iCloud leaves for a file whose content is not here: `.NAME.icloud`.
package enum CloudStub {
    /// `NAME`; nil where `name` is not a placeholder.
    package static func originalName(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        let ending = ".icloud".utf8
        guard name.first == UInt8(ascii: "."), name.count > ending.count + 1,
            name.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        return name[1..<(name.count - ending.count)]
    }
}
