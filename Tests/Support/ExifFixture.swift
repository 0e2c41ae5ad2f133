internal import CExif
internal import Glibc

/// An EXIF block written tag by tag with libexif, in Intel order.
package struct ExifFixture: Sendable {
    /// The folders of EXIF 2.32, section 4.6.
    package enum IFD: Sendable {
        case image, thumbnail, exif, gps, interoperability

        var rawValue: ExifIfd {
            switch self {
            case .image: EXIF_IFD_0
            case .thumbnail: EXIF_IFD_1
            case .exif: EXIF_IFD_EXIF
            case .gps: EXIF_IFD_GPS
            case .interoperability: EXIF_IFD_INTEROPERABILITY
            }
        }
    }

    /// The types of TIFF 6.0, section 2.
    package enum Value: Sendable {
        case ascii(String)
        case bytes([UInt8])
        case short([UInt16])
        case long([UInt32])
        case signedLong([Int32])
        case rational([(UInt32, UInt32)])
        case signedRational([(Int32, Int32)])
        case undefined([UInt8])
    }

    private var entries: [(IFD, UInt16, Value)] = []

    package init() {}

    package mutating func set(_ ifd: IFD, _ tag: UInt16, _ value: Value) { entries.append((ifd, tag, value)) }

    /// DateTimeOriginal (0x9003), with OffsetTimeOriginal (0x9011) and SubSecTimeOriginal (0x9291) where they are given.
    package mutating func taken(_ date: String, offset: String? = nil, subseconds: String? = nil) {
        set(.exif, 0x9003, .ascii(date))
        if let offset { set(.exif, 0x9011, .ascii(offset)) }
        if let subseconds { set(.exif, 0x9291, .ascii(subseconds)) }
    }

    package mutating func orientation(_ value: UInt16) { set(.image, 0x0112, .short([value])) }

    package mutating func camera(make: String, model: String) {
        set(.image, 0x010F, .ascii(make))
        set(.image, 0x0110, .ascii(model))
    }

    /// GPSLatitude and GPSLongitude (0x0001…0x0004) in degrees, minutes and hundredths of seconds.
    package mutating func location(latitude: Double, longitude: Double) {
        func parts(_ value: Double) -> [(UInt32, UInt32)] {
            let hundredths = (abs(value) * 360_000).rounded()
            return [
                (UInt32(hundredths / 360_000), 1), (UInt32(hundredths / 6000) % 60, 1),
                (UInt32(hundredths) % 6000, 100),
            ]
        }
        set(.gps, 0x0001, .ascii(latitude < 0 ? "S" : "N"))
        set(.gps, 0x0002, .rational(parts(latitude)))
        set(.gps, 0x0003, .ascii(longitude < 0 ? "W" : "E"))
        set(.gps, 0x0004, .rational(parts(longitude)))
    }

    /// `Exif\0\0` and the TIFF structure: the body of an APP1 segment.
    package func block() -> [UInt8] {
        guard let data = exif_data_new() else { return [] }
        defer { exif_data_unref(data) }
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_set_byte_order(data, EXIF_BYTE_ORDER_INTEL)
        for (ifd, tag, value) in entries { add(value, tag: tag, to: ifd, of: data) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var size: UInt32 = 0
        exif_data_save_data(data, &buffer, &size)
        guard let buffer else { return [] }
        let block = Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
        free(buffer)
        return block
    }

    private func add(_ value: Value, tag: UInt16, to ifd: IFD, of data: UnsafeMutablePointer<ExifData>) {
        guard let memory = exif_mem_new_default(), let entry = exif_entry_new_mem(memory) else { return }
        defer {
            exif_entry_unref(entry)
            exif_mem_unref(memory)
        }
        let (format, count, bytes) = value.encoded
        entry.pointee.tag = ExifTag(rawValue: UInt32(tag))
        entry.pointee.format = format
        entry.pointee.components = UInt(count)
        entry.pointee.size = UInt32(bytes.count)
        // The entry frees its data with its own memory functions, so they must make it too.
        guard let storage = exif_mem_alloc(memory, UInt32(max(bytes.count, 1))) else { return }
        storage.copyMemory(from: bytes, byteCount: bytes.count)
        entry.pointee.data = storage.assumingMemoryBound(to: UInt8.self)
        withUnsafeMutablePointer(to: &data.pointee.ifd) { folders in
            folders.withMemoryRebound(to: UnsafeMutablePointer<ExifContent>?.self, capacity: 5) {
                exif_content_add_entry($0[Int(ifd.rawValue.rawValue)], entry)
            }
        }
    }
}

extension ExifFixture.Value {
    fileprivate var encoded: (ExifFormat, Int, [UInt8]) {
        func intel<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
            numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        }
        switch self {
        case .ascii(let text): return (EXIF_FORMAT_ASCII, text.utf8.count + 1, Array(text.utf8) + [0])
        case .bytes(let bytes): return (EXIF_FORMAT_BYTE, bytes.count, bytes)
        case .short(let numbers): return (EXIF_FORMAT_SHORT, numbers.count, intel(numbers))
        case .long(let numbers): return (EXIF_FORMAT_LONG, numbers.count, intel(numbers))
        case .signedLong(let numbers): return (EXIF_FORMAT_SLONG, numbers.count, intel(numbers))
        case .rational(let pairs): return (EXIF_FORMAT_RATIONAL, pairs.count, intel(pairs.flatMap { [$0.0, $0.1] }))
        case .signedRational(let pairs):
            return (EXIF_FORMAT_SRATIONAL, pairs.count, intel(pairs.flatMap { [$0.0, $0.1] }))
        case .undefined(let bytes): return (EXIF_FORMAT_UNDEFINED, bytes.count, bytes)
        }
    }
}
