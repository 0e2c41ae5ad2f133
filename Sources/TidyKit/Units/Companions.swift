internal import Glibc

/// Groups the names of one folder by stem, as candidates for photo units. Stems are compared byte by byte; extensions
/// ignore case.
package struct Companions: Sendable {
    /// Sorted by stem.
    package private(set) var groups: [NameGroup] = []
    /// Sidecars without a file to which they could belong. Only its content tells whether a JSON file is a sidecar.
    package private(set) var orphans: [Int] = []

    let names: [[UInt8]]
    /// The stems of `groups`, as slices of the names.
    private var stems: [ArraySlice<UInt8>] = []
    /// The new keys of files that were moved to another stem.
    private var movedKeys: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
    /// Groups with edited copies from Google Photos, by the stem of the original. Empty if the folder has no JSON file.
    private var editedGroups: [[UInt8]: [Int]] = [:]

    /// - Parameter names: of regular files. An iCloud placeholder is grouped under the name that it represents.
    package init(_ names: [[UInt8]]) {
        self.names = names.map { CloudStub.originalName($0).map(Array.init) ?? $0 }
        var sidecars: [(index: Int, name: SidecarName)] = []
        var files: [(stem: ArraySlice<UInt8>, index: Int)] = []
        files.reserveCapacity(names.count)
        for (index, name) in self.names.enumerated() {
            guard let sidecar = SidecarName(name) else {
                files.append((NameKeys.key(ofStem: NameKeys.stem(name)), index))
                continue
            }
            // A placeholder is never deleted, with whatever photo.
            if CloudStub.originalName(names[index]) == nil { sidecars.append((index, sidecar)) }
        }
        settleKeys(of: &files)
        files.sort { left, right in
            let order = Self.compare(left.stem, right.stem)
            return order == 0 ? Self.compare(names[left.index][...], names[right.index][...]) < 0 : order < 0
        }
        groups.reserveCapacity(files.count)
        stems.reserveCapacity(files.count)
        for (stem, index) in files {
            if let last = stems.last, last == stem {
                groups[groups.count - 1].files.append(index)
            } else {
                groups.append(NameGroup(files: [index]))
                stems.append(stem)
            }
        }
        // The result must not depend on the order in which the folder was read.
        sidecars.sort { Self.compare(names[$0.index][...], names[$1.index][...]) < 0 }
        let hasTakeout = sidecars.contains { $0.name.kind == .takeout }
        if hasTakeout { findEdited() }
        for (index, name) in sidecars { attach(index, name) }
        if hasTakeout { shareWithEdited() }
    }

    /// Assigns files that may belong to another stem to the one that exists.
    private mutating func settleKeys(of files: inout [(stem: ArraySlice<UInt8>, index: Int)]) {
        let conditional = files.indices.filter { NameKeys.isConditional(names[files[$0].index]) }
        if conditional.isEmpty { return }
        let present = Set(files.map(\.stem))
        for place in conditional {
            let others = NameKeys.keys(ofName: names[files[place].index]).dropLast().filter(present.contains)
            // A file that could belong to several stems is assigned to none.
            guard others.count == 1 else { continue }
            // The first of several, independent of the order in which the folder was read.
            let known = movedKeys[files[place].stem]
            if known.map({ Self.compare(others[0], $0) < 0 }) ?? true { movedKeys[files[place].stem] = others[0] }
            files[place].stem = others[0]
        }
    }

    // MARK: Sidecars

    private typealias Place = (group: Int, target: Int?)

    private mutating func attach(_ index: Int, _ name: SidecarName) {
        if let place = place(for: name) {
            groups[place.group].sidecars.append(
                NameGroup.Sidecar(index: index, target: place.target, kind: name.kind))
        } else if name.kind.canBeOrphan, !hasRelative(name) {
            orphans.append(index)
        }
    }

    private func place(for name: SidecarName) -> Place? {
        switch name.kind {
        case .xmp:
            return file(named: Array(name.base)) ?? name.versionOf.flatMap(file) ?? group(ofStem: name.base)
        case .development: return file(named: Array(name.base)) ?? group(ofStem: name.base)
        case .subtitles: return group(ofStem: name.base)
        case .sound: return name.isCameraNumber ? group(ofStem: name.base) : nil
        case .adjustments:
            for stem in name.adjustmentStems { if let place = group(ofStem: stem[...]) { return place } }
            return file(named: Array(name.base))
        case .takeout:
            for full in name.takeoutNames { if let place = file(named: full) { return place } }
            return group(ofStem: name.base) ?? cutShort(name) ?? edited(name)
        }
    }

    /// True if the file that a sidecar names is gone, but another file with its stem remains, such as the JPEG of a
    /// RAW.
    private func hasRelative(_ name: SidecarName) -> Bool {
        var bases = [Array(name.base)]
        if name.kind == .takeout { bases += name.takeoutNames }
        if let version = name.versionOf { bases.append(version) }
        return bases.contains { base in
            NameKeys.keys(ofName: base).contains { group(ofStem: $0) != nil }
                || editedGroups[Array(NameKeys.stem(base))] != nil
        }
    }

    /// True if there is a photo with this name, another file with its stem, or an edited copy.
    package func hasPhoto(named name: [UInt8]) -> Bool {
        NameKeys.keys(ofName: name).contains { group(ofStem: $0) != nil }
            || editedGroups[Array(NameKeys.stem(name))] != nil
    }

    /// The file with exactly this name, otherwise the only one whose extension differs in case.
    private func file(named name: [UInt8]) -> Place? {
        let stem = NameKeys.stem(name)
        guard stem.count < name.count else { return nil }
        for key in NameKeys.keys(ofName: name) {
            guard let (group, _) = group(ofStem: key) else { continue }
            let files = groups[group].files.filter { NameKeys.stem(names[$0]) == stem }
            if let same = files.first(where: { names[$0] == name }) { return (group, same) }
            let ending = name[stem.count...].map(\.asciiLowercased)
            let alike = files.filter { names[$0][stem.count...].lazy.map(\.asciiLowercased).elementsEqual(ending) }
            if alike.count == 1 { return (group, alike[0]) }
        }
        return nil
    }

    /// All files in the group of a stem.
    func files(ofStem stem: ArraySlice<UInt8>) -> [Int] { group(ofStem: stem).map { groups[$0.group].files } ?? [] }

    private func group(ofStem stem: ArraySlice<UInt8>) -> Place? {
        let key = NameKeys.key(ofStem: stem)
        let index = firstGroup(notBefore: key)
        if index < stems.count, stems[index] == key { return (index, nil) }
        return movedKeys[key].flatMap(group)
    }

    /// The only file whose name begins with a truncated base.
    private func cutShort(_ sidecar: SidecarName) -> Place? {
        guard sidecar.isCutShort else { return nil }
        let (base, number) = SidecarName.withoutNumber(sidecar.base)
        var found: [Place] = []
        func check(_ group: Int) {
            for file in groups[group].files where names[file].starts(with: base) {
                // Only the number and the extension may follow the point of truncation.
                let rest = NameKeys.stem(names[file]).suffix(number.count)
                if number.isEmpty || rest == number { found.append((group, file)) }
            }
        }
        var group = firstGroup(notBefore: base)
        while group < stems.count, stems[group].starts(with: base), found.count < 2 {
            check(group)
            group += 1
        }
        // Truncated within the extension: the whole stem is before the dot.
        let stem = NameKeys.stem(Array(base))
        if found.isEmpty, stem.count < base.count {
            let ending = Array(base[(base.startIndex + stem.count)...])
            if let (group, _) = self.group(ofStem: Array(stem)[...] + number) {
                for file in groups[group].files where names[file][(stem.count + number.count)...].starts(with: ending) {
                    found.append((group, file))
                }
            }
        }
        return found.count == 1 ? found[0] : nil
    }

    // MARK: Copies that Google Photos edited

    private mutating func findEdited() {
        for (group, stem) in stems.enumerated() {
            if let original = EditedName.originalStem(stem) { editedGroups[original, default: []].append(group) }
        }
    }

    /// The only edited copy of the photo that a JSON file describes, if that photo is gone.
    private func edited(_ name: SidecarName) -> Place? {
        var found: Set<Int> = []
        for base in [Array(name.base)] + name.takeoutNames {
            found.formUnion(editedGroups[Array(NameKeys.stem(base))] ?? [])
        }
        return found.count == 1 ? found.first.map { ($0, nil) } : nil
    }

    /// The JSON file of an original also describes its edited copies, but remains a companion of the original.
    private mutating func shareWithEdited() {
        for (original, edited) in editedGroups {
            guard let (group, _) = group(ofStem: original[...]) else { continue }
            let sidecars = groups[group].sidecars.filter { $0.kind == .takeout && !$0.isOfOriginal }
            for copy in edited {
                groups[copy].sidecars += sidecars.map {
                    NameGroup.Sidecar(index: $0.index, target: nil, kind: .takeout, isOfOriginal: true)
                }
            }
        }
    }

    // MARK: Order

    private func firstGroup(notBefore stem: ArraySlice<UInt8>) -> Int {
        var (low, high) = (0, stems.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.compare(stems[middle], stem) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let common = min(left.count, right.count)
                let order = common == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, common)
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
    }
}
