internal import CExif

/// One EXIF block as parsed by libexif. The object belongs to one thread.
struct ExifBlock: ~Copyable {
    /// The longest block that libexif reads, which is the longest segment of a JPEG.
    static let maximumBytes = 0xFFFE

    private let data: UnsafeMutablePointer<ExifData>

    /// Nil if the block is too short for a directory.
    /// - Parameter bytes: begin with `Exif\0\0`.
    init?(_ bytes: ByteView) {
        guard bytes.count >= 14, let data = exif_data_new() else { return nil }
        // Both options are on by default. The first drops misplaced tags (DateTimeOriginal in IFD0) and invents others;
        // the second drops Rating.
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        exif_data_load_data(
            data, bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: bytes.count))
        self.data = data
    }

    deinit { exif_data_unref(data) }

    /// Passes the relevant entries to `fields`, also from a damaged block.
    /// - Returns: false if no entry could be read.
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
            // `size` is the number of bytes that were read, whatever `components` claims.
            let bytes = ByteView(start: entry.data, count: Int(entry.size))
            fields.read(
                Int(entry.tag.rawValue), in: directory,
                TIFFValue(
                    type: UInt16(truncatingIfNeeded: entry.format.rawValue), count: Int(entry.components),
                    bytes: bytes, order: order))
        }
    }
}
