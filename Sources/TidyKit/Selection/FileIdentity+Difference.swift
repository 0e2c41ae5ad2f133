extension FileIdentity {
    /// What is other than `planned`, for people; nil where all five are the same.
    func difference(from planned: FileIdentity) -> String? {
        if device != planned.device || inode != planned.inode { return "another file has taken its name" }
        var parts: [String] = []
        if bytes != planned.bytes { parts.append("size") }
        if modifiedNs != planned.modifiedNs { parts.append("modification time") }
        if parts.isEmpty, changedNs != planned.changedNs { parts.append("status (ctime)") }
        return parts.isEmpty ? nil : "its " + parts.joined(separator: " and ") + " changed"
    }
}
