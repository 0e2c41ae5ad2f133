/// A placeholder that iCloud leaves for a file whose content is not here: `.NAME.icloud`.
public enum CloudStub {
    /// `NAME`; nil where `name` is no placeholder.
    public static func originalName(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        let ending = ".icloud".utf8
        guard name.first == UInt8(ascii: "."), name.count > ending.count + 1,
            name.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        return name[1..<(name.count - ending.count)]
    }
}
