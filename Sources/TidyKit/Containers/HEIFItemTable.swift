/// The items of a HEIF file as libheif interprets them: of duplicates, the first counts.
struct HEIFItemTable {
    private(set) var primary: Int?
    /// The items of which an item is composed (`dimg`).
    private(set) var parts: [Int: [Int]] = [:]
    /// The alpha planes and other auxiliary pictures of an item (`auxl`).
    private(set) var auxiliaries: [Int: [Int]] = [:]
    /// The thumbnails of an item (`thmb`).
    private(set) var thumbnails: [Int: [Int]] = [:]
    private var types: [Int: UInt32] = [:]
    /// EXIF and XMP.
    private var descriptions: Set<Int> = []
    private var locations: [Int: HEIFLocation] = [:]
    private var properties: HEIFProperties?
    private let inlineData: ByteView
    private let fileBytes: Int
    private var budget = UnitBudget()
    /// By the index of the configuration, which many tiles share.
    private var configured: [Int: CodedFrame?] = [:]

    /// The types whose content libheif reads one at a time, for their pixels. It reads the content of other items when
    /// it opens the file.
    private static let pictures: Set<UInt32> = Set(
        ["hvc1", "hev1", "av01", "grid", "iovl", "iden", "jpeg", "avc1", "j2k1", "unci"].map { ISOBox.code($0) })

    /// - Parameter meta: the content of the box after its version and flags.
    init(_ meta: ByteView, fileBytes: Int) {
        self.fileBytes = fileBytes
        inlineData = ISOBoxes.first("idat", in: meta) ?? .empty
        primary = ISOBoxes.first("pitm", in: meta).flatMap { $0[0] == 0 ? $0.int16(4) : $0.int32(4) }
        if let box = ISOBoxes.first("iinf", in: meta) { readTypes(box) }
        if let box = ISOBoxes.first("iref", in: meta) { readReferences(box) }
        if let box = ISOBoxes.first("iloc", in: meta) {
            for location in HEIFLocation.all(in: box, limit: HEIFLocation.maximumItems)
            where locations[location.identifier] == nil { locations[location.identifier] = location }
        }
        properties = ISOBoxes.first("iprp", in: meta).map { HEIFProperties($0, limit: HEIFLocation.maximumItems) }
    }

    /// `iinf` (ISO 14496-12, section 8.11.6).
    private mutating func readTypes(_ box: ByteView) {
        for entry in ISOBoxes(box.from(box[0] == 0 ? 6 : 8)).prefix(HEIFLocation.maximumItems)
        where entry.type == ISOBox.code("infe") {
            let isWide = entry.content[0] == 3
            guard let identifier = isWide ? entry.content.int32(4) : entry.content.int16(4),
                let type = entry.content.u32(isWide ? 10 : 8), types[identifier] == nil
            else { continue }
            types[identifier] = type
            let name = entry.content.from(isWide ? 14 : 12)
            let mediaType = name.from((name.firstIndex(of: 0) ?? name.count) + 1)
            if type == ISOBox.code("Exif")
                || type == ISOBox.code("mime") && mediaType.starts(with: "application/rdf+xml")
            {
                descriptions.insert(identifier)
            }
        }
    }

    /// `iref` (ISO 14496-12, section 8.11.12).
    private mutating func readReferences(_ box: ByteView) {
        let isWide = box[0] != 0
        let size = isWide ? 4 : 2
        for reference in ISOBoxes(box.from(4)) {
            func identifier(_ at: Int) -> Int? {
                isWide ? reference.content.int32(at) : reference.content.int16(at)
            }
            guard let from = identifier(0), let count = reference.content.int16(size) else { continue }
            let others = (0..<count).lazy.compactMap { identifier(size + 2 + $0 * size) }
            switch reference.type {
            case ISOBox.code("dimg"): parts[from, default: []] += others
            case ISOBox.code("auxl"): for other in others { auxiliaries[other, default: []].append(from) }
            case ISOBox.code("thmb"): for other in others { thumbnails[other, default: []].append(from) }
            default: continue
            }
        }
    }

