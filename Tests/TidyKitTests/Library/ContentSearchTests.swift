import Support
import Testing

@testable import TidyKit

/// Which files hold the same bytes.
@Suite struct ContentSearchTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ content: [UInt8]) throws -> ComparedFile {
        let path = try folder.write(name, content)
        return ComparedFile(path: path, identity: try FileStatus.of(path).identity)
    }

    private func classes(of files: [ComparedFile], threads: Int = 2) -> (names: [[String]], search: ContentSearch) {
        var search = ContentSearch(threads: threads)
        let found = search.classes(of: files).map { $0.map { files[$0].name }.sorted() }
        return (found.sorted { $0[0] < $1[0] }, search)
    }

    @Test func filesThatDifferInOneByteAnywhereAreToldApart() throws {
        let length = 300_000
        let picture = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) }
        var files = [try file("a", picture), try file("b", picture)]
        for place in [0, 4095, 4096, 131_071, 131_072, 295_903, 295_904, length - 1] {
            var other = picture
            other[place] ^= 1
            files.append(try file("c\(place)", other))
        }
        files.append(try file("d", Array(picture.dropLast())))
        #expect(classes(of: files).names == [["a", "b"]])
    }

    /// More files than are compared side by side, so that a hash tells them apart first.
    @Test func manyFilesOfOneSizeAndOneHeadAreEachReadTwiceAtMost() throws {
        let length = 200_000
        var files: [ComparedFile] = []
        for number in 0..<60 {
            var content = [UInt8](repeating: 7, count: length)
            // Five contents, twelve files of each; a sixth holds forty.
            content[100_000] = UInt8(number % 5)
            files.append(try file("few\(number)", content))
        }
        for number in 0..<40 {
            var content = [UInt8](repeating: 7, count: length)
            content[100_000] = 99
            files.append(try file("many\(number)", content))
        }
        let (names, search) = classes(of: files)
        #expect(names.map(\.count) == [12, 12, 12, 12, 12, 40])
        for names in names { #expect(Set(names.map { $0.prefix { $0.isLetter } }).count == 1) }
        // Both ends, the hash and the comparison; of forty, the first one goes into every comparison.
        #expect(search.bytesRead <= Int64(files.count * (8192 + 2 * length) + 2 * length))
    }

    @Test func aFileUnlikeAllOthersIsNotReadToItsEnd() throws {
        var files: [ComparedFile] = []
        for number in UInt8(0)..<50 {
            files.append(try file("\(number)", [number] + Array(repeating: 0, count: 99_999)))
        }
        let (names, search) = classes(of: files)
        #expect(names.isEmpty)
        #expect(search.bytesRead == 50 * 8192)
        files = try (1...50).map { try file("size\($0)", Array(repeating: 0, count: 1000 + $0)) }
        #expect(classes(of: files).search.filesOpened == 0)
    }

    @Test func asManyClassesAsAComparisonOfEachWithEach() throws {
        var random = SeededRandom(seed: 13)
        for _ in 0..<20 {
            let files = try (0..<40).map { number in
                let length = [0, 1, 16_384, 16_385, 131_072].randomElement(using: &random)!
                var content = [UInt8](repeating: 0, count: length)
                if length > 0 { content[length / 2] = UInt8.random(in: 0..<3, using: &random) }
                return try file("\(number)", content)
            }
            var expected: [[UInt8]: [String]] = [:]
            for file in files where file.identity.bytes > 0 {
                expected[try FileSystem.contents(of: file.path), default: []].append(file.name)
            }
            let classes = expected.values.filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
            #expect(self.classes(of: files, threads: Int.random(in: 1...3, using: &random)).names == classes)
        }
    }

    @Test func namesOfOneInodeCountOnce() throws {
        let one = try file("one", Array("same".utf8))
        try FileSystem.link(one.path, as: folder.path.appending("two"))
        let two = ComparedFile(path: folder.path.appending("two"), identity: one.identity)
        #expect(classes(of: [two, one, one]).names.isEmpty)
        let copy = try file("copy", Array("same".utf8))
        #expect(classes(of: [two, one, copy]).names == [["copy", "one"]])
    }

    @Test func whatCannotBeReadIsReportedOnceAndWhatHasGoneNotAtAll() throws {
        let first = try file("first", Array("same".utf8))
        let second = try file("second", Array("same".utf8))
        let gone = try file("gone", Array("same".utf8))
        try FileSystem.remove(gone.path)
        let link = folder.path.appending("link")
        try link.makeLink(to: first.path)
        let identity = FileIdentity(device: 1, inode: 1, bytes: 4, modifiedNs: 0, changedNs: 0)
        let other = ComparedFile(path: link, identity: identity)
        let (names, search) = classes(of: [first, second, gone, other])
        #expect(names == [["first", "second"]])
        #expect(search.warnings.map(\.path) == [link])
    }
}

extension ComparedFile {
    fileprivate var name: String { String(decoding: path.lastComponent, as: UTF8.self) }
}
