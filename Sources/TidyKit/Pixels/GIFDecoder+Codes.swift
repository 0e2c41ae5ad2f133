/// How the data of a frame are stored (GIF89a specification, 1990), for `samples`, which compares every byte of them.
extension GIFDecoder {
    /// Where row `y` of an interlaced picture is among the rows as stored: every 8th, every 8th from 4, every 4th
    /// from 2, every 2nd from 1 (appendix E).
    static func line(_ y: Int, _ rows: Int) -> Int {
        if y % 8 == 0 { return y / 8 }
        let first = (rows + 7) / 8
        if y % 8 == 4 { return first + y / 8 }
        let second = first + (rows + 3) / 8
        if y % 4 == 2 { return second + y / 4 }
        return second + (rows + 1) / 4 + y / 2
    }

    /// Variable-length codes (appendix F), the lowest bit first.
    struct LZW {
        private let data: [UInt8]
        private let leastBits: Int
        private var prefixes = [UInt16](repeating: 0, count: 4096)
        private var suffixes = [UInt8](repeating: 0, count: 4096)

        init(_ data: [UInt8], leastBits: Int) {
            self.data = data
            self.leastBits = leastBits
            for code in 0..<min(256, 1 << leastBits) { suffixes[code] = UInt8(code) }
        }

        /// - Parameter most: bytes that are wanted; no more are made.
        func decoded(most: Int) -> [UInt8] {
            var (prefixes, suffixes) = (prefixes, suffixes)
            let clear = 1 << leastBits
            var (next, bits) = (clear + 2, leastBits + 1)
            var (previous, first): (Int?, UInt8) = (nil, 0)
            var (held, count, at) = (0, 0, 0)
            var output: [UInt8] = []
            var stack: [UInt8] = []
            while output.count < most {
                while count < bits, at < data.count {
                    held |= Int(data[at]) << count
                    count += 8
                    at += 1
                }
                guard count >= bits else { break }
                let code = held & (1 << bits - 1)
                held >>= bits
                count -= bits
                if code == clear {
                    (next, bits, previous) = (clear + 2, leastBits + 1, nil)
                    continue
                }
                guard code != clear + 1, code < next || code == next && previous != nil else { break }
                var walk = code
                if code == next, let previous {
                    stack.append(first)
                    walk = previous
                }
                while walk >= clear {
                    stack.append(suffixes[walk])
                    walk = Int(prefixes[walk])
                }
                first = suffixes[walk]
                output.append(first)
                while let byte = stack.popLast() { output.append(byte) }
                if let previous, next < 4096 {
                    (prefixes[next], suffixes[next]) = (UInt16(previous), first)
                    next += 1
                    if next == 1 << bits, bits < 12 { bits += 1 }
                }
                previous = code
            }
            return output
        }
    }
}
