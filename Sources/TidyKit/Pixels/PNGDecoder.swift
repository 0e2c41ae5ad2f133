internal import CSPNG
internal import Glibc

/// Decodes PNG with libspng, row by row.
///
/// libspng gets only the chunks that make pixels: text and profiles can inflate without bound, and it does not report
/// damage in them.
enum PNGDecoder {
    static func picture(
        _ bytes: [UInt8], _ options: DecodingOptions
    ) throws(PictureError) -> SourcePicture {
        let (file, metadata, conversion, notes) = try bytes.withView { (view) throws(PictureError) in
            guard let file = PNGFile(view) else { throw .damaged("PNG without a header") }
            try options.checkSize(file.header.width, file.header.height)
            if let damage = file.damage, !options.allowsDamaged { throw .damaged(damage) }
            var metadata = SourceMetadata(file, in: view)
            var notes: [String] = []
            if file.has("acTL") { notes.append("first frame of an animation") }
            var conversion = Self.resolveColor(file, in: view, &metadata, &notes)
            if file.header.depth == 16, conversion == nil, options.convertsWide(metadata.profile) {
                if let profile = metadata.profile, ICCProfile.isLinear(profile) {
                    notes.append(SourcePicture.linearNote)
                }
                swap(&conversion, &metadata.profile)
            }
            return (file, metadata, conversion, notes)
        }
        let header = file.header
        let rowBytes = header.width * (header.depth == 16 ? 8 : 4)
        var picture = SourcePicture(width: header.width, height: header.height) { (_) throws(PictureError) in
            try bytes.withView { (view) throws(PictureError) in
                try decode(view, file, convertingFrom: conversion, allowsDamaged: options.allowsDamaged)
            }
        }
        picture.isGray = header.isGray
        picture.metadata = metadata
        let (held, overflow) = rowBytes.multipliedReportingOverflow(by: header.isInterlaced ? header.height : 1)
        picture.decoderBytes = overflow ? .max : held
        picture.keepsProfile = conversion == nil
        picture.notes = notes
        return picture
    }

    /// Which chunk describes the colours: cICP, then iCCP, then sRGB, then gAMA with cHRM (section 4.3).
    /// - Returns: a profile to convert from, if none is kept.
    private static func resolveColor(
        _ file: PNGFile, in bytes: ByteView, _ metadata: inout SourceMetadata, _ notes: inout [String]
    ) -> [UInt8]? {
        if let chunk = file.first("cICP", in: bytes), let primaries = chunk[0], let transfer = chunk[1], chunk[2] == 0 {
            let color = CodedColor(primaries: Int(primaries), transfer: Int(transfer))
            metadata.profile = file.header.isGray ? nil : color.profile
            return color.conversionToStandardRange
        }
        guard metadata.profile == nil, !file.has("sRGB"), !file.has("iCCP"),
            let gamma = file.first("gAMA", in: bytes)?.int32(0), (1...1_000_000).contains(gamma)
        else { return nil }
        let chromaticities = file.first("cHRM", in: bytes).flatMap(Self.chromaticities) ?? .sRGB
        // Invisible differences: files have 45455 or 45000 for sRGB.
        if abs(Double(gamma) / 45455 - 1) < 0.05, chromaticities.isClose(to: .sRGB) { return nil }
        if abs(Double(gamma) / 100_000 - 1) < 0.02 { notes.append(SourcePicture.linearNote) }
        return ICCProfile.rgb(chromaticities, .gamma(100_000 / Double(gamma)))
    }

    private static func chromaticities(_ chunk: ByteView) -> Chromaticities? {
        let values = (0..<8).compactMap { chunk.u32(4 * $0) }.map { Double($0) / 100_000 }
        guard values.count == 8, values.allSatisfy({ $0 <= 1 }), values[1] > 0 else { return nil }
        return Chromaticities(
            (values[2], values[3]), (values[4], values[5]), (values[6], values[7]), white: (values[0], values[1]))
    }

