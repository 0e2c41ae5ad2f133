internal import Glibc

/// Which file or folder it is, whatever its path and its content: `st_dev` and `st_ino`.
package struct FileID: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// Identifies one state of one file. `delete` compares all five values right before it moves a file.
package struct FileIdentity: Hashable, Sendable {
    package var id: FileID
    package var bytes: Int64
    /// `st_mtim` and `st_ctim`: whole seconds since 1970 (UTC), rounded down, and the nanoseconds. Stored separately,
    /// because an Int64 of nanoseconds covers only the years 1677 to 2262, and two Int128 would take twice the memory.
    private(set) var modifiedSeconds: Int64
    private(set) var changedSeconds: Int64
    private(set) var modifiedFraction: UInt32
    private var changedFraction: UInt32

    /// - Parameter modifiedNs: and `changedNs`, nanoseconds since 1970. Values beyond the range of `struct timespec`
    ///   are clamped.
    package init(device: UInt64, inode: UInt64, bytes: Int64, modifiedNs: Int128, changedNs: Int128) {
        id = FileID(device: device, inode: inode)
        self.bytes = bytes
        let (modified, changed) = (timespec(ns: modifiedNs), timespec(ns: changedNs))
        modifiedSeconds = Int64(modified.tv_sec)
        modifiedFraction = UInt32(modified.tv_nsec)
        changedSeconds = Int64(changed.tv_sec)
        changedFraction = UInt32(changed.tv_nsec)
    }

    package var device: UInt64 { id.device }
    package var inode: UInt64 { id.inode }

    /// That of no file: for a file whose identity is not known.
    package static let unknown = FileIdentity(device: 0, inode: 0, bytes: -1, modifiedNs: 0, changedNs: 0)

    /// `st_mtim` in nanoseconds since 1970 (UTC), exact for every value of `struct timespec`.
    package var modifiedNs: Int128 {
        get { timespec(tv_sec: time_t(modifiedSeconds), tv_nsec: Int(modifiedFraction)).nanoseconds }
        set {
            let time = timespec(ns: newValue)
            modifiedSeconds = Int64(time.tv_sec)
            modifiedFraction = UInt32(time.tv_nsec)
        }
    }

    /// Same for `st_ctim`.
    package var changedNs: Int128 {
        get { timespec(tv_sec: time_t(changedSeconds), tv_nsec: Int(changedFraction)).nanoseconds }
        set {
            let time = timespec(ns: newValue)
            changedSeconds = Int64(time.tv_sec)
            changedFraction = UInt32(time.tv_nsec)
        }
    }

    /// The identity of a file that is not written yet.
    static let unwritten = FileIdentity(device: 0, inode: 0, bytes: 0, modifiedNs: 0, changedNs: 0)

    /// True if all but the ctime are equal; our own rename changes that one.
    package func matchesContent(of other: FileIdentity) -> Bool {
        id == other.id && bytes == other.bytes && modifiedSeconds == other.modifiedSeconds
            && modifiedFraction == other.modifiedFraction
    }
}

extension FileIdentity {
    /// What differs from `planned`, for people; nil if all five values are equal.
    func difference(from planned: FileIdentity) -> String? {
        if id != planned.id { return "another file has taken its name" }
        var parts: [String] = []
        if bytes != planned.bytes { parts.append("size") }
        if modifiedNs != planned.modifiedNs { parts.append("modification time") }
        if parts.isEmpty, changedNs != planned.changedNs { parts.append("status (ctime)") }
        return parts.isEmpty ? nil : "its " + parts.joined(separator: " and ") + " changed"
    }

    /// Same as `difference(from:)`, for an identity from a photo record. Programs that store numbers as doubles (jq
    /// 1.6, JavaScript) round those above 2^53. A recorded number counts as equal if it is what such a program would
    /// write for ours.
    func difference(fromRecord recorded: FileIdentity) -> String? {
        var planned = recorded
        func isRounded(_ value: UInt128, _ recorded: UInt128) -> Bool {
            recorded != value && Self.written(asDouble: value).contains(recorded)
        }
        func isRounded(_ value: some FixedWidthInteger, _ recorded: some FixedWidthInteger) -> Bool {
            (value < 0) == (recorded < 0) && isRounded(UInt128(value.magnitude), UInt128(recorded.magnitude))
        }
        if isRounded(device, recorded.device) { planned.id.device = device }
        if isRounded(inode, recorded.inode) { planned.id.inode = inode }
        if isRounded(bytes, recorded.bytes) { planned.bytes = bytes }
        if isRounded(modifiedNs, recorded.modifiedNs) { planned.modifiedNs = modifiedNs }
        if isRounded(changedNs, recorded.changedNs) { planned.changedNs = changedNs }
        return difference(from: planned)
    }

    /// What programs write for `value` if they store it as a double: its exact value, its 17 leading digits (`%.17g`),
    /// or the fewest digits that read back as the same double.
    private static func written(asDouble value: UInt128) -> [UInt128] {
        guard value > 1 << 53, let exact = UInt128(exactly: Double(value)) else { return [] }
        var forms = [exact]
        var unit: UInt128 = 1
        while exact / unit > 9 {
            let (multiplied, overflow) = unit.multipliedReportingOverflow(by: 10)
            guard !overflow else { break }
            unit = multiplied
            let rest = exact % unit
            let (rounded, isTooLarge) = (exact - rest).addingReportingOverflow(rest * 2 >= unit ? unit : 0)
            guard !isTooLarge, Double(rounded) == Double(exact) else { break }
            forms.append(rounded)
        }
        return forms
    }
}
