internal import Glibc
internal import Support
import Testing

@testable import TidyKit

/// A frame of a video, by a program that may do anything.
@Suite struct VideoFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A program that is called as ffmpeg is.
    private func program(_ script: String) throws -> FilePath {
        let path = try folder.write("ffmpeg", Array("#!/bin/sh\n\(script)\n".utf8))
        #expect(path.withCString { chmod($0, 0o700) } == 0)
        return path
    }

    private func planes(_ script: String, patience: Int64 = 60_000) throws -> Planes {
        let file = try FileDescriptor.openForReading(try folder.write("video", Array("abc".utf8)))
        return try VideoFrame.planes(
            of: file, duration: nil, DecodingOptions(), program: try program(script), patience: patience)
    }

    @Test func aPixmapIsTaken() throws {
        let planes = try planes("printf 'P6\\n2 1\\n255\\nabcdef'")
        #expect(planes.width == 2 && planes.height == 1)
    }

    @Test(arguments: [
        "", "echo garbage", "printf 'P6\\n2 1\\n255\\nabc'", "printf 'P6\\n99999999 99999999\\n255\\n'",
        "printf 'P6\\n-2 1\\n255\\nabcdef'", "printf 'P6\\n0 0\\n255\\n'", "printf 'P6 2 1 255 abcdef'; exit 1",
        "exec cat /dev/zero",
    ]) func anythingElseIsNone(_ script: String) throws {
        #expect(throws: PictureError.self) { try planes(script) }
    }

    /// What may go well the next time is no fault of the file.
    @Test func aProgramThatHangsOrIsEndedSaysNothingAboutTheFile() throws {
        for (script, code) in [("exec sleep 600", ETIME), ("kill -KILL $$", ECHILD)] {
            #expect { try planes(script, patience: script.hasPrefix("exec") ? 1 : 60_000) } throws: { error in
                guard case .file(let error)? = error as? PictureError else { return false }
                return error.code == code
            }
        }
    }

    @Test(.enabled(if: VideoFrame.program != nil, "ffmpeg is not installed"))
    func aFrameOfAVideoIsTaken() throws {
        let drawn = DrawnPicture.rectangles(seed: 6, width: 320, height: 240)
        let (source, video) = (try folder.write("a.bmp", drawn.bitmap), folder.path.appending("-i a.mp4"))
        let made = HelperProgram(
            path: try #require(VideoFrame.program),
            arguments: [
                "-nostdin", "-v", "quiet", "-loop", "1", "-i", source.displayText, "-t", "3", "-r", "5", "-c:v",
                "mpeg4", "-q:v", "2", "-f", "mp4", "file:" + video.displayText,
            ])
        let nothing = try FileDescriptor.openForReading(FilePath("/dev/null"))
        _ = try made.run(input: nothing, maximumBytes: 1 << 20, milliseconds: 60_000)
        let file = try FileDescriptor.openForReading(video)
        let first = try VideoFrame.planes(of: file, duration: nil, DecodingOptions())
        let hash = PictureSignature(try ReducedPicture(first), isOfThumbnail: false)?.whole
        #expect(hash.map { $0.distance(to: drawn.hash) < 24 } == true)
        // Four moments, two in a row.
        let four = try VideoFrame.planes(of: file, duration: 3, DecodingOptions())
        #expect(four.width == 640 && four.height == 480)
    }

    /// A playlist or a script of ffmpeg could name other files, and hosts.
    @Test(.enabled(if: VideoFrame.program != nil, "ffmpeg is not installed"))
    func filesThatNameOtherFilesAreNotFollowed() throws {
        let picture = try folder.write("a.bmp", DrawnPicture(width: 64, height: 64, seed: 1).bitmap)
        let name = picture.displayText
        for text in [
            "ffconcat version 1.0\nfile 'file:\(name)'\n", "#EXTM3U\n#EXTINF:1,\nfile:\(name)\n#EXT-X-ENDLIST\n",
        ] {
            let file = try FileDescriptor.openForReading(try folder.write("list", Array(text.utf8)))
            #expect(throws: PictureError.self) {
                try VideoFrame.planes(of: file, duration: nil, DecodingOptions())
            }
        }
    }
}