    /// True if no item claims more bytes than the file has, and neither do all items together that are not pictures.
    var fitsFile: Bool {
        locations.values.allSatisfy { $0.length <= fileBytes } && bytesReadOnOpening <= fileBytes
    }

    /// What the items claim that are not pictures.
    var bytesReadOnOpening: Int64 {
        locations.reduce(0) { sum, entry in
            types[entry.key].map(Self.pictures.contains) == true ? sum : sum.addingClamped(entry.value.length)
        }
    }

    /// Where the data of an item is.
    func location(of item: Int) -> HEIFLocation? { locations[item] }

    /// The frame of an item coded as AV1 or HEVC; nil for others.
    mutating func frame(
        of item: Int, in file: ByteView, trustsFrames: Bool
    ) throws(UnreadableFrame) -> CodedFrame? {
        try frame(of: item, trustsFrames: trustsFrames) { (items) throws(UnreadableFrame) in
            try items.content(of: item, in: file)
        }
    }

    /// Same, for an item whose data, all of them, have been read.
    mutating func frame(
        of item: Int, coded data: ByteView, trustsFrames: Bool
    ) throws(UnreadableFrame) -> CodedFrame? {
        try frame(of: item, trustsFrames: trustsFrames) { (_) throws(UnreadableFrame) in ItemContent(pieces: [data]) }
    }

    private mutating func frame(
        of item: Int, trustsFrames: Bool, content: (HEIFItemTable) throws(UnreadableFrame) -> ItemContent
    ) throws(UnreadableFrame) -> CodedFrame? {
        let isAV1: Bool
        switch types[item] {
        case ISOBox.code("av01"): isAV1 = true
        case ISOBox.code("hvc1"), ISOBox.code("hev1"): isAV1 = false
        default: return nil
        }
        var largest = CodedFrame()
        var hasFrame = false
        func merge(_ frame: CodedFrame?) {
            guard let frame else { return }
            largest.widen(frame)
            hasFrame = true
        }
        for place in properties?.places(of: item) ?? [] {
            merge(try configuredFrame(place, isAV1: isAV1, trustsFrames: trustsFrames))
        }
        let content = try content(self)
        merge(
            try content.withView { (view) throws(UnreadableFrame) in
                isAV1
                    ? try AV1Sequence.largestFrame(view, isWhole: false, trustsFrames: trustsFrames, &budget)
                    : try HEVCSequence.largestFrame(view, &budget)
            })
        guard hasFrame else { throw UnreadableFrame() }
        return largest
    }

    /// The bytes that the items claim, of those in the file (method 0) or in the `idat` box (1).
    func ranges(method: Int) -> [Range<Int>] {
        locations.values.filter { $0.method == method && types[$0.identifier] != nil }.flatMap(\.extents).compactMap {
            let start = Int(clamping: $0.offset)
            let (end, overflow) = start.addingReportingOverflow(Int(clamping: $0.length))
            return overflow || $0.length < 0 || start < 0 ? nil : start..<end
        }
    }

    /// Passes on all items but EXIF, XMP and thumbnails, with their properties, in the order of their numbers. False if
    /// one of them is not whole, if together they claim more than twice the file, which no encoder writes and which
    /// takes hours to visit, or after Ctrl-C.
    /// - Parameter onlyUnshown: leaves out those that the main picture shows.
    func visitPictures(
        in file: ByteView, onlyUnshown: Bool = false, _ visit: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        let claimed = locations.values.reduce(Int64(0)) { $0.addingClamped($1.length) }
        guard let primary, claimed <= 2 * Int64(fileBytes) else { return false }
        func add(_ number: Int) { withUnsafeBytes(of: Int64(number)) { visit($0) } }
        if !onlyUnshown { add(primary) }
        var omitted = Set(thumbnails.values.joined()).union(descriptions)
        omitted.remove(primary)
        if onlyUnshown { omitted.formUnion(shown(by: primary)) }
        for (item, type) in types.sorted(by: { $0.key < $1.key }) where !omitted.contains(item) {
            if Interrupt.isRequested { return false }
            add(item)
            add(Int(type))
            for place in properties?.places(of: item) ?? [] {
                guard let property = properties?.all[place] else { return false }
                add(Int(property.type))
                visit(property.content.buffer)
            }
            let related = parts[item, default: []] + auxiliaries[item, default: []].sorted()
            add(related.count)
            for other in related { add(other) }
            guard let content = try? content(of: item, in: file) else { return false }
            guard (try? content.withView({ visit($0.buffer) })) != nil else { return false }
        }
        return true
    }

