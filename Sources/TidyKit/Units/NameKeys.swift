/// The stems under which the files of a folder meet, and the few names that stand for another stem.
enum NameKeys {
    /// The name up to its last dot; a dot in first place starts no extension.
    static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name[...] }
        return name[..<dot]
    }

    /// The key of a stem: itself, save where Pixel phones write two stems for one shot.
    static func key(ofStem stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> { pixelShot(stem) ?? stem }

    /// `PXL_1.RAW-01.COVER` and `PXL_1.RAW-02.ORIGINAL` meet as `PXL_1.RAW/`, which no name can be.
    private static func pixelShot(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // Nearly all names end here.
        guard stem.last == UInt8(ascii: "R") || stem.last == UInt8(ascii: "L") else { return nil }
        guard var rest = without(".COVER", stem) ?? without(".ORIGINAL", stem) else { return nil }
        rest = without(".MP", rest) ?? rest
        guard rest.count > 7, rest.suffix(2).allSatisfy(\.isASCIIDigit), let shot = without("-", rest.dropLast(2)),
            without(".RAW", shot) != nil
        else { return nil }
        return Array(shot)[...] + [UInt8(ascii: "/")]
    }

    private static func without(_ ending: String, _ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        name.count > ending.utf8.count && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
            ? name.dropLast(ending.utf8.count) : nil
    }

    /// True for a name whose key depends on what else is there.
    static func isConditional(_ name: [UInt8]) -> Bool {
        let ending = MediaName.Ending(name)
        return ending == MediaName.Ending("mp") || ending == MediaName.Ending("lrv")
    }

    /// The keys that a file may have, the one that it has by itself last: `PXL_1.MP` belongs to `PXL_1.MP.jpg`, GoPro's
    /// `GL010001.LRV` to the film `GH010001` or `GX010001`.
    static func keys(ofName name: [UInt8]) -> [ArraySlice<UInt8>] {
        let stem = stem(name)
        let own = key(ofStem: stem)
        guard isConditional(name) else { return [own] }
        if MediaName.Ending(name) == MediaName.Ending("mp") { return [name[...], own] }
        guard stem.count == 8, stem.starts(with: "GL".utf8), stem.suffix(6).allSatisfy(\.isASCIIDigit) else {
            return [own]
        }
        return ["GH", "GX"].map { Array($0.utf8) + stem.suffix(6) } + [own]
    }
}

/// Files of one folder that share a stem, and the sidecars that are about them. What of it is one photo shows only when
/// the contents are known.
package struct NameGroup: Sendable, Equatable {
    /// Indices into the names that were grouped; at least one. Not sidecars.
    package var files: [Int]
    package var sidecars: [Sidecar] = []

    package struct Sidecar: Sendable, Equatable {
        /// Index into the names that were grouped.
        package let index: Int
        /// The file that it names; nil where it names the stem alone, and thereby any of the files.
        package let target: Int?
        package let kind: SidecarKind
        /// Which of several stems it stands beside, where groups have been joined.
        package var stem = 0
        /// True for the JSON of the original, which an edited copy reads and which moves with the original.
        package var isBorrowed = false

        package init(index: Int, target: Int?, kind: SidecarKind, stem: Int = 0, isBorrowed: Bool = false) {
            self.index = index
            self.target = target
            self.kind = kind
            self.stem = stem
            self.isBorrowed = isBorrowed
        }
    }
}

/// The files of one photo: they are listed as one row, and moved together or not at all.
package struct PhotoUnit: Hashable, Sendable {
    /// The file that the row is about: the JPEG or HEIC of a pair, the still of a Live Photo.
    package var main: FilePath
    /// Live Photo MOV, AAE, XMP, RAW of a pair, Takeout JSON; sorted by bytes.
    package var companions: [FilePath]
    /// Nil where no sidecar is another photo's too.
    package var shared: SharedSidecars?

    package init(main: FilePath, companions: [FilePath] = [], shared: SharedSidecars? = nil) {
        self.main = main
        self.companions = companions
        self.shared = shared
    }
}
