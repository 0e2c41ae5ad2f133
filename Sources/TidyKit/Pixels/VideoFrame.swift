internal import Glibc

/// Frames of a video, by the program `ffmpeg`, if it is installed: its decoders are too many and too large to link.
/// Different films share a title card or a black frame, but hardly four moments.
enum VideoFrame {
    /// The program, by `PATH`; nil where it is not installed.
    static let program: FilePath? = HelperProgram.find("ffmpeg")

    /// When the frames are taken, as parts of the duration. They lie beside each other, two in a row.
    private static let moments = [0.12, 0.37, 0.62, 0.87]
    /// Of a video that is shorter than this, in seconds, or whose duration is unknown, the first frame is taken.
    private static let shortest = 1.0
    /// Milliseconds that one video may take.
    private static let patience: Int64 = 40_000
    /// Bytes of a picture of `ReducedPicture.longEdge` columns, however high.
    private static let maximumBytes = 32 << 20
    /// The most pixels of a stored frame; a frame of 8K has 33 million.
    private static let maximumPixels = 1 << 26
    /// The memory that the frames take here and, as an estimate, in ffmpeg: of four decoders of 4K, 300 MB.
    static let need: Int64 = 512 << 20

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
        let duration = duration ?? 0
        let starts = duration >= shortest ? moments.map { $0 * duration } : [0]
        // Each moment is an input of its own, with the options before it.
        let inputs = starts.flatMap { start in
            [
                "-threads", "1", "-protocol_whitelist", "file", "-format_whitelist", "mov,avi,mpegts", "-max_pixels",
                "\(maximumPixels)", "-ss", "\(start)", "-i", "file:/dev/stdin",
            ]
        }
        let width = starts.count == 1 ? ReducedPicture.longEdge : ReducedPicture.longEdge / 2
        let frames = starts.indices.map { index in
            "[\(index):V:0]trim=end_frame=1,setpts=0,scale=w='min(\(width),iw)':h=-1,format=rgb24[f\(index)];"
        }
        let mosaic =
            starts.count == 1
            ? "[f0]null[m]" : "[f0][f1][f2][f3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0[m]"
        return ["-nostdin", "-hide_banner", "-loglevel", "quiet", "-filter_complex_threads", "1"] + inputs
            + ["-filter_complex", frames.joined() + mosaic, "-map", "[m]", "-frames:v", "1"]
            + ["-f", "image2pipe", "-c:v", "ppm", "pipe:1"]
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
