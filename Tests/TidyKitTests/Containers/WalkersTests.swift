import Support
import Testing

@testable import TidyKit

/// Boxes and chunks: what the walkers yield of sound, cut and senseless ones.
@Suite struct WalkersTests {
    /// As boxes were walked in memory, and in files.
    private func boxes(_ bytes: [UInt8]) -> [[Int]] {
        func number(_ at: Int, _ size: Int) -> UInt64? {
            at + size <= bytes.count ? bytes[at..<at + size].reduce(0) { $0 << 8 | UInt64($1) } : nil
        }
        var found: [[Int]] = []
        var at = 0
        while let size = number(at, 4), let type = number(at + 4, 4) {
            var (header, length) = (8, Int(size))
            if size == 0 { length = bytes.count - at }
            if size == 1 {
                guard let large = number(at + 8, 8).flatMap({ Int(exactly: $0) }) else { break }
                (header, length) = (16, large)
            }
            let isCut = length > bytes.count - at
            length = min(length, bytes.count - at)
            guard length >= header else { break }
            found.append([Int(type), at + header, at + length, isCut ? 1 : 0])
            at += length
        }
        return found
    }

    @Test func boxesAreWalkedAsEver() {
        var random = SeededRandom.byChance()
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let lengths: [UInt32] = [0, 1, 1, 7, 8, 9, 16, 24, .max]
                let length = lengths[Int.random(in: 0..<lengths.count, using: &random)]
                bytes += bigEndian(length) + Array("abcd".utf8)
                if length == 1 {
                    let claims: [UInt64] = [0, 15, 16, 20, 1 << 40, .max]
                    bytes += bigEndian(claims[Int.random(in: 0..<claims.count, using: &random)])
                }
                bytes += [UInt8](repeating: 0, count: Int.random(in: 0...16, using: &random))
            }
            let found = bytes.withView { view -> [[Int]] in
                var source = MemorySource(bytes: view)
                var walker = ISOBoxWalker(to: source.byteCount)
                var found: [[Int]] = []
                while let box = walker.next(in: &source) {
                    found.append([Int(box.type), Int(box.start), Int(box.end), box.isCut ? 1 : 0])
                }
                return found
            }
            #expect(found == boxes(bytes))
        }
    }

    @Test func aWalkOfBoxesYieldsNoMoreThanItMay() {
        let bytes = box("one ", [1]) + box("two ", []) + box("thre", [])
        let types = bytes.withView { view -> [UInt32] in
            var source = MemorySource(bytes: view)
            var walker = ISOBoxWalker(to: source.byteCount, most: 2)
            var types: [UInt32] = []
            while let box = walker.next(in: &source) { types.append(box.type) }
            return types
        }
        #expect(types == [ISOBox.code("one "), ISOBox.code("two ")])
    }

    @Test func riffChunksAreAlignedAndBounded() {
        let bytes =
            Array("oddd".utf8) + littleEndian(UInt32(3)) + [1, 2, 3, 0] + Array("LIST".utf8)
            + littleEndian(UInt32(1 << 30)) + Array("INFO".utf8) + [9]
        bytes.withView { view in
            var source = MemorySource(bytes: view)
            var walker = RIFFWalker(from: 0, to: source.byteCount)
            let odd = walker.next(in: &source)
            #expect(odd?.length == 3 && odd?.isCut == false)
            let list = walker.next(in: &source)
            #expect(list?.form == ISOBox.code("INFO") && list?.listStart == 24)
            #expect(list?.end == source.byteCount && list?.isCut == true)
            #expect(walker.next(in: &source) == nil)
        }
    }

    @Test func chunksOfPNGAreYieldedWhateverTheyClaim() {
        let bytes =
            bigEndian(UInt32(2)) + Array("tEXt".utf8) + [1, 2, 0, 0, 0, 0] + bigEndian(UInt32.max)
            + Array("ID\u{1}T".utf8)
        bytes.withView { view in
            var source = MemorySource(bytes: view)
            var walker = PNGWalker(from: 0)
            let text = walker.next(in: &source)
            #expect(text?.name == "tEXt" && text?.isAncillary == true && text?.start == 8 && text?.end == 14)
            let cut = walker.next(in: &source)
            #expect(cut?.length == Int(UInt32.max) && cut?.name == nil && cut?.isAncillary == false)
            #expect(walker.next(in: &source) == nil)
        }
    }

    @Test func photoshopResourcesArePaddedToEvenLengths() {
        func resource(_ number: UInt16, _ name: [UInt8], _ length: UInt32) -> [UInt8] {
            Array("8BIM".utf8) + bigEndian(number) + name + bigEndian(length)
        }
        let named: [UInt8] = [2] + Array("ab".utf8) + [0]
        let bytes = resource(0x0409, named, 3) + [1, 2, 3, 0] + resource(0x0404, [0, 0], 9) + [7]
        bytes.withView { view in
            var source = MemorySource(bytes: view)
            var walker = PhotoshopResourceWalker()
            let thumbnail = walker.next(in: &source)
            #expect(thumbnail?.number == 0x0409 && thumbnail?.start == 14 && thumbnail?.end == 18)
            // It claims more than is there, and says so.
            let cut = walker.next(in: &source)
            #expect(cut?.number == PhotoshopResource.iptc && cut?.offset == 18 && cut?.length == 9)
            #expect(walker.next(in: &source) == nil)
        }
        #expect(bytes.withView { IPTCRecord.datasets(in: $0)?.count } == 1)
    }

    @Test func aDirectoryOfBigTIFFHasWideCountsAndOffsets() throws {
        let entry: [UInt8] =
            littleEndian(UInt16(0x0100)) + littleEndian(UInt16(4)) + littleEndian(UInt64(1))
            + littleEndian(UInt64(77))
        let bytes: [UInt8] =
            Array("II".utf8) + littleEndian(UInt16(43)) + [8, 0, 0, 0] + littleEndian(UInt64(16))
            + littleEndian(UInt64(1)) + entry + littleEndian(UInt64(5))
        bytes.withView { view in
            let header = TIFFHeader(view)
            #expect(header?.first == 16 && header?.coding.isBig == true)
            guard let header else { return }
            var source = MemorySource(bytes: view)
            let table = TIFFDirectory.read(from: &source, at: header.first, header.coding)
            #expect(table?.count == 1 && table?.next == 5 && table?.isCut == false)
            #expect(table?.map(\.tag) == [0x0100] && table?.first { _ in true }?.place?.offset == 36)
            #expect(TIFFDirectory.read(from: &source, at: header.first, header.coding, most: 0) == nil)
        }
    }
}