    private static func decode(
        _ bytes: ByteView, _ file: PNGFile, convertingFrom profile: [UInt8]?, allowsDamaged: Bool
    ) throws(PictureError) -> Planes {
        let header = file.header
        let context = try Context(bytes, file, allowsDamaged: allowsDamaged)
        let isWide = header.depth == 16
        try context.start(isWide: isWide)
        let rows = try PixelRows(
            width: header.width, height: header.height, isGray: header.isGray,
            hasAlpha: header.hasAlphaChannel || file.has("tRNS"), convertingFrom: profile)
        let rowBytes = header.width * (isWide ? 8 : 4)
        let buffer = try RowBuffer(rows: header.isInterlaced ? header.height : 1, rowBytes: rowBytes)
        func store(_ y: Int, _ row: UnsafeMutableRawPointer) {
            if isWide {
                rows.set(y, rgba: UnsafePointer(row.assumingMemoryBound(to: UInt16.self)))
            } else {
                rows.set(y, rgba: UnsafePointer(row.assumingMemoryBound(to: UInt8.self)))
            }
        }
        var failure: PictureError?
        if header.isInterlaced {
            failure = context.readInterlaced(buffer)
            for y in 0..<header.height { store(y, buffer.row(y)) }
        } else {
            var y = 0
            while y < header.height {
                failure = context.readRow(buffer.row(0), rowBytes, isLast: y == header.height - 1)
                if failure != nil { break }
                store(y, buffer.row(0))
                y += 1
            }
            rows.clearRows(from: y)
            if y == 0, let failure { throw failure }
        }
        if let failure, !allowsDamaged { throw failure }
        if !allowsDamaged { try context.finish() }
        return rows.planes
    }

    /// Adds all samples as RGBA of 8 or 16 bits, behind the chunks that say what colours they are. False for animations
    /// and for damaged files.
    static func samples(_ bytes: ByteView, _ digest: inout PictureDigest) throws(PictureError) -> Bool {
        guard let file = PNGFile(bytes), file.damage == nil, !file.has("acTL") else { return false }
        let header = file.header
        let isWide = header.depth == 16
        let rowBytes = header.width * (isWide ? 8 : 4)
        let (count, overflow) = rowBytes.multipliedReportingOverflow(by: header.height)
        guard !overflow, count <= DecodedSamples.maximumBytes else { return false }
        for number in [isWide ? 16 : 8, header.width, header.height] { digest.add(number) }
        for name in ["gAMA", "cHRM", "sRGB", "iCCP", "cICP"] as [StaticString] {
            digest.add(file.first(name, in: bytes) ?? .empty)
        }
        let context = try Context(bytes, file, allowsDamaged: false)
        try context.start(isWide: isWide)
        let buffer = try RowBuffer(rows: header.isInterlaced ? header.height : 1, rowBytes: rowBytes)
        if header.isInterlaced, let failure = context.readInterlaced(buffer) { throw failure }
        for y in 0..<header.height {
            let row = buffer.row(header.isInterlaced ? y : 0)
            if !header.isInterlaced, let failure = context.readRow(row, rowBytes, isLast: y == header.height - 1) {
                throw failure
            }
            digest.add(UnsafeRawBufferPointer(start: row, count: rowBytes))
        }
        return true
    }

    /// A libspng decoder over ranges of bytes in memory, which must outlive it.
    private final class Context {
        private let context: OpaquePointer
        private let bytes: ByteView
        /// The bytes that libspng has not read yet.
        private var ranges: ArraySlice<Range<Int>>
        /// The chunk whose length is shortened to the bytes that exist.
        private let cutChunk: Range<Int>?

