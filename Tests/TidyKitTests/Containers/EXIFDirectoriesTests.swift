import Support
import Testing

@testable import TidyKit

@Suite struct EXIFDirectoriesTests {
    /// A second implementation of the reader of entries, to which the results of `TIFFDirectory` are compared.
    private struct Oracle {
        let bytes: [UInt8]
        let isBig: Bool
        var directories: [EXIFDirectories.Directory: [EXIFDirectories.Entry]] = [:]
        var values: [EXIFDirectories.Directory: [UInt16: Int]] = [:]
        var fields: [EXIFDirectories.Directory: [UInt16: Int]] = [:]
        var extent = 8
        var next: Int?
        var taken = 0

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 14 else { return nil }
            self.bytes = bytes
            switch (bytes[0], bytes[1]) {
            case (0x49, 0x49): isBig = false
            case (0x4D, 0x4D): isBig = true
            default: return nil
            }
            guard number(2, 2) == 42, let first = number(4, 4) else { return nil }
            next = read(.main, first)
            for (pointer, holder, directory) in [
                (UInt16(0x8769), EXIFDirectories.Directory.main, EXIFDirectories.Directory.exif), (0x8825, .main, .gps),
                (0xA005, .exif, .interoperability),
            ] {
                guard let entry = directories[holder]?.first(where: { $0.tag == pointer }),
                    [1, 3, 4, 6, 8, 9, 13].contains(entry.type), entry.value.count >= Self.size(Int(entry.type))
                else { continue }
                let value = entry.value.prefix(Self.size(Int(entry.type)))
                _ = read(directory, (isBig ? Array(value) : value.reversed()).reduce(0) { $0 << 8 | Int($1) })
            }
            if directories.isEmpty { return nil }
        }

        private func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            return (0..<size).reduce(0) { $0 << 8 | Int(bytes[offset + (isBig ? $1 : size - 1 - $1)]) }
        }

        private static func size(_ type: Int) -> Int {
            switch type {
            case 1, 2, 6, 7, 129: 1
            case 3, 8: 2
            case 4, 9, 11, 13: 4
            case 5, 10, 12: 8
            default: 0
            }
        }

        private mutating func read(_ directory: EXIFDirectories.Directory, _ offset: Int) -> Int? {
            guard let count = number(offset, 2), directories[directory] == nil else { return nil }
            directories[directory] = []
            (values[directory], fields[directory]) = ([:], [:])
            var at = offset + 2
            for _ in 0..<count {
                guard at + 12 <= bytes.count else { break }
                defer { at += 12 }
                take(at, directory)
            }
            extent = max(extent, min(at + 4, bytes.count))
            return at + 4 <= bytes.count ? at : nil
        }

        private mutating func take(_ at: Int, _ directory: EXIFDirectories.Directory) {
            guard let tag = number(at, 2), let type = number(at + 2, 2), let count = number(at + 4, 4) else { return }
            let size = Self.size(type)
            guard size > 0, count <= bytes.count / size else { return }
            let length = size * count
            guard let start = length > 4 ? number(at + 8, 4) : at + 8, start + length <= bytes.count,
                taken + length <= 4 * bytes.count, values[directory]?[UInt16(tag)] == nil
            else { return }
            taken += length
            directories[directory]?.append(
                EXIFDirectories.Entry(
                    tag: UInt16(tag), type: UInt16(type), count: count, value: Array(bytes[start..<start + length])))
            values[directory]?[UInt16(tag)] = start
            fields[directory]?[UInt16(tag)] = at
            extent = max(extent, start + length)
        }
    }

    private func check(_ bytes: [UInt8]) {
        let (new, old) = (EXIFDirectories(bytes), Oracle(bytes))
        #expect((new == nil) == (old == nil))
        #expect(new?.directories == old?.directories)
        #expect(new?.valueOffsets == old?.values && new?.entryOffsets == old?.fields)
        #expect(new?.extent == old?.extent && new?.nextDirectoryField == old?.next)
        #expect(new?.isBigEndian == old?.isBig)
    }

    @Test func damagedBlocksAreReadAsEver() {
        var random = SeededRandom.byChance()
        let big = Array("MM\0*\0\0\0\u{8}\0\u{2}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{6}\0\0\0\0\0\0\0\0\0\0".utf8)
        for original in [EXIFPolicyTests.block(orientation: 6), big] {
            check(original)
            for _ in 0..<3000 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let at = Int.random(in: 0..<min(bytes.count, 400), using: &random)
                    let values: [UInt8] = [0, 1, 2, 4, 12, 16, 129, 0x7F, 0xFF, bytes[at] ^ 1]
                    bytes[at] = values[Int.random(in: 0..<values.count, using: &random)]
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
                check(bytes)
            }
        }
    }
}
