internal import CHEIF

/// libheif, opened at the first HEIF file: its codecs would add milliseconds to the start of every command.
enum HEIFLibrary {
    /// Nil where the library is not there or is too old.
    private static let loaded: cheif_functions? = {
        guard let handle = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL) else { return nil }
        var functions = cheif_functions()
        return cheif_find_functions(handle, &functions) == nil ? functions : nil
    }()

    static func functions() throws(CompressionError) -> cheif_functions {
        guard let loaded else { throw .unsupported("HEIC and AVIF need libheif 1.15 or later (Debian: libheif1)") }
        return loaded
    }
}
