/// The keys by which the files of a folder are grouped: their stems, and a few names that map to another stem.
enum NameKeys {
    /// The name up to its last dot. A dot in the first position does not start an extension.
    static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name[...] }
        return name[..<dot]
    }

    /// The key of a stem: the stem itself, except that Pixel phones write two stems for one shot.
    static func key(ofStem stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> { pixelShot(stem) ?? stem }

    /// `PXL_1.RAW-01.COVER` and `PXL_1.RAW-02.ORIGINAL` have the key `PXL_1.RAW/`, which cannot be a file name.
    private static func pixelShot(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // A quick check that excludes nearly all names.
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

    /// True for a name whose key depends on other files in the folder.
    static func isConditional(_ name: [UInt8]) -> Bool {
        let ending = MediaName.Ending(name)
        return ending == MediaName.Ending("mp") || ending == MediaName.Ending("lrv")
    }

    /// The possible keys of a file; its own stem comes last. `PXL_1.MP` belongs to `PXL_1.MP.jpg`, and GoPro's
    /// `GL010001.LRV` to the video `GH010001` or `GX010001`.
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
