/// Why a file is in the result of a query, or is not.
package struct Explanation: Sendable {
    /// Whether the file has a row in the library, and if not, why.
    package enum Verdict: Hashable, Sendable {
        /// A photo in the library. The predicates decide.
        case photo
        /// It has no row of its own, but belongs to the row of `main`.
        case companion(of: FilePath)
        /// Its name, or that of a folder above it, is ignored; `at` says which.
        case ignored(IgnoreRule, at: FilePath)
        /// No operand of the query is the file or a folder above it.
        case outside
        case folder
    }

    /// Whether one predicate matches the file.
    package struct Answer: Sendable {
        package let predicate: Predicate
        /// Nil if unknown, which never matches.
        package let matches: Bool?
        /// For a predicate that makes groups: the group of the photo, whether it matches or not.
        package var group: GroupMembership?
        /// It is the one that stays in this group.
        package var isKept = false
        /// Look-alikes of which the user has said with `--not-alike` that they are none.
        package var notAlike: [FilePath] = []
    }

    package let verdict: Verdict
    /// One answer for each predicate of the query, in order; empty unless the verdict is `photo`.
    package let answers: [Answer]
    /// The companions of the photo.
    package var companions: [FilePath] = []

    /// True if the query finds the file. Ignores its limit.
    package var isIn: Bool { verdict == .photo && answers.allSatisfy { $0.matches == true } }
}

extension PhotoLibrary {
    /// Looks at one file as `query` would. Throws if it does not exist.
    package static func explain(
        _ file: FilePath, _ query: LibraryQuery, environment: Environment
    ) throws(LibraryError) -> Explanation {
        let file = file.withoutTrailingSlashes
        if let verdict = try verdict(onName: file, query) { return Explanation(verdict: verdict, answers: []) }
        var lookup = UnitLookup(now: query.now)
        // A companion has a row only if it was named explicitly.
        if query.units, try !isOperand(file, query) {
            let main = try lookup.unit(of: file).main
            if main != file { return Explanation(verdict: .companion(of: main), answers: []) }
        }
        var alone = query
        alone.operands = [file]
        alone.order = SortOrder(.none)
        alone.limit = nil
        var answers: [Explanation.Answer] = []
        let photo = try find(file, alone, with: [], environment)
        var isPhoto = photo != nil
        for predicate in query.predicates {
            if predicate.grouping != nil {
                answers.append(try answer(predicate, aboutGroupsOf: file, query, environment))
                continue
            }
            // Orphans can only be determined with the whole library.
            var search = alone
            let isAboutOthers = predicate.needs.contains(.orphans)
            if isAboutOthers { search.operands = query.operands }
            let isMatch = try find(file, search, with: [predicate], environment) != nil
            isPhoto = isPhoto || isMatch
            answers.append(
                .init(
                    predicate: predicate,
                    matches: isMatch ? true : isAboutOthers ? false : try answer(predicate, file, alone, environment)))
        }
        if isPhoto {
            return Explanation(verdict: .photo, answers: answers, companions: photo?.companions ?? [])
        }
        let main = try lookup.unit(of: file).main
        return Explanation(
            verdict: main == file ? .ignored(.noMedia, at: file) : .companion(of: main), answers: [])
    }

    private static func isOperand(_ file: FilePath, _ query: LibraryQuery) throws(LibraryError) -> Bool {
        let path = try absolute(file)
        for operand in query.operands where try absolute(operand) == path { return true }
        return false
    }

    /// False if the predicate does not match, nil if it is undecided.
    private static func answer(
        _ predicate: Predicate, _ file: FilePath, _ query: LibraryQuery, _ environment: Environment
    ) throws(LibraryError) -> Bool? {
        guard let photo = try find(file, query, with: [], environment) else { return false }
        var subject = Subject(photo)
        subject.isRead = !photo.isOffline
        let own: Predicate.Needs = [.format, .metadata, .rating, .date, .location]
        return predicate.needs.isSubset(of: own) && predicate.matches(subject) == nil
            ? nil : false
    }

    /// Which of a group stays depends on the whole library, and on the other predicates of the query.
    private static func answer(
        _ predicate: Predicate, aboutGroupsOf file: FilePath, _ query: LibraryQuery, _ environment: Environment
    ) throws(LibraryError) -> Explanation.Answer {
        var search = query
        search.order = SortOrder(.none)
        search.limit = nil
        search.detail = .everything
        let result = try photos(search, environment: environment)
        let wanted = try absolute(file)
        var answer = Explanation.Answer(predicate: predicate, matches: query.grouping.isUnique)
        for (path, group) in result.memberships where path.lastComponent == file.lastComponent {
            guard try absolute(path) == wanted else { continue }
            let matches = !query.grouping.isUnique && group.role == .redundant
            answer = .init(predicate: predicate, matches: matches, group: group, isKept: group.keep == path)
        }
        for (path, others) in result.keptApart where path.lastComponent == file.lastComponent {
            if try absolute(path) == wanted { answer.notAlike = others }
        }
        return answer
    }

    private static func find(
        _ file: FilePath, _ query: LibraryQuery, with predicates: [Predicate], _ environment: Environment
    ) throws(LibraryError) -> Photo? {
        var query = query
        query.predicates = predicates
        query.detail = .everything
        let wanted = try absolute(file)
        for photo in try photos(query, environment: environment).photos
        where photo.path.lastComponent == file.lastComponent {
            if try absolute(photo.path) == wanted { return photo }
        }
        return nil
    }

    /// The verdict without opening the file; nil if that is not enough.
    private static func verdict(
        onName file: FilePath, _ query: LibraryQuery
    ) throws(LibraryError) -> Explanation.Verdict? {
        let kind: FileKind
        do throws(POSIXError) { kind = try FileStatus.of(file).kind } catch {
            throw error.isMissing ? .missing(file) : .unreadable(error)
        }
        let path = try absolute(file)
        var root: FilePath?
        for operand in query.operands + query.grouping.against {
            let operand = try absolute(operand)
            if path.isSameOrBelow(operand) { root = operand }
        }
        guard var place = root else { return .outside }
        if kind == .directory { return .folder }
        for name in path.bytes.dropFirst(place.bytes.count).split(separator: UInt8(ascii: "/")) {
            place = place.appending(name)
            if let rule = IgnoreRule.rule(forName: name), rule != .hidden || !isShown(name, query) {
                return .ignored(rule, at: place)
            }
            if (try? FileStatus.of(place).kind) == .symbolicLink { return .ignored(.symbolicLink, at: place) }
        }
        switch kind {
        case .symbolicLink: return .ignored(.symbolicLink, at: path)
        case .other: return .ignored(.special, at: path)
        case .regular, .directory: return nil
        }
    }

    private static func isShown(_ name: ArraySlice<UInt8>, _ query: LibraryQuery) -> Bool {
        query.includeHidden || CloudStub.originalName(Array(name)) != nil
    }

    private static func absolute(_ path: FilePath) throws(LibraryError) -> FilePath {
        do throws(POSIXError) { return try path.absolute() } catch { throw .unreadable(error) }
    }
}
