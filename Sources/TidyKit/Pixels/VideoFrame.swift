internal import Glibc

/// A frame of a video, by the program `ffmpeg`, if it is installed: its decoders are too many and too large to link.
enum VideoFrame {
    /// The program, by `PATH`; nil where it is not installed.
    static let program: FilePath? = HelperProgram.find("ffmpeg")

    /// When the frame is taken, in seconds: the first one is often black.
    private static let place = 1.0
    /// Milliseconds that one video may take.
    private static let patience: Int64 = 20_000
    /// Bytes of a frame of `ReducedPicture.longEdge` columns, however high.
    private static let maximumBytes = 32 << 20
    /// The most pixels of a stored frame; a frame of 8K has 33 million.
    private static let maximumPixels = 1 << 26
    /// The memory that a frame takes here and, as an estimate, in ffmpeg.
    static let need: Int64 = 256 << 20

    /// - Parameters: program and patience for tests.
    static func planes(
        of file: borrowing FileDescriptor, duration: Double?, _ options: DecodingOptions,
        program: FilePath? = program, patience: Int64 = patience
    ) throws(PictureError) -> Planes {
        guard let program else { throw .unsupported("ffmpeg is not installed") }
        let output: [UInt8]
        do throws(POSIXError) {
            output = try HelperProgram(path: program, arguments: arguments(duration)).run(
                input: file, maximumBytes: maximumBytes, milliseconds: patience)
        } catch {
            switch error.code {
            case EIO, EFBIG: throw .damaged("a video from which ffmpeg takes no frame")
            default: throw .file(error)
            }
        }
        return try output.withView { (view) throws(PictureError) in try pixmap(view, options) }
    }

    /// The file is standard input: no name of a file can be read as an option or a protocol. Only the formats that we
    /// know are read, because others, such as playlists, name further files.
    private static func arguments(_ duration: Double?) -> [String] {
        let start = (duration ?? 0) > 2 * place ? place : 0
        return [
            "-nostdin", "-hide_banner", "-loglevel", "quiet", "-threads", "1", "-protocol_whitelist", "file",
            "-format_whitelist", "mov,avi,mpegts", "-max_pixels", "\(maximumPixels)", "-ss", "\(start)",
            "-i", "file:/dev/stdin", "-an", "-sn", "-dn", "-frames:v", "1", "-vf",
            "scale=w='min(\(ReducedPicture.longEdge),iw)':h=-1", "-pix_fmt", "rgb24", "-f", "image2pipe", "-c:v", "ppm",
            "pipe:1",
        ]
    }

    /// A binary pixmap of Netpbm (`P6`) with 8 bits a sample, as ffmpeg writes it: no comments. One that is cut is from
    /// a program that was killed, for lack of memory for example, which says nothing about the video.
    static func pixmap(_ bytes: ByteView, _ options: DecodingOptions) throws(PictureError) -> Planes {
        var at = 2
        func number() -> Int? {
            while let byte = bytes[at], byte == 0x20 || byte == 0x0A { at += 1 }
            var end = at
            while let byte = bytes[end], (0x30...0x39).contains(byte) { end += 1 }
            defer { at = end }
            return end > at && end - at < 10 ? bytes.digits(at, end - at) : nil
        }
        guard bytes.starts(with: "P6"), let width = number(), let height = number(), number() == 255 else {
            throw .damaged("a video without a frame")
        }
        try options.checkSize(width, height)
        guard let pixels = bytes.slice(at + 1, width * height * 3), let start = pixels.start else {
            throw .file(POSIXError(code: ECHILD, operation: "waitpid"))
        }
        let builder = try PlaneBuilder(width: width, height: height)
        for y in 0..<height { builder.setRow(y, pixels: start + 3 * width * y, step: 3) }
        return builder.planes
    }
}
