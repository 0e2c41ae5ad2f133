internal import Support
internal import TidyKit

/// Damaged copies of files: bits flipped, ends cut, lengths and numbers at the limits of their width. The same for the same
/// files, so that what is found can be had again.
struct Mutants {
    private let originals: [[UInt8]]
    private var numbers = SeededRandom(seed: 11)

    /// The limits of 8, 16, 32 and 64 bits with and without a sign, one less and one more; NaN and infinities as doubles
    /// and floats.
    private static let limits: [UInt64] =
        [8, 16, 31, 32, 63].flatMap { bits -> [UInt64] in
            let limit = UInt64(1) << bits
            return [limit - 2, limit - 1, limit, limit + 1]
        } + [0, 1, .max, .max - 1, 0x7F, 0x80, 0x7FFF, 0x8000]
        + [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude].map(\.bitPattern)
        + [Float.nan, .infinity, -.infinity].map { UInt64($0.bitPattern) }

    init(_ originals: [[UInt8]]) { self.originals = originals.filter { !$0.isEmpty } }

    consuming func write(_ count: Int, to folder: FilePath) throws {
        var mutants = self
        for number in 0..<count {
            let name = "\(number / 500)/\(number).jpg"
            let path = folder.appending(name)
            if number % 500 == 0 { try FileSystem.createFolders(path.directory) }
            let bytes = mutants.next(number)
            try FileDescriptor.open(path, [.write, .create, .truncate]).write(bytes)
        }
    }

    private mutating func next(_ number: Int) -> [UInt8] {
        var bytes = originals[number % originals.count]
        for _ in 0..<Int.random(in: 1...6, using: &numbers) { damage(&bytes) }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        // Directories and lengths are at the start of most files.
        let end = Bool.random(using: &numbers) ? min(bytes.count, 2048) : bytes.count
        guard end > 0 else { return }
        let at = Int.random(in: 0..<end, using: &numbers)
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: bytes.removeLast(bytes.count - max(1, at))
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...64, using: &numbers)))
        case 2:
            let piece = bytes[at..<min(bytes.count, at + Int.random(in: 1...256, using: &numbers))]
            bytes.insert(contentsOf: Array(piece), at: Int.random(in: 0...bytes.count, using: &numbers))
        case 3, 4: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        default: writeLimit(into: &bytes, at)
        }
    }

    private mutating func writeLimit(into bytes: inout [UInt8], _ at: Int) {
        let width = [1, 2, 4, 8].randomElement(using: &numbers) ?? 4
        let limit = Self.limits.randomElement(using: &numbers) ?? 0
        let isBig = Bool.random(using: &numbers)
        for index in 0..<width where at + index < bytes.count {
            let shift = 8 * UInt64(isBig ? width - 1 - index : index)
            bytes[at + index] = UInt8(truncatingIfNeeded: limit >> shift)
        }
    }
}
