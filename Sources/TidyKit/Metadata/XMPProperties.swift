internal import Glibc

/// Collects the properties of interest while expat parses a packet: those of the outermost `rdf:Description`s, as
/// attributes or elements (XMP specification part 1, section 7). Nested descriptions are about other pictures.
final class XMPProperties {
    private enum Namespace {
        case xmp, exif, photoshop, microsoft, rdf, tiff, dublinCore

        init?(uri: UnsafePointer<CChar>) {
            // Compared by prefix, because writers disagree about the slash at the end.
            func begins(_ text: StaticString) -> Bool {
                strncmp(
                    uri, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), text.utf8CodeUnitCount)
                    == 0
            }
            if begins("http://ns.adobe.com/xap/1.0") {
                // http://ns.adobe.com/xap/1.0/mm/ and similar are other namespaces.
                guard strlen(uri) <= 28 else { return nil }
                self = .xmp
            } else if begins("http://ns.adobe.com/exif/1.0") {
                guard strlen(uri) <= 29 else { return nil }
                self = .exif
            } else if begins("http://ns.adobe.com/photoshop/1.0") {
                self = .photoshop
            } else if begins("http://ns.microsoft.com/photo/1.0") {
                self = .microsoft
            } else if begins("http://www.w3.org/1999/02/22-rdf-syntax-ns") {
                self = .rdf
            } else if begins("http://ns.adobe.com/tiff/1.0") {
                self = .tiff
            } else if begins("http://purl.org/dc/elements/1.1") {
                self = .dublinCore
            } else {
                return nil
            }
        }
    }

    private enum Property: Int, CaseIterable {
        case rating, ratingPercent, original, created, digitized, exifDigitized, latitude, longitude, orientation
        case creator, rights, placeStatus, make, model

        /// In bytes; longer than any value of interest.
        var maximumValueBytes: Int { self == .creator || self == .rights ? 4096 : 64 }
    }

    /// The declarations in scope, each with the depth of its element.
    private var prefixes: [(name: [CChar], namespace: Namespace?, depth: Int)] = []
    private var values: [[UInt8]?] = Array(repeating: nil, count: Property.allCases.count)
    private var depth = 0
    private var rdfDepth: Int?
    private var property: Property?
    private var text: [UInt8] = []
    private var items: [UInt8] = []
    private(set) var isComplete = false
    /// The calling parser, so that a callback can stop it.
    var parser: OpaquePointer?

    static func from(_ pointer: UnsafeMutableRawPointer?) -> XMPProperties? {
        pointer.map { Unmanaged<XMPProperties>.fromOpaque($0).takeUnretainedValue() }
    }

    func reset() {
        prefixes.removeAll(keepingCapacity: true)
        for index in values.indices { values[index] = nil }
        depth = 0
        rdfDepth = nil
        property = nil
        isComplete = false
    }

    func open(_ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        depth += 1
        eachAttribute(attributes) { name, value in
            guard strncmp(name, "xmlns:", 6) == 0 else { return }
            let prefix = Array(UnsafeBufferPointer(start: name + 6, count: strlen(name + 6)))
            if prefixes.count < 256 { prefixes.append((prefix, Namespace(uri: value), depth)) }
        }
        guard let rdfDepth else {
            if isRDF(name) { self.rdfDepth = depth }
            return
        }
        switch depth - rdfDepth {
        case 1:
            eachAttribute(attributes) { name, value in
                guard let property = property(named: name) else { return }
                store(property, UnsafeRawBufferPointer(start: value, count: strlen(value)))
            }
        case 2:
            property = property(named: name)
            text.removeAll(keepingCapacity: true)
            items.removeAll(keepingCapacity: true)
        default: break
        }
    }

    func append(_ characters: ByteView) {
        guard let property, text.count < property.maximumValueBytes else { return }
        text.append(contentsOf: characters.prefix(property.maximumValueBytes - text.count).buffer)
    }

    func close() {
        while let last = prefixes.last, last.depth >= depth { prefixes.removeLast() }
        if let rdfDepth {
            // The items of a list are two elements deeper.
            if depth == rdfDepth + 4, property == .creator || property == .rights { closeItem() }
            if depth == rdfDepth { isComplete = true }
            if depth == rdfDepth + 2, let property {
                if !items.isEmpty { text = items }
                text.withUnsafeBytes { store(property, $0) }
                self.property = nil
            }
        }
        depth -= 1
    }

    /// Of rights in several languages, the first counts, which is the default. Several creators are several people.
    private func closeItem() {
        let item = text.withUnsafeBytes { Array(ByteView($0).trimmed.buffer) }
        text.removeAll(keepingCapacity: true)
        if items.isEmpty {
            items = item
        } else if property == .creator, !item.isEmpty, items.count + item.count < Property.creator.maximumValueBytes {
            items += [UInt8(ascii: ";"), 0x20] + item
        }
    }

    private func store(_ property: Property, _ value: UnsafeRawBufferPointer) {
        if values[property.rawValue] == nil {
            values[property.rawValue] = Array(value.prefix(property.maximumValueBytes))
        }
    }

    private func eachAttribute(
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
        _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
    ) {
        guard var next = attributes else { return }
        while let name = next[0], let value = next[1] {
            body(name, value)
            next += 2
        }
    }

    private func isRDF(_ name: UnsafePointer<CChar>) -> Bool {
        guard let (namespace, local) = resolve(name) else { return false }
        return namespace == .rdf && strcmp(local, "RDF") == 0
    }

    private func property(named name: UnsafePointer<CChar>) -> Property? {
        guard let (namespace, local) = resolve(name) else { return nil }
        switch namespace {
        case .xmp:
            if strcmp(local, "Rating") == 0 { return .rating }
            if strcmp(local, "CreateDate") == 0 { return .digitized }
        case .exif:
            if strcmp(local, "DateTimeOriginal") == 0 { return .original }
            if strcmp(local, "DateTimeDigitized") == 0 { return .exifDigitized }
            if strcmp(local, "GPSLatitude") == 0 { return .latitude }
            if strcmp(local, "GPSLongitude") == 0 { return .longitude }
            if strcmp(local, "GPSStatus") == 0 { return .placeStatus }
        case .photoshop: if strcmp(local, "DateCreated") == 0 { return .created }
        case .microsoft: if strcmp(local, "Rating") == 0 { return .ratingPercent }
        case .tiff:
            if strcmp(local, "Orientation") == 0 { return .orientation }
            if strcmp(local, "Make") == 0 { return .make }
            if strcmp(local, "Model") == 0 { return .model }
        case .dublinCore:
            if strcmp(local, "creator") == 0 { return .creator }
            if strcmp(local, "rights") == 0 { return .rights }
        case .rdf: break
        }
        return nil
    }

    private func resolve(_ name: UnsafePointer<CChar>) -> (Namespace, UnsafePointer<CChar>)? {
        guard let colon = strchr(name, Int32(UInt8(ascii: ":"))) else { return nil }
        let length = UnsafePointer(colon) - name
        let local = UnsafePointer(colon) + 1
        for (prefix, namespace, _) in prefixes.reversed()
        where prefix.count == length && memcmp(prefix, name, length) == 0 { return namespace.map { ($0, local) } }
        // Some editors lose the declaration but keep the conventional prefix.
        func isPrefix(_ text: String) -> Bool { text.utf8.count == length && strncmp(text, name, length) == 0 }
        if isPrefix("xmp") || isPrefix("xap") { return (.xmp, local) }
        if isPrefix("exif") { return (.exif, local) }
        if isPrefix("photoshop") { return (.photoshop, local) }
        if isPrefix("MicrosoftPhoto") { return (.microsoft, local) }
        if isPrefix("rdf") { return (.rdf, local) }
        if isPrefix("tiff") { return (.tiff, local) }
        if isPrefix("dc") { return (.dublinCore, local) }
        return nil
    }

    func metadata(now: WallClock) -> XMPMetadata {
        var metadata = XMPMetadata()
        // The standard allows fractions of a star; only whole stars count, for example for a favourite.
        metadata.rating = number(.rating).flatMap { (-1...5).contains($0) ? Int($0) : nil }
        metadata.ratingPercent = number(.ratingPercent).flatMap { (0...100).contains($0) ? Int($0) : nil }
        for property in [Property.original, .created, .digitized, .exifDigitized] where metadata.captureDate == nil {
            view(property) { text in
                guard let date = DateText(iso: text), date.isPlausible(now: now) else { return }
                metadata.captureDate = date.captureDate(.xmp)
                if date.hasHour24 { metadata.problems.append(.hour24(in: XMPMetadata.dateName)) }
            }
        }
        var isVoid = false
        view(.placeStatus) { isVoid = ($0[0] ?? 0) & 0xDF == UInt8(ascii: "V") }
        if !isVoid, let latitude = place(.latitude), let longitude = place(.longitude) {
            metadata.location = .recorded(latitude: latitude, longitude: longitude)
        }
        view(.make) { metadata.make = $0.text }
        view(.model) { metadata.model = $0.text }
        view(.orientation) { text in metadata.orientation = text.digits(0, text.count).flatMap(Orientation.init) }
        view(.creator) { metadata.artist = $0.isEmpty ? nil : $0.text }
        view(.rights) { metadata.copyright = $0.isEmpty ? nil : $0.text }
        return metadata
    }

    private func view(_ property: Property, _ body: (ByteView) -> Void) {
        values[property.rawValue]?.withUnsafeBytes { body(ByteView($0).trimmed) }
    }

    private func number(_ property: Property) -> Double? {
        values[property.rawValue].flatMap { bytes in bytes.withUnsafeBytes { ByteView($0).text.flatMap(Double.init) } }
    }

    /// `48,8.5N` and `48,8,30N` of the XMP specification, and the plain `48.14` or `-48.14` of some writers. Nil for
    /// anything else, including fractions.
    private func place(_ property: Property) -> Double? {
        var degrees: Double?
        view(property) { text in
            var digits = text
            var isNegative = false
            if let last = text[text.count - 1], "NESWnesw".utf8.contains(last) {
                isNegative = "SWsw".utf8.contains(last)
                digits = text.prefix(text.count - 1).trimmed
            }
            if let first = digits[0], first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
                isNegative = isNegative != (first == UInt8(ascii: "-"))
                digits = digits.from(1)
            }
            let parts = digits.buffer.split { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: ".") }
            guard (1...3).contains(parts.count), digits.firstIndex(of: UInt8(ascii: "/")) == nil else { return }
            var sum = 0.0
            for (part, unit) in zip(parts, [1.0, 60, 3600]) {
                guard let number = Double(String(decoding: part, as: UTF8.self)) else { return }
                sum += number / unit
            }
            degrees = isNegative ? -sum : sum
        }
        return degrees
    }
}