        init(_ bytes: ByteView, _ file: PNGFile, allowsDamaged: Bool) throws(PictureError) {
            guard let context = spng_ctx_new(0) else { throw .needsMemory(0, limit: 0) }
            self.context = context
            self.bytes = bytes
            ranges = [0..<8] + file.pixelChunks
            cutChunk = file.cutChunk
            if allowsDamaged {
                spng_set_crc_action(context, Int32(SPNG_CRC_USE.rawValue), Int32(SPNG_CRC_USE.rawValue))
            }
            // The stream refers only to this object, and is freed before it.
            spng_set_png_stream(
                context,
                { _, user, target, length in
                    guard let user, let target else { return SPNG_IO_ERROR.rawValue }
                    return Unmanaged<Context>.fromOpaque(user).takeUnretainedValue().read(target, length)
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        deinit { spng_ctx_free(context) }

        private func read(_ target: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
            var target = target
            var left = length
            while left > 0 {
                guard let range = ranges.first, let base = bytes.buffer.baseAddress else { return SPNG_IO_EOF.rawValue }
                let count = min(left, range.count)
                memcpy(target, base + range.lowerBound, count)
                if let cutChunk, range.lowerBound == cutChunk.lowerBound, count >= 4 {
                    target.storeBytes(of: UInt32(clamping: cutChunk.count - 8).bigEndian, as: UInt32.self)
                }
                target += count
                left -= count
                ranges[ranges.startIndex] = range.lowerBound + count..<range.upperBound
                if count == range.count { ranges.removeFirst() }
            }
            return 0
        }

        /// Reads up to the first pixels, which arrive as 8-bit or 16-bit RGBA.
        func start(isWide: Bool) throws(PictureError) {
            let format = isWide ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8
            let flags = SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue
            let status = spng_decode_image(context, nil, 0, Int32(format.rawValue), Int32(flags))
            if let failure = failure(status) { throw failure }
        }

        func readRow(_ row: UnsafeMutableRawPointer, _ count: Int, isLast: Bool) -> PictureError? {
            let status = spng_decode_row(context, row, count)
            return isLast && status == SPNG_EOI.rawValue ? nil : failure(status)
        }

        func readInterlaced(_ buffer: RowBuffer) -> PictureError? {
            while true {
                var info = spng_row_info()
                let next = spng_get_row_info(context, &info)
                // If the last passes have no pixels, libspng reports the end of the rows this way.
                if next == SPNG_EOI.rawValue { return nil }
                if let failure = failure(next) { return failure }
                let status = spng_decode_row(context, buffer.row(Int(info.row_num)), buffer.rowBytes)
                if status == SPNG_EOI.rawValue { return nil }
                if let failure = failure(status) { return failure }
            }
        }

        /// Reads to the end: the chunks after the pixels must be sound too.
        func finish() throws(PictureError) {
            if let failure = failure(spng_decode_chunks(context)) { throw failure }
        }

        private func failure(_ status: Int32) -> PictureError? {
            switch status {
            case 0: nil
            case Int32(SPNG_EMEM.rawValue): .needsMemory(0, limit: 0)
            case SPNG_IO_EOF.rawValue: .damaged("the PNG's pixels end early")
            default: .damaged("PNG: " + String(cString: spng_strerror(status)))
            }
        }
    }
}

extension SourceMetadata {
    /// Resolution and profile of a PNG.
    init(_ file: PNGFile, in bytes: ByteView) {
        self.init()
        if let chunk = file.first("iCCP", in: bytes), let name = chunk.firstIndex(of: 0), chunk[name + 1] == 0 {
            profile = Inflate.zlib(chunk.from(name + 2), limit: 16 << 20)
                .flatMap { ICCProfile.checked($0, isGray: file.header.isGray) }
        }
        density = file.first("pHYs", in: bytes).flatMap(Self.density)
    }

    /// `pHYs`: pixels a metre, or a ratio.
    private static func density(_ chunk: ByteView) -> JPEGFile.Density? {
        guard let x = chunk.u32(0), let y = chunk.u32(4), let unit = chunk[8], x > 0, y > 0 else { return nil }
        let scale = unit == 1 ? 0.0254 : 1
        let (horizontal, vertical) = ((Double(x) * scale).rounded(), (Double(y) * scale).rounded())
        guard (1...65535).contains(horizontal), (1...65535).contains(vertical) else { return nil }
        return JPEGFile.Density(unit: unit == 1 ? 1 : 0, horizontal: UInt16(horizontal), vertical: UInt16(vertical))
    }
}
