/// Parses the value of a predicate option into its condition.
struct PredicateParser {
    let option: String
    let value: [UInt8]?
    let now: WallClock
    let zone: TimeZone

    func condition() throws(QueryError) -> Condition {
        switch option {
        case "type": try type()
        case "taken": .taken(try ranges("a date such as 2023, 2023-05 or 2023-05-14", DateSpan.parse), zone)
        case "last": .takenDuring(min(try age().before(now, in: zone), now)...now, zone)
        case "older-than": .takenUntil(try age().before(now, in: zone), zone)
        case "date-source": .dateSource(try dateSources())
        case "size":
            .size(try ranges("a size such as 150kB, 5MB or 2GiB") { text in ByteSize.parse(text).map { $0...$0 } })
        case "megapixels":
            .megapixels(
                try ranges("a number of megapixels such as 12 or 2.5") { text in Self.number(text).map { $0...$0 } })
        case "long-edge":
            .longEdge(try ranges("a number of pixels such as 1600") { text in Self.count(text).map { $0...$0 } })
        case "shape": .shape(try choices(Condition.Shape.self))
        case "orientation": .orientation(try orientations())
        case "camera": .camera(try textList().map { FoldedText(Self.unescaped($0)) })
        case "gps": .located(try answer(required: true))
        case "near": try near()
        case "favorite": .favorite(try answer())
        case "rating":
            .rating(
                try ranges("a rating from -1 to 5, such as 4 or 3..") { text in
                    Int(text).flatMap { (-1...5).contains($0) && Self.isInteger(text) ? $0...$0 : nil }
                })
        case "name": .name(try textList().map { Glob($0) })
        case "path": .path(try textList().map { Glob($0) })
        case "exclude": .exclude(try textList().map { Glob($0) })
        case "screenshot": .screenshot(try answer())
        case "has": .has(try choices(Condition.Part.self))
        case "orphan": .orphan(try answer())
        case "duplicate": .grouped(try duplicateKind())
        case "similar": .grouped(.similar(try number(0...128, or: GroupingKind.similarDistance)))
        case "burst": .grouped(.burst(try seconds()))
        case "blurry": .blurry(Double(try number(1...100, or: Predicate.blurrySharpness)))
        case "broken": .broken(try answer())
        case "offline": .offline(try answer())
        case "where": .expression(try WhereParser.parse(try required(), now: now, zone: zone))
        default: throw .unknownOption(option)
        }
    }

    private func required() throws(QueryError) -> [UInt8] {
        guard let value else { throw .missingValue(option: option) }
        guard !value.isEmpty else { throw .emptyValue(option: option) }
        return value
    }

    private func invalid(_ text: some Collection<UInt8>, _ expected: String) -> QueryError {
        .invalidValue(option: option, text: String(decoding: text, as: UTF8.self), expected: expected)
    }

    /// The parts of a comma-separated list, without spaces around them. An empty part is an error, as an empty value
    /// is.
    private func textList() throws(QueryError) -> [ArraySlice<UInt8>] {
        let value = try required()
        var parts: [ArraySlice<UInt8>] = []
        for part in ListSplitter.split(value) {
            var part = part
            while part.first == UInt8(ascii: " ") { part.removeFirst() }
            while part.last == UInt8(ascii: " ") { part.removeLast() }
            guard !part.isEmpty else { throw invalid(value, "a list without empty parts, such as one,two") }
            parts.append(part)
        }
        return parts
    }

    private func words() throws(QueryError) -> [String] { try textList().map { String(decoding: $0, as: UTF8.self) } }

    private func ranges<Bound>(
        _ expected: String, _ span: (String) -> ClosedRange<Bound>?
    ) throws(QueryError) -> [ValueRange<Bound>] {
        var ranges: [ValueRange<Bound>] = []
        for word in try words() {
            ranges.append(try .parse(word, option: option, expected: expected, span: span))
        }
        return ranges
    }

