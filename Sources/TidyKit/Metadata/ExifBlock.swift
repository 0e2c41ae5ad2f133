internal import CExif

/// One EXIF block in libexif's hands, for as long as its entries are looked at. The object belongs to one thread.
struct ExifBlock: ~Copyable {
    /// libexif looks at no more: the longest segment that JPEG allows.
    static let mostBytes = 0xFFFE

    private let data: UnsafeMutablePointer<ExifData>

    /// `bytes` begin with `Exif\0\0`. Nil where they cannot hold a directory.
    init?(_ bytes: ByteView) {
        guard bytes.count >= 14, let data = exif_data_new() else { return nil }
        // Both are on by default: the first drops tags that stand where they should not (DateTimeOriginal in IFD0) and
        // makes up others, the second drops Rating.
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        exif_data_load_data(
            data, bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: bytes.count))
        self.data = data
    }

    deinit { exif_data_unref(data) }

    /// Hands all that matters to `fields`. A damaged block is no reason to stop: what could be read is there.
    /// False where nothing could be.
    borrowing func read(into fields: inout ExifFields) -> Bool {
        let order: ByteOrder = exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_INTEL ? .little : .big
        let directories = data.pointee.ifd
        Self.read(directories.0, .primary, order, into: &fields)
        Self.read(directories.2, .exif, order, into: &fields)
        Self.read(directories.3, .gps, order, into: &fields)
        return [directories.0, directories.2].contains { $0.map { $0.pointee.count > 0 } ?? false }
    }

    private static func read(
        _ content: UnsafeMutablePointer<ExifContent>?, _ directory: ExifFields.Directory, _ order: ByteOrder,
        into fields: inout ExifFields
    ) {
        guard let content = content?.pointee, let entries = content.entries else { return }
        for index in 0..<Int(content.count) {
            guard let entry = entries[index]?.pointee else { continue }
            // `size` is what was read, whatever `components` claims.
            let bytes = ByteView(start: entry.data, count: Int(entry.size))
            fields.take(
                Int(entry.tag.rawValue), in: directory,
                TIFFValue(
                    type: UInt16(truncatingIfNeeded: entry.format.rawValue), count: Int(entry.components),
                    bytes: bytes, order: order))
        }
    }
}
