/// By what a copy was found to be one, so that it can be compared again before it goes.
package enum ContentSameness: String, Sendable {
    case bytes
    /// The same coded or decoded picture, whatever the metadata.
    case pixels
}

/// That a photo belongs to a group, and whether it is the one that stays.
package final class GroupMembership: Sendable {
    package enum Kind: String, Sendable {
        case duplicate, similar, burst
    }

    package enum Role: String, Sendable {
        /// It stays, whatever a filter says.
        case keep
        /// It could go.
        case redundant
    }

    package let kind: Kind
    /// Counted from 1 in the order of the output; 0 where it was not written yet.
    package let id: Int
    /// Photos of the group.
    package let size: Int
    package let role: Role
    /// The main file of the photo that stays.
    package let keep: FilePath
    /// Bits of 256 in which the hashes of a look-alike and of the one that stays differ; 0 for the same content;
    /// nil for a burst.
    package let distance: Int?
    /// Why all members stay; nil where only one does.
    package let set: ShotSet?
    /// Why that one stays, in words: `rated 4`, `4032×3024 against 1600×1200 pixels`.
    package let reason: String

    /// What all duplicates of a group have in common; nil for look-alikes and bursts.
    package let sameness: ContentSameness?

    /// How sharp the picture is, 0…100; nil if it was not measured. Not part of the record.
    package let sharpness: Double?

    package init(
        _ group: Group, role: Role, distance: Int?, reason: String, sharpness: Double? = nil
    ) {
        kind = group.kind
        id = group.id
        size = group.size
        keep = group.keep
        set = group.set
        sameness = group.sameness
        self.role = role
        self.distance = distance
        self.reason = reason
        self.sharpness = sharpness
    }

    /// What all members of a group have in common.
    package struct Group: Hashable, Sendable {
        package var kind: Kind
        package var id = 0
        package var size: Int
        package var keep: FilePath
        package var set: ShotSet?
        package var sameness: ContentSameness?

        package init(
            kind: Kind, id: Int = 0, size: Int, keep: FilePath, set: ShotSet? = nil, sameness: ContentSameness? = nil
        ) {
            self.kind = kind
            self.id = id
            self.size = size
            self.keep = keep
            self.set = set
            self.sameness = sameness
        }
    }

    package var group: Group { Group(kind: kind, id: id, size: size, keep: keep, set: set, sameness: sameness) }
    /// True for shots that are one work only together, so that none of them goes.
    package var staysWhole: Bool { self.set != nil }

    /// The same membership under the number that its group has in the output.
    package func numbered(_ id: Int) -> GroupMembership {
        var group = group
        group.id = id
        return GroupMembership(group, role: role, distance: distance, reason: reason, sharpness: sharpness)
    }
}

/// Shots that are one work only together, in the words of a reason.
package enum ShotSet: String, Sendable {
    case exposureBracket = "an exposure bracket"
    case focusStack = "a focus stack"
    case panorama = "parts of a panorama"
    case timelapse = "a timelapse"
}

extension GroupMembership: Equatable {
    package static func == (left: GroupMembership, right: GroupMembership) -> Bool {
        left.group == right.group && left.role == right.role && left.distance == right.distance
            && left.reason == right.reason && left.sharpness == right.sharpness
    }
}
