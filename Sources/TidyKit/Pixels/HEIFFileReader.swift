internal import CHEIF

/// A HEIF file from which libheif reads what it wants (`heif_reader`), up to a number of bytes: its items may claim the
/// same bytes again and again.
final class HEIFFileReader {
    /// libheif reads a few bytes at a time.
    private var window = FileWindow()
    private let byteCount: Int64
    /// The offsets of reference types that are replaced by `hide`, a type that libheif does not know and ignores.
    private let hidden: [Int64]
    private var position: Int64 = 0
    private var bytesLeft: Int64
    /// libheif keeps its address.
    let functions: UnsafeMutablePointer<heif_reader>

    /// - Parameter file: stays open while this object is in use.
    init(_ file: borrowing FileDescriptor, byteCount: Int64, mostRead: Int64, hiding hidden: [Int64]) {
        window.attach(file, byteCount: byteCount)
        self.byteCount = byteCount
        self.hidden = hidden
        bytesLeft = mostRead
        functions = .allocate(capacity: 1)
        functions.initialize(
            to: heif_reader(
                reader_api_version: 1, get_position: { HEIFFileReader.of($0).position },
                read: { HEIFFileReader.of($2).read(into: $0, $1) ? 0 : 1 },
                seek: { position, user in
                    HEIFFileReader.of(user).position = position
                    return 0
                },
                wait_for_file_size: { size, user in
                    size <= HEIFFileReader.of(user).byteCount
                        ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof
                }))
    }

    deinit { functions.deallocate() }

    /// What the functions get.
    var userData: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func of(_ user: UnsafeMutableRawPointer?) -> HEIFFileReader {
        Unmanaged<HEIFFileReader>.fromOpaque(user!).takeUnretainedValue()
    }

    private func read(into target: UnsafeMutableRawPointer?, _ count: Int) -> Bool {
        // libheif also reads properties without content, into no target.
        if count == 0 { return true }
        guard let target, count > 0, position >= 0, Int64(count) <= bytesLeft else { return false }
        bytesLeft -= Int64(count)
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: count)
        var done = 0
        while done < count {
            guard let piece = try? window.view(at: position + Int64(done), count - done), piece.count > 0 else {
                return false
            }
            UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyMemory(from: piece.buffer)
            done += piece.count
        }
        for place in hidden {
            for (index, byte) in "hide".utf8.enumerated() {
                let offset = place + Int64(index) - position
                if offset >= 0, offset < count { buffer[Int(offset)] = byte }
            }
        }
        position += Int64(count)
        return true
    }
}
