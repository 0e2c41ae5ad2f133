internal import Glibc

enum ByteOrder: Sendable {
    case big, little
}

/// A view of bytes that it does not own, valid for one call. Every access is checked and returns nil past the end, so a
/// length or an offset that a file claims can never lead outside it.
struct ByteView {
    private let base: UnsafePointer<UInt8>?
    let count: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
    }

    init(start: UnsafePointer<UInt8>?, count: Int) {
        base = start
        self.count = start == nil ? 0 : max(0, count)
    }

    static var empty: ByteView { ByteView(start: nil, count: 0) }

    var isEmpty: Bool { count == 0 }
    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
    var start: UnsafePointer<UInt8>? { base }

    func has(_ length: Int, at offset: Int) -> Bool { offset >= 0 && length >= 0 && offset <= count - length }

    subscript(_ offset: Int) -> UInt8? {
        guard let base, has(1, at: offset) else { return nil }
        return base[offset]
    }

    func u16(_ offset: Int, _ order: ByteOrder = .big) -> UInt16? { load(offset, order) }
    func u32(_ offset: Int, _ order: ByteOrder = .big) -> UInt32? { load(offset, order) }
    func u64(_ offset: Int, _ order: ByteOrder = .big) -> UInt64? { load(offset, order) }
    func int16(_ offset: Int, _ order: ByteOrder = .big) -> Int? { u16(offset, order).map(Int.init) }
    func int32(_ offset: Int, _ order: ByteOrder = .big) -> Int? { u32(offset, order).map(Int.init) }
    /// Nil also for values that overflow Int.
    func int64(_ offset: Int, _ order: ByteOrder = .big) -> Int? { u64(offset, order).flatMap { Int(exactly: $0) } }

    private func load<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ order: ByteOrder) -> Word? {
        guard let base, has(MemoryLayout<Word>.size, at: offset) else { return nil }
        let word = UnsafeRawPointer(base + offset).loadUnaligned(as: Word.self)
        return order == .big ? Word(bigEndian: word) : Word(littleEndian: word)
    }

    /// Nil unless the whole range exists.
    func slice(_ offset: Int, _ length: Int) -> ByteView? {
        guard has(length, at: offset) else { return nil }
        return ByteView(start: base.map { $0 + offset }, count: length)
    }

    /// From `offset` to the end; empty past the end.
    func from(_ offset: Int) -> ByteView { slice(offset, count - offset) ?? .empty }
    /// The first `length` bytes, or fewer if there are fewer.
    func prefix(_ length: Int) -> ByteView { slice(0, min(count, max(0, length))) ?? .empty }

    func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        guard let base, has(text.utf8CodeUnitCount, at: offset) else { return false }
        return memcmp(base + offset, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    func contains(_ text: StaticString) -> Bool { firstIndex(of: text) != nil }

    func firstIndex(of text: StaticString) -> Int? {
        var at = 0
        while let found = firstIndex(of: text.utf8Start.pointee, from: at) {
            if starts(with: text, at: found) { return found }
            at = found + 1
        }
        return nil
    }

    func firstIndex(of byte: UInt8, from offset: Int = 0) -> Int? {
        guard let base, offset >= 0, offset < count,
            let found = memchr(base + offset, Int32(byte), count - offset)
        else { return nil }
        return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
    }

    /// Up to the first NUL, which ends an ASCII value of EXIF regardless of its length.
    var untilNUL: ByteView { firstIndex(of: 0).map(prefix) ?? self }

    /// Without leading and trailing spaces, tabs, newlines and NULs.
    var trimmed: ByteView {
        guard let base else { return self }
        var start = 0
        var end = count
        while start < end, Self.isBlank(base[start]) { start += 1 }
        while end > start, Self.isBlank(base[end - 1]) { end -= 1 }
        return ByteView(start: base + start, count: end - start)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0 || (9...13).contains(byte) }

    /// The decimal number of `length` ASCII digits; nil if another byte is among them.
    func digits(_ offset: Int, _ length: Int) -> Int? {
        guard let base, length <= 18, has(length, at: offset) else { return nil }
        var number = 0
        for index in offset..<(offset + length) {
            let digit = base[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// Nil if only white space is left. Bytes that are not UTF-8 become U+FFFD.
    var text: String? {
        let view = trimmed
        return view.isEmpty ? nil : String(decoding: view.buffer, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Calls `body` with a view that is valid during the call.
    func withView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try span.withUnsafeBytes { (raw) throws(Failure) in try body(ByteView(raw)) }
    }
}