    private func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
        _: Choice.Type
    ) throws(QueryError) -> Set<Choice> where Choice.RawValue == String {
        var choices: Set<Choice> = []
        for word in try words() {
            guard let choice = Choice(rawValue: word.lowercased()) else {
                let known = Choice.allCases.map(\.rawValue)
                throw invalid(word.utf8, "one of " + known.joined(separator: ", ") + Self.suggestion(word, known))
            }
            choices.insert(choice)
        }
        return choices
    }

    /// `=yes` or `=no`; without a value, the answer is yes.
    private func answer(required isRequired: Bool = false) throws(QueryError) -> Bool {
        if value == nil, !isRequired { return true }
        let text = try required()
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "yes", "true": return true
        case "no", "false": return false
        default: throw invalid(text, "yes or no")
        }
    }

    private func age() throws(QueryError) -> Age {
        let text = try required()
        guard let age = Age.parse(String(decoding: text, as: UTF8.self)) else {
            throw invalid(text, "an age such as 30d, 6w, 18mo or 2y")
        }
        return age
    }

    private func type() throws(QueryError) -> Condition {
        var (kinds, formats) = (Set<MediaKind>(), Set<MediaFormat>())
        for word in try words() {
            let word = word.lowercased()
            if let kind = MediaKind(rawValue: word) {
                kinds.insert(kind)
            } else if let format = FormatName.format(word) {
                formats.insert(format)
            } else {
                let known = MediaKind.allCases.map(\.rawValue) + MediaFormat.allCases.map(\.rawValue)
                throw invalid(
                    word.utf8, "photo, raw, video or a format such as jpeg, heic or mov" + Self.suggestion(word, known))
            }
        }
        return .type(kinds: kinds, formats: formats)
    }

    private func dateSources() throws(QueryError) -> Set<CaptureDate.Source> {
        var sources: Set<CaptureDate.Source> = []
        for word in try words() {
            let word = word.lowercased()
            let named = CaptureDate.Source.allCases.filter {
                $0.rawValue.lowercased() == word || word == "exif" && $0.rawValue.hasPrefix("exif.")
            }
            guard !named.isEmpty else {
                let known = ["exif"] + CaptureDate.Source.allCases.map(\.rawValue)
                throw invalid(word.utf8, "one of " + known.joined(separator: ", ") + Self.suggestion(word, known))
            }
            sources.formUnion(named)
        }
        return sources
    }

    private func orientations() throws(QueryError) -> Set<Int> {
        var values: Set<Int> = []
        for word in try words() {
            guard word.utf8.count == 1, let value = Int(word), Orientation(rawValue: value) != nil else {
                throw invalid(word.utf8, "an orientation from 1 to 8, such as 6 or 6,8")
            }
            values.insert(value)
        }
        return values
    }

    private func near() throws(QueryError) -> Condition {
        let text = try required()
        let numbers = String(decoding: text, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            .map { Self.number(String($0.drop { $0 == " " })) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let kilometres = numbers[2],
            kilometres >= 0, let place = Coordinate(latitude: latitude, longitude: longitude)
        else { throw invalid(text, "LAT,LON,KM, in degrees and kilometres, such as 48.137,11.575,5") }
        return .near(place, kilometres: kilometres)
    }

    private func duplicateKind() throws(QueryError) -> GroupingKind {
        guard value != nil else { return .sameBytes }
        let text = try required()
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "bytes": return .sameBytes
        case "pixels": return .samePixels
        default: throw invalid(text, "bytes or pixels")
        }
    }

    /// A whole number in `range`; `usual` where the option has no value.
    private func number(_ range: ClosedRange<Int>, or usual: Int) throws(QueryError) -> Int {
        guard value != nil else { return usual }
        let text = try required()
        guard let number = Self.count(String(decoding: text, as: UTF8.self)), range.contains(number) else {
            throw invalid(text, "a number from \(range.lowerBound) to \(range.upperBound), such as \(usual)")
        }
        return number
    }

    private func seconds() throws(QueryError) -> Double {
        guard value != nil else { return GroupingKind.burstSeconds }
        let text = try required()
        guard let seconds = Self.number(String(decoding: text, as: UTF8.self)), (0...86400).contains(seconds) else {
            throw invalid(text, "seconds from one shot to the next, such as 1 or 0.5")
        }
        return seconds
    }

    private static func suggestion(_ word: String, _ known: [String]) -> String {
        Suggestion.nearest(to: word, in: known).map { "; did you mean '\($0)'?" } ?? ""
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                plain.append(byte)
                isEscaped = false
            }
        }
        return plain
    }

    private static func isInteger(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
    }

    static func count(_ text: String) -> Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }

    /// A decimal number without an exponent; `Double` alone would also accept `inf` and `0x1p3`.
    static func number(_ text: String) -> Double? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.first?.isASCIIDigit == true, digits.last?.isASCIIDigit == true,
            digits.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }
}
