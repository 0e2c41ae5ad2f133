extension FileIdentity {
    /// What is other than `planned`, for people; nil where all five are the same.
    func difference(from planned: FileIdentity) -> String? {
        if id != planned.id { return "another file has taken its name" }
        var parts: [String] = []
        if bytes != planned.bytes { parts.append("size") }
        if modifiedNs != planned.modifiedNs { parts.append("modification time") }
        if parts.isEmpty, changedNs != planned.changedNs { parts.append("status (ctime)") }
        return parts.isEmpty ? nil : "its " + parts.joined(separator: " and ") + " changed"
    }

    /// As `difference(from:)`, from what a photo record says. Programs that hold numbers as doubles round those above 2^53
    /// on the way (jq 1.6, JavaScript): a number that is just what a double of this one would be written as is the same.
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

    /// What programs write for `value` when they hold it as a double: its exact value, its 17 leading digits (`%.17g`),
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