    /// An item with its parts, theirs, and their alpha planes.
    private func shown(by item: Int) -> Set<Int> {
        var shown: Set<Int> = [item]
        var open = [item]
        while let item = open.popLast() {
            let others = parts[item, default: []] + auxiliaries[item, default: []].filter(isAlpha)
            for other in others where shown.insert(other).inserted { open.append(other) }
        }
        return shown
    }

    /// By the type of the auxiliary picture (ISO 23008-12, section 6.5.8; of AVC and HEVC, annex B and D).
    private func isAlpha(_ item: Int) -> Bool {
        (properties?.places(of: item) ?? []).contains { place in
            guard let property = properties?.all[place], property.type == ISOBox.code("auxC") else { return false }
            let name = property.content.from(4).untilNUL
            return name.contains("auxiliary:alpha") || name.contains("auxid:1")
        }
    }

    /// The type of the configuration box that an AV1 or HEVC item lacks; no decoder accepts such an item.
    func missingConfiguration(of item: Int) -> StaticString? {
        let name: StaticString
        switch types[item] {
        case ISOBox.code("av01"): name = "av1C"
        case ISOBox.code("hvc1"), ISOBox.code("hev1"): name = "hvcC"
        default: return nil
        }
        let isPresent = properties?.places(of: item).contains { properties?.all[$0].type == ISOBox.code(name) }
        return isPresent == true ? nil : name
    }

    private mutating func configuredFrame(
        _ place: Int, isAV1: Bool, trustsFrames: Bool
    ) throws(UnreadableFrame) -> CodedFrame? {
        guard let property = properties?.all[place] else { return nil }
        guard property.type == (isAV1 ? ISOBox.code("av1C") : ISOBox.code("hvcC")) else { return nil }
        if let known = configured[place] { return known }
        // The units are preceded by four bytes (AV1 codec ISO media file format binding, section 2.3.3).
        let frame =
            isAV1
            ? try AV1Sequence.largestFrame(
                property.content.from(4), isWhole: true, trustsFrames: trustsFrames, &budget)
            : try HEVCSequence.largestFrame(ofConfiguration: property.content, &budget)
        configured[place] = .some(frame)
        return frame
    }

    /// The coded data of an item, joined if they are in several extents.
    private func content(of item: Int, in file: ByteView) throws(UnreadableFrame) -> ItemContent {
        guard let location = locations[item], location.isWhole, location.method < 2 else { throw UnreadableFrame() }
        let source = location.method == 0 ? file : inlineData
        var pieces: [ByteView] = []
        for extent in location.extents {
            guard extent.length > 0,
                let piece = source.slice(Int(clamping: extent.offset), Int(clamping: extent.length))
            else { throw UnreadableFrame() }
            pieces.append(piece)
        }
        return ItemContent(pieces: pieces)
    }
}

private struct ItemContent {
    let pieces: [ByteView]

    /// Copies the data only if they are in several extents.
    func withView<Result>(_ body: (ByteView) throws(UnreadableFrame) -> Result) throws(UnreadableFrame) -> Result {
        if pieces.count == 1 { return try body(pieces[0]) }
        let whole = pieces.flatMap { Array($0.buffer) }
        return try whole.withView(body)
    }
}
