/// Which XMP properties are no longer true of new pixels.
struct OutdatedXMP {
    let width: Int
    let height: Int
    /// The new pixels are in sRGB.
    let becomesSRGB: Bool

    enum Fate: Equatable {
        case stays
        case goes
        case becomes(String)
    }

    private enum Namespace: CaseIterable {
        case basic, note, dublinCore, tiff, exif, photoshop
        case gainMap, appleGainMap, applePixelData
        case camera, container, depth, picture, audio, dynamicDepth

        /// Its URI or URI prefix, and its usual prefix in packets that have lost the declaration.
        var identity: (uri: String, prefix: String) {
            switch self {
            case .basic: ("http://ns.adobe.com/xap/1.0/", "xmp")
            case .note: ("http://ns.adobe.com/xmp/note/", "xmpNote")
            case .dublinCore: ("http://purl.org/dc/elements/1.1/", "dc")
            case .tiff: ("http://ns.adobe.com/tiff/1.0/", "tiff")
            case .exif: ("http://ns.adobe.com/exif/1.0/", "exif")
            case .photoshop: ("http://ns.adobe.com/photoshop/1.0/", "photoshop")
            case .gainMap: ("http://ns.adobe.com/hdr-gain-map/1.0/", "hdrgm")
            case .appleGainMap: ("http://ns.apple.com/HDRGainMap/1.0/", "HDRGainMap")
            case .applePixelData: ("http://ns.apple.com/pixeldatainfo/1.0/", "apdi")
            case .camera: ("http://ns.google.com/photos/1.0/camera/", "GCamera")
            case .container: ("http://ns.google.com/photos/1.0/container/", "Container")
            case .depth: ("http://ns.google.com/photos/1.0/depthmap/", "GDepth")
            case .picture: ("http://ns.google.com/photos/1.0/image/", "GImage")
            case .audio: ("http://ns.google.com/photos/1.0/audio/", "GAudio")
            case .dynamicDepth: ("http://ns.google.com/photos/dd/1.0/", "Device")
            }
        }
    }

    private var namespaces: [[UInt8]: Namespace] = [:]
    /// What each prefix meant before the innermost declaration.
    private var shadowed: [(prefix: [UInt8], namespace: Namespace?)] = []

    init(width: Int, height: Int, becomesSRGB: Bool = false) {
        self.width = width
        self.height = height
        self.becomesSRGB = becomesSRGB
        for namespace in Namespace.allCases { namespaces[Array(namespace.identity.prefix.utf8)] = namespace }
    }

    /// `xmlns:prefix="uri"`, which applies within its element.
    mutating func declare(_ prefix: ArraySlice<UInt8>, _ uri: ArraySlice<UInt8>) {
        shadowed.append((Array(prefix), namespaces[Array(prefix)]))
        namespaces[Array(prefix)] = Namespace.allCases.first { namespace in
            let known = namespace.identity.uri.utf8
            return namespace == .dynamicDepth ? uri.starts(with: known) : uri.elementsEqual(known)
        }
    }

    /// Declarations in force.
    var declarations: Int { shadowed.count }

    /// Removes the latest ones at the end of their element.
    mutating func forget(downTo count: Int) {
        while shadowed.count > count, let last = shadowed.popLast() { namespaces[last.prefix] = last.namespace }
    }

    /// For a property by its name as written: `tiff:Orientation`.
    func fate(of name: ArraySlice<UInt8>) -> Fate {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")), let namespace = namespaces[Array(name[..<colon])]
        else { return .stays }
        let local = String(decoding: name[(colon + 1)...], as: UTF8.self)
        switch (namespace, local) {
        case (.dublinCore, "format"): return .becomes("image/jpeg")
        case (.tiff, "Orientation"): return .becomes("1")
        case (.tiff, "ImageWidth"), (.exif, "PixelXDimension"): return .becomes("\(width)")
        case (.tiff, "ImageLength"), (.exif, "PixelYDimension"): return .becomes("\(height)")
        case (.exif, "ColorSpace"): return becomesSRGB ? .becomes("1") : .stays
        case (.photoshop, "ICCProfile"): return becomesSRGB ? .goes : .stays
        case (.basic, "Thumbnails"), (.note, "HasExtendedXMP"), (.container, "Directory"): return .goes
        case (.camera, _): return local.hasPrefix("MotionPhoto") || local.hasPrefix("MicroVideo") ? .goes : .stays
        // These describe another picture, or extended XMP.
        case (.gainMap, _), (.appleGainMap, _), (.applePixelData, _), (.depth, _), (.picture, _), (.audio, _),
            (.dynamicDepth, _):
            return .goes
        default: return .stays
        }
    }
}
