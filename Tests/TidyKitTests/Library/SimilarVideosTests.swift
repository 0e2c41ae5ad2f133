internal import Support
import Testing

@testable import TidyKit

/// `--similar` of videos: one title card, or one length, makes no look-alikes.
@Suite(.enabled(if: VideoFrame.program != nil, "ffmpeg is not installed"))
struct SimilarVideosTests {
    private let library: TestLibrary
    private let pictures: [FilePath]

    init() throws {
        let library = try TestLibrary()
        self.library = library
        pictures = try (0..<4).map { seed in
            let drawn = DrawnPicture.rectangles(seed: UInt64(seed) + 6, width: 320, height: 240)
            return try library.folder.write("\(seed).bmp", drawn.bitmap)
        }
    }

    /// A film of pictures, each for some seconds.
    private func add(_ name: String, _ parts: [(picture: Int, seconds: Double)], quality: Int = 2) throws {
        let film = library.root.appending(name)
        try FileSystem.createFolders(library.root, permissions: 0o700)
        let inputs = parts.flatMap { part in
            ["-loop", "1", "-r", "10", "-t", "\(part.seconds)", "-i", pictures[part.picture].displayText]
        }
        let made = HelperProgram(
            path: try #require(VideoFrame.program),
            arguments: ["-nostdin", "-v", "quiet"] + inputs + [
                "-filter_complex", parts.indices.map { "[\($0)]" }.joined() + "concat=n=\(parts.count)",
                "-c:v", "mpeg4", "-q:v", "\(quality)", "-f", "mp4", "file:" + film.displayText,
            ])
        let nothing = try FileDescriptor.openForReading(FilePath("/dev/null"))
        _ = try made.run(input: nothing, maximumBytes: 1 << 20, milliseconds: 60_000)
    }

    private func found() throws -> [String] {
        let now = WallClock.now()
        let query = LibraryQuery(
            operands: [library.root], predicates: [try Predicate(option: "similar", value: nil, now: now)], now: now)
        return try PhotoLibrary.photos(query, environment: library.environment).photos.map {
            String(decoding: $0.path.lastComponent, as: UTF8.self)
        }
    }

    @Test func anotherEncodingOfAFilmIsFound() throws {
        try add("film.mp4", [(0, 4), (1, 6)])
        try add("small.mp4", [(0, 4), (1, 6)], quality: 12)
        #expect(try found() == ["small.mp4"])
    }

    @Test func filmsOfOneLengthWithOneTitleAreNot() throws {
        try add("a.mp4", [(0, 4), (1, 6)])
        try add("b.mp4", [(0, 4), (2, 6)])
        // Different only at the end.
        try add("c.mp4", [(0, 4), (1, 3.5), (3, 2.5)])
        #expect(try found() == [])
    }

    @Test func aFilmThatWasCutIsNotTheFilm() throws {
        try add("whole.mp4", [(0, 10)])
        try add("cut.mp4", [(0, 9)])
        #expect(try found() == [])
    }

    @Test func aPosterIsNotItsFilm() throws {
        try add("film.mp4", [(0, 10)])
        try library.folder.write("library/poster.bmp", FileSystem.contents(of: pictures[0]))
        #expect(try found() == [])
    }
}
