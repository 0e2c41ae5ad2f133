internal import CHEIF
internal import CHEVC
internal import Glibc

/// libheif, opened when the first HEIF file comes: it brings codecs along that would slow the start of every command.
struct HEIFLibrary {
    let functions: cheif_functions

    private static let opened: Result<HEIFLibrary, PictureError> = open("libheif.so.1")

    static func shared() throws(PictureError) -> HEIFLibrary { try opened.get() }

    /// - Parameter name: as for `dlopen`.
    static func open(_ name: String) -> Result<HEIFLibrary, PictureError> {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            return .failure(.unsupported("HEIC and AVIF need \(name), which the package libheif1 brings"))
        }
        var functions = cheif_functions()
        if let missing = cheif_find_functions(handle, &functions) {
            dlclose(handle)
            return .failure(.unsupported("\(name) lacks \(String(cString: missing)): libheif 1.15 or later is needed"))
        }
        // Without it HEVC is decoded all the same, and damage is told less often.
        if let plugin = chevc_plugin(handle) { _ = functions.heif_register_decoder_plugin(plugin) }
        return .success(HEIFLibrary(functions: functions))
    }

    func check(_ error: heif_error) throws(PictureError) {
        if error.code == heif_error_Ok { return }
        let text = error.message.map { String(cString: $0) } ?? ""
        switch error.code {
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype: throw .unsupported("libheif: \(text)")
        case heif_error_Memory_allocation_error: throw .unsupported("libheif: \(text)")
        case heif_error_Decoder_plugin_error: throw .damaged(text.isEmpty ? "the coded picture" : text)
        default: throw .unsupported("cannot be read: libheif: \(text)")
        }
    }
}
