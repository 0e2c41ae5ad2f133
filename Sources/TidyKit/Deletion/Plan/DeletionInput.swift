/// Turns what the user named into candidates: the photos of folders that match the predicates, and files with their
/// companions.
package struct DeletionInput: Sendable {
    package var options: DeletionOptions
    package var now: WallClock
    /// `--hidden`, `--no-index`
    package var includeHidden = false
    package var useIndex = true
    /// `--no-units`: each file is a photo of its own, without companions.
    package var splitsUnits = false
    /// Decides for `--broken`.
    package var damageDetector: DamageDetector?
    /// `--all`: every photo of a folder, without a predicate.
    package var takesAll = false
    package var allowsIncomplete = false
    package var trustsModified = false
    package var predicates: [Predicate] = []
    package var grouping = GroupRequest()
    /// The folders of the files that are named; the planner uses them too.
    package let roots = LibraryRoots()

    package init(options: DeletionOptions, now: WallClock) {
        self.options = options
        self.now = now
    }

    /// The photos to plan, and what could not be read.
    package struct Candidates: Sendable {
        package var photos: [DeletionCandidate] = []
        /// Parts of the library that could not be read; empty unless `allowsIncomplete`.
        package var warnings: [LibraryWarning] = []
        /// How many files were not compared with others, by reason.
        package var notCompared: [String: Int] = [:]
        /// Which places of `--prefer` no file lies below or matches, counted from 0.
        package var unmatchedPreferences: [Int] = []

        package init(
            photos: [DeletionCandidate] = [], warnings: [LibraryWarning] = [], notCompared: [String: Int] = [:]
        ) {
            self.photos = photos
            self.warnings = warnings
            self.notCompared = notCompared
        }
    }

    // MARK: Files and folders

    /// The candidates for operands. A link becomes a candidate that the planner denies; a folder needs predicates or
    /// `--all`.
    package func candidates(
        operands: [FilePath], environment: Environment, progress: Progress = .none
    ) throws(DeletionError) -> Candidates {
        let forbidden = ForbiddenPlaces(environment)
        var folders: [FilePath] = []
        var files: [FilePath] = []
        var others: [FilePath] = []
        // Their companions are unknown, so nothing of these photos is deleted.
        var unseen: [(path: FilePath, error: POSIXError)] = []
        for operand in operands {
            let path = operand.withoutTrailingSlashes
            let kind: FileKind?
            do throws(POSIXError) { kind = try FileStatus.of(path).kind } catch {
                guard error.isMissing else {
                    unseen.append((path, error))
                    continue
                }
                kind = nil
            }
            roots.add(kind == .directory ? path : path.directory)
            switch kind {
            case .directory:
                do throws(Refusal) { try forbidden.check(operand: path) } catch { throw .refused(error) }
                guard takesAll || !predicates.isEmpty else { throw .refused(.bareFolder(operand)) }
                folders.append(path)
            case .regular: files.append(path)
            default: others.append(path)
            }
        }
        var result = Candidates()
        if predicates.isEmpty {
            result.photos = try candidates(listed: files.map { ListedPhoto(path: $0) })
            files = []
        }
        if !folders.isEmpty || !files.isEmpty {
            let found = try search(folders + files, environment, progress)
            result.photos += found.photos
            result.warnings = found.warnings
            result.notCompared = found.notCompared
            result.unmatchedPreferences = found.unmatchedPreferences
        }
        result.photos += others.map { DeletionCandidate(unit: PhotoUnit(main: $0)) }
        result.photos += unseen.map { path, error in
            DeletionCandidate(unit: PhotoUnit(main: path), obstacle: "it cannot be read: \(error.reason)")
        }
        return result
    }

    private func search(
        _ operands: [FilePath], _ environment: Environment, _ progress: Progress
    ) throws(DeletionError) -> Candidates {
        var query = LibraryQuery(operands: operands, predicates: predicates, now: now)
        query.includeHidden = includeHidden
        query.useIndex = useIndex
        query.units = !splitsUnits
        query.roots = roots
        for place in grouping.against { roots.add(place.withoutTrailingSlashes) }
        query.damageDetector = damageDetector
        query.grouping = grouping
        for place in options.protected {
            // The planner refuses one that is not there.
            if let pattern = try? PlacePattern(place) { query.grouping.protected.append(pattern) }
        }
        let found: LibraryResult
        do throws(LibraryError) {
            found = try PhotoLibrary.photos(query, environment: environment, progress: progress)
        } catch { throw .library(error) }
        if let first = found.warnings.first, !allowsIncomplete {
            throw .refused(.incomplete(first.description, count: found.warnings.count))
        }
        try refuseCompanionsAlone(among: operands, found.photos)
        if predicates.contains(where: \.dependsOnDate), !trustsModified {
            let doubtful = found.photos.filter { $0.taken?.source == .modified }
            if let first = doubtful.first { throw .refused(.modifiedDateOnly(first.path, count: doubtful.count)) }
        }
        var candidates = Candidates(
            photos: found.photos.map { candidate($0, kept: found.keptCopies[$0.path]) }, warnings: found.warnings,
            notCompared: found.statistics.notCompared)
        candidates.unmatchedPreferences = found.unmatchedPreferences
        return candidates
    }

    /// - Parameter kept: for a photo of a group, the one that stays.
    private func candidate(_ photo: Photo, kept: KeptCopy?) -> DeletionCandidate {
        let kept = kept?.path == photo.path ? nil : kept
        var candidate = DeletionCandidate(
            unit: leavesCompanions
                ? PhotoUnit(main: photo.path)
                : PhotoUnit(main: photo.path, companions: photo.companions, shared: photo.shared),
            recorded: photo.identity, isOffline: photo.isOffline, kept: kept)
        candidate.taken = photo.taken
        candidate.reason = predicates.isEmpty ? nil : predicates.map(\.text).joined(separator: " ")
        if let kept {
            candidate.reason = (candidate.reason ?? "") + kept.explanation(in: photo.group?.kind)
        } else if !grouping.isUnique, predicates.contains(where: { $0.grouping != nil }) {
            // No photo of a group goes unless another one is named that stays.
            candidate.obstacle = "the one that stays in its group"
        }
        return candidate
    }

    /// The candidate for a file without its companions.
    private func alone(
        _ photo: ListedPhoto, _ favors: [FilePath: String], _ lookup: inout UnitLookup
    ) -> DeletionCandidate {
        let path = photo.path.withoutTrailingSlashes
        var candidate = DeletionCandidate(
            unit: PhotoUnit(main: path), recorded: photo.identity, isOffline: photo.isOffline)
        if !NamedMedia.isIn(path), let unit = try? lookup.unit(of: path), unit.main == path, unit.companions.isEmpty {
            candidate.obstacle = "not a photo or video"
        }
        note(photo, favors, &lookup, &candidate)
        return candidate
    }

    private var leavesCompanions: Bool { splitsUnits || options.companions == .only }

    /// Throws if the predicates chose a companion that was named explicitly, but not its main file.
    private func refuseCompanionsAlone(among operands: [FilePath], _ photos: [Photo]) throws(DeletionError) {
        if leavesCompanions { return }
        let named = Set(operands)
        var lookup = UnitLookup(now: now, roots: roots)
        let chosen = Set(photos.map(\.path))
        for photo in photos where photo.companions.isEmpty && named.contains(photo.path) {
            // An unreadable file has been reported already.
            guard let main = try? lookup.unit(of: photo.path).main, main != photo.path, !chosen.contains(main) else {
                continue
            }
            throw .refused(.companionAlone(photo.path, main: main))
        }
    }

    // MARK: Files named outright

    /// The candidates for files that a list, a selection or the command line names. Throws if a companion is named
    /// without its main file.
    /// - Parameter environment: where the index lives, for what is known of photos in groups.
    package func candidates(
        listed: [ListedPhoto], environment: Environment? = nil
    ) throws(DeletionError) -> [DeletionCandidate] {
        for photo in listed { roots.add(photo.path.withoutTrailingSlashes.directory) }
        var lookup = UnitLookup(now: now, roots: roots)
        let favors = favors(of: listed, environment)
        if leavesCompanions {
            return listed.map { alone($0, favors, &lookup) }
        }
        var candidates: [DeletionCandidate] = []
        var companions: [(path: FilePath, mains: [FilePath])] = []
        for photo in listed {
            let path = photo.path.withoutTrailingSlashes
            var candidate = DeletionCandidate(
                unit: PhotoUnit(main: path), recorded: photo.identity, isOffline: photo.isOffline)
            do throws(LibraryError) {
                let unit = try lookup.unit(of: path)
                if unit.main != path {
                    let isShared = unit.shared?.files.contains(path) ?? false
                    companions.append((path, isShared ? unit.shared?.photos ?? [] : [unit.main]))
                    continue
                }
                candidate.unit = unit
                if unit.companions.isEmpty, !NamedMedia.isIn(path) { candidate.obstacle = "not a photo or video" }
            } catch {
                // The planner finds a missing file by itself.
                if case .unreadable(let cause) = error {
                    candidate.obstacle = "what belongs to it is not known: \(cause.reason)"
                }
            }
            note(photo, favors, &lookup, &candidate)
            candidates.append(candidate)
        }
        if !companions.isEmpty {
            let current = (try? FilePath.workingDirectory()) ?? .root
            let mains = Set(candidates.map { $0.unit.main.absolute(in: current) })
            for companion in companions {
                for main in companion.mains where !mains.contains(main.absolute(in: current)) {
                    throw .refused(.companionAlone(companion.path, main: main))
                }
            }
        }
        return candidates
    }
}

/// When the photos of a plan were taken, for the confirmation prompt. The dates of files that were named explicitly
/// have not been read yet.
package enum PlannedDates {
    /// One date for each item that has one. A file that cannot be read has the date of its time stamp.
    package static func read(
        _ items: [DeletionPlan.Item], now: WallClock, environment: Environment
    ) -> [CaptureDate] {
        var dates = items.compactMap(\.taken)
        let undated = items.filter { $0.taken == nil }
        var query = LibraryQuery(
            // A plan that was saved elsewhere has paths relative to another folder.
            operands: undated.compactMap { $0.members.first?.location }.filter {
                (try? FileStatus.of($0))?.kind == .regular
            },
            order: SortOrder(.none), now: now)
        query.includeHidden = true
        query.detail = .fields([.metadata, .date])
        var known: [FilePath: CaptureDate] = [:]
        if !query.operands.isEmpty, let found = try? PhotoLibrary.photos(query, environment: environment) {
            for photo in found.photos { known[photo.path] = photo.taken }
        }
        for item in undated {
            guard let main = item.members.first else { continue }
            let stamp = CaptureDate.modified(ns: main.identity.modifiedNs, now: now)
            if let date = known[main.location] ?? stamp { dates.append(date) }
        }
        return dates
    }
}
