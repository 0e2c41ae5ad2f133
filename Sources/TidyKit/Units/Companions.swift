internal import Glibc

/// Groups the names of one folder into what may be photo units: by stem, byte for byte; extensions ignore case.
public struct Companions: Sendable {
    /// In the order of their stems.
    public private(set) var groups: [NameGroup] = []
    /// Sidecars whose photo is not there.
    public private(set) var orphans: [Int] = []

    private let names: [[UInt8]]
    /// The stems of `groups`, as slices of the names.
    private var stems: [ArraySlice<UInt8>] = []

    /// `names`: of regular files. Placeholders of iCloud count under the names that they stand for.
    public init(_ names: [[UInt8]]) {
        self.names = names.map { CloudStub.originalName($0).map(Array.init) ?? $0 }
        var sidecars: [(index: Int, name: SidecarName)] = []
        var files: [(stem: ArraySlice<UInt8>, index: Int)] = []
        files.reserveCapacity(names.count)
        for (index, name) in self.names.enumerated() {
            if let sidecar = SidecarName(name) {
                sidecars.append((index, sidecar))
            } else {
                files.append((Self.stem(name), index))
            }
        }
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
        for (index, name) in sidecars { attach(index, name) }
    }

    private mutating func attach(_ index: Int, _ name: SidecarName) {
        guard let place = place(for: name) else {
            if name.kind != .takeout || name.isSurelyTakeout { orphans.append(index) }
            return
        }
        groups[place.group].sidecars.append(
            NameGroup.Sidecar(index: index, target: place.target, kind: name.kind))
    }

    private func place(for name: SidecarName) -> (group: Int, target: Int?)? {
        switch name.kind {
        case .xmp: return file(named: Array(name.base)) ?? group(ofStem: name.base)
        case .adjustments:
            for stem in name.adjustmentStems { if let place = group(ofStem: stem[...]) { return place } }
            return file(named: Array(name.base))
        case .takeout:
            for full in name.takeoutNames { if let place = file(named: full) { return place } }
            return group(ofStem: name.base) ?? cutShort(name)
        }
    }

    /// The file of exactly this name, else the only one whose extension differs in case.
    private func file(named name: [UInt8]) -> (group: Int, target: Int?)? {
        let stem = Self.stem(name)
        guard stem.count < name.count, let (group, _) = group(ofStem: stem) else { return nil }
        let files = groups[group].files
        if let same = files.first(where: { names[$0] == name }) { return (group, same) }
        let ending = name[stem.count...].map(\.asciiLowercased)
        let alike = files.filter { names[$0][stem.count...].lazy.map(\.asciiLowercased).elementsEqual(ending) }
        return alike.count == 1 ? (group, alike[0]) : nil
    }

    private func group(ofStem stem: ArraySlice<UInt8>) -> (group: Int, target: Int?)? {
        let index = firstGroup(notBefore: stem)
        return index < stems.count && stems[index] == stem ? (index, nil) : nil
    }

    /// The only file whose name a cut-off base is the beginning of.
    private func cutShort(_ sidecar: SidecarName) -> (group: Int, target: Int?)? {
        guard sidecar.isCutShort else { return nil }
        let (base, number) = SidecarName.withoutNumber(sidecar.base)
        var found: [(group: Int, target: Int?)] = []
        func consider(_ group: Int) {
            for file in groups[group].files where names[file].starts(with: base) {
                // Behind the cut only the number and the extension may follow.
                let rest = Self.stem(names[file]).suffix(number.count)
                if number.isEmpty || rest == number { found.append((group, file)) }
            }
        }
        var group = firstGroup(notBefore: base)
        while group < stems.count, stems[group].starts(with: base), found.count < 2 {
            consider(group)
            group += 1
        }
        // Cut within the extension: the stem stands whole before the dot.
        let stem = Self.stem(Array(base))
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

    private func firstGroup(notBefore stem: ArraySlice<UInt8>) -> Int {
        var (low, high) = (0, stems.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.compare(stems[middle], stem) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The name up to its last dot; a dot in first place starts no extension.
    static func stem(_ name: [UInt8]) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name[...] }
        return name[..<dot]
    }

    private static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let common = min(left.count, right.count)
                let order = common == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, common)
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
    }
}
