internal import TidyKit

/// Options about groups: photos with the same content, look-alikes and bursts.
extension OptionSpec {
    static let duplicate = OptionSpec(
        "duplicate", value: OptionValue("pixels", .choice(["bytes", "pixels"]), isOptional: true),
        repetition: .refused, group: .predicates,
        help: "copies with the same bytes, all but the one that stays; =pixels: the same picture under other metadata")
    static let similar = OptionSpec(
        "similar", value: OptionValue("N", .integer(0...128), isOptional: true), repetition: .refused,
        group: .predicates,
        help: "look-alikes, rotated or not, all but the one that stays; N of 256 bits may differ "
            + "(default: \(GroupingKind.similarDistance))")
    static let burst = OptionSpec(
        "burst", value: OptionValue("SECONDS", .decimal(0...86400), isOptional: true), repetition: .refused,
        group: .predicates,
        help: "shots of one camera, each within SECONDS (1) of the one before, all but the one that stays; never those "
            + "of a bracket, focus stack, panorama or timelapse")
    static let blurry = OptionSpec(
        "blurry", value: OptionValue("N", .integer(1...100), isOptional: true), repetition: .collects,
        group: .predicates,
        help: "less sharp than N (\(Predicate.blurrySharpness)) of 100: soft when seen on a whole screen")

    static let keep = OptionSpec(
        "keep", value: OptionValue("RULE,...", .list(KeepRule.allCases.map(\.rawValue))), default: "best",
        group: .groups,
        help: "which one of a group stays: best, oldest, newest, largest, smallest, pixels, sharpest, rated, first")
    static let prefer = OptionSpec(
        "prefer", value: OptionValue("PATH|GLOB", .file), repetition: .collects, group: .groups,
        help: "what is below PATH, or matches GLOB, stays rather than others")
    static let against = OptionSpec(
        "against", value: OptionValue("PATH", .file), repetition: .collects, group: .groups,
        help: "compare with the photos in PATH too; those always stay")
    static let unique = OptionSpec(
        "unique", group: .groups, help: "match what has no partner instead; with --against, what is not there yet")
    static let groups = OptionSpec("groups", group: .groups, help: "show each group whole, the one that stays first")

    static let notAlike = OptionSpec(
        "not-alike", group: .groups,
        help: "with --similar and two PATHs: remember that these photos are not alike; they are never grouped again")
    static let forget = OptionSpec("forget", group: .groups, help: "with --not-alike: forget that decision")

    /// Those that need one of the filters that make groups.
    static let grouping = [keep, prefer, against, unique]
    /// The filters that make groups, of which a run takes one.
    static let grouped = [duplicate, similar, burst]
}

extension CommandContext {
    /// The members of all selections.
    func selectedPhotos() throws -> Set<FilePath> {
        let store = SelectionStore(environment)
        var photos: Set<FilePath> = []
        for name in try store.names() {
            for member in try store.selection(name)?.members ?? [] { photos.insert(member.path) }
        }
        return photos
    }
}

extension ParsedArguments {
    /// What the command line says about groups.
    func groupRequest(_ context: CommandContext) throws -> GroupRequest {
        try refuseDetachedValues()
        var request = GroupRequest()
        let options = (OptionSpec.grouping + [.groups]).filter(has)
        guard OptionSpec.grouped.contains(where: has) else {
            if let option = options.first {
                throw usageError("'\(option.long)' needs --duplicate, --similar or --burst, which make groups")
            }
            return request
        }
        if has(.unique), has(.groups) {
            throw usageError("'--groups' cannot go with --unique: what has no partner is in no group")
        }
        if let list = text(.keep) { request.keep = try keepRules(list) }
        do throws(POSIXError) {
            for place in values(.prefer) { request.preferred.append(try PlacePattern(FilePath(place))) }
            for place in values(.against) {
                request.against.append(FilePath(place))
                request.protected.append(try PlacePattern(folder: FilePath(place)))
            }
        } catch { throw error.isMissing ? LibraryError.missing(error.path ?? .current) : .unreadable(error) }
        request.isUnique = has(.unique)
        request.showsGroups = has(.groups)
        if has(.similar) { request.areApart = try NotAlikeStore(context.environment).question() }
        request.selected = try context.selectedPhotos()
        return request
    }

    /// - Parameter places: which of the values of `--prefer`, counted from 0.
    func warn(ofUnmatched places: [Int], _ diagnostics: Diagnostics) {
        let given = values(.prefer)
        for place in places where given.indices.contains(place) {
            diagnostics.warning("--prefer \(TerminalText.escaped(given[place])) matches no photo, so it has no effect")
        }
    }

    /// Paths say nothing about groups: whoever passes them on to `delete` must know what stays.
    func warn(ofGroupsIn request: OutputRequest, _ count: Int, _ context: CommandContext) {
        guard count > 0, request.format == .paths || request.format == .null, !context.output.isTerminal,
            !has(.unique), OptionSpec.grouped.contains(where: has)
        else { return }
        context.diagnostics.note(
            has(.groups)
                ? "These lines include the photos that stay. To delete, leave out --groups and use 'phototidy delete', or "
                    + "pass on --ndjson, which names what stays."
                : "These lines do not say what stays. To delete, use 'phototidy delete' with the same filters, or pass on "
                    + "--ndjson, which names it.")
    }

    /// `--similar 5` is `--similar` and a path `5`; if there is no such file, it was meant as a value.
    private func refuseDetachedValues() throws(UsageError) {
        for option in OptionSpec.grouped + [.blurry] where has(option) && value(option) == nil {
            for operand in operands {
                let text = String(decoding: operand.bytes, as: UTF8.self)
                let isValue =
                    if case .choice(let words)? = option.value?.kind { words.contains(text) } else {
                        OptionValue.decimal(text) != nil
                    }
                guard isValue, (try? FileStatus.of(operand)) == nil else { continue }
                throw usageError("there is no file '\(text)'; as a value, write \(option.long)=\(text)")
            }
        }
    }

    private func keepRules(_ list: String) throws(UsageError) -> [KeepRule] {
        var rules: [KeepRule] = []
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let rule = KeepRule(rawValue: String(word)) else {
                let known = KeepRule.allCases.map(\.rawValue)
                let near = Suggestion.nearest(to: String(word), in: known).map { "; did you mean '\($0)'?" }
                throw usageError(
                    "invalid value '\(TerminalText.escaped(String(word)))' for --keep: it must be "
                        + OptionValue.alternatives(known) + (near ?? ""))
            }
            rules.append(rule)
        }
        return rules
    }
}
