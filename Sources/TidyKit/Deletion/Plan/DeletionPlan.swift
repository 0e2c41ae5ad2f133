/// What is to be deleted. The dry run shows this value, a plan file stores it, the run executes it.
package struct DeletionPlan: Sendable, Equatable {
    /// Where the files go.
    package enum Mode: String, Sendable {
        case trash, erase
    }

    /// How the run checks that a file is still the one that was planned.
    package enum Verification: String, Sendable {
        /// Device, inode, size, mtime and ctime.
        case stat
        /// The same, and SHA-256 of the content.
        case hash
    }

    /// What can be done with a photo, or what was done.
    package enum Status: String, Sendable {
        case ready, trashed, erased, missing, changed, denied, offline, protected, failed

        package var isDone: Bool { self == .trashed || self == .erased }
        /// True if the photo has been or will be deleted; only these are counted.
        package var isTaken: Bool { self == .ready || isDone }
    }

    /// One file of a photo.
    package struct Member: Sendable, Equatable {
        /// As the user named it.
        package var path: FilePath
        /// Absolute; its folders contain no symbolic link.
        package var location: FilePath
        /// The identity when the plan was made.
        package var identity: FileIdentity
        /// SHA-256 of the content; nil without `Verification.hash`.
        package var hash: [UInt8]?
        /// For a shared sidecar: the main files of the other photos in its folder. The sidecar stays while one of them
        /// exists.
        package var siblings: [FilePath]
        /// `st_nlink` when the plan was made or loaded; 1 if it was not read.
        package var linkCount: UInt64 = 1
        /// It shares all its blocks with a file that stays: moving or erasing it frees nothing.
        package var isClone = false

        package init(
            path: FilePath, location: FilePath, identity: FileIdentity, hash: [UInt8]? = nil, siblings: [FilePath] = []
        ) {
            self.path = path
            self.location = location
            self.identity = identity
            self.hash = hash
            self.siblings = siblings
        }
    }

    /// One photo: its files move together or not at all.
    package struct Item: Sendable, Equatable {
        /// The main file, as the user named it.
        package var path: FilePath
        /// The main file first; empty if there is no file to move.
        package var members: [Member]
        /// For a copy: the files of the photo that stays. If one of them is gone or has changed, the copy stays too.
        package var kept: [Member] = []
        /// For a photo of a group: what the user has said in its favour, `rated 4`. The question names it.
        package var favor: String?
        /// By what it was found to be a copy: compared again before it goes. Nil for look-alikes and bursts, and where
        /// an older plan does not say.
        package var sameness: ContentSameness?
        package var status: Status
        /// Why it is not ready or was not moved; if it is ready, the predicates that chose it.
        package var reason: String?
        package var taken: CaptureDate?
        /// Its filesystem has no trash: an error of the environment rather than of the file.
        package var lacksTrash = false

        package init(
            path: FilePath, members: [Member] = [], status: Status, reason: String? = nil, taken: CaptureDate? = nil
        ) {
            self.path = path
            self.members = members
            self.status = status
            self.reason = reason
            self.taken = taken
        }

        package var bytes: Int64 { members.totalBytes(\.identity.bytes) }
        /// Of its main file.
        package var isClone: Bool { members.first?.isClone ?? false }
    }

    package var id: RunID
    /// Nanoseconds since 1970 (UTC).
    package var timeNs: Int64
    /// The folder that contains all files.
    package var root: FilePath
    package var mode: Mode
    package var verification: Verification
    package var batchSize: Int
    /// Absolute paths that must stay; a folder includes what is below it.
    package var protected: [FilePath]
    package var copiesToHomeTrash: Bool
    package var items: [Item]

    /// A plan without items.
    /// - Parameter protected: `options.protected`, absolute.
    init(id: RunID, timeNs: Int64, options: DeletionOptions, protected: [FilePath]) {
        self.id = id
        self.timeNs = timeNs
        root = .root
        mode = options.mode
        verification = options.verification
        batchSize = max(1, options.batchSize)
        self.protected = protected
        copiesToHomeTrash = options.copiesToHomeTrash
        items = []
    }

    /// The batch of the item at `index`, from 1.
    package func batch(ofItem index: Int) -> Int { index / batchSize + 1 }
    package var batches: Int { items.isEmpty ? 0 : (items.count - 1) / batchSize + 1 }

    /// The number of photos that have been or will be deleted.
    package var photos: Int { items.count { $0.status.isTaken } }
    package var files: Int { items.reduce(0) { $0 + ($1.status.isTaken ? $1.members.count : 0) } }
    /// The sum over the items; hard links count more than once.
    package var bytes: Int64 { items.totalBytes { $0.status.isTaken ? $0.bytes : 0 } }

    /// The bytes that are freed once everything that is deleted has left the trash. A file frees its bytes once, with
    /// its last name; a clone of what stays frees none.
    package func freedBytes() -> Int64 {
        var names: [FileID: UInt64] = [:]
        var freed: Int64 = 0
        for item in items where item.status.isTaken && item.reason != "earlier" {
            for member in item.members {
                let count = names[member.identity.id, default: 0] + 1
                names[member.identity.id] = count
                guard count == max(1, member.linkCount), !member.isClone else { continue }
                freed = freed.addingClamped(member.identity.bytes)
            }
        }
        return freed
    }

    /// Of the photos that have been or will be deleted, those that share their blocks with what stays.
    package var clones: Int { items.count { $0.status.isTaken && $0.reason != "earlier" && $0.isClone } }

    /// The number of items with that status.
    package func count(_ status: Status) -> Int { items.count { $0.status == status } }

    /// The deepest folder that contains all of `locations`; nil if there are none.
    package static func root(of locations: some Sequence<FilePath>) -> FilePath? {
        var root: [ArraySlice<UInt8>]?
        var last: FilePath?
        for location in locations {
            let folder = location.directory
            if folder == last { continue }
            last = folder
            let parts = folder.bytes.split(separator: UInt8(ascii: "/"))
            guard let common = root else {
                root = parts
                continue
            }
            root = Array(zip(common, parts).prefix { $0 == $1 }.map(\.0))
        }
        guard let root else { return nil }
        return root.isEmpty ? .root : FilePath(root.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 })
    }
}
