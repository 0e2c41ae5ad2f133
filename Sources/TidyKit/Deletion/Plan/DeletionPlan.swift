/// What shall be deleted, decided once: the dry run shows this value, a plan file holds it, the run carries it out.
package struct DeletionPlan: Sendable, Equatable {
    package enum Mode: String, Sendable {
        case trash, erase
    }

    /// How sure the run makes that a file is still the one that was planned.
    package enum Verification: String, Sendable {
        /// Device, inode, size, mtime and ctime.
        case stat
        /// These, and SHA-256 of the content.
        case hash
    }

    package enum Status: String, Sendable {
        case ready, trashed, erased, missing, changed, denied, offline, protected, failed

        package var isDone: Bool { self == .trashed || self == .erased }
        /// Counted by the plan: what is, or will be, taken away.
        package var isTaken: Bool { self == .ready || isDone }
    }

    /// One file of a photo.
    package struct Member: Sendable, Equatable {
        /// As the user named it.
        package var path: FilePath
        /// Absolute; its folders hold no symbolic link.
        package var location: FilePath
        /// What the file was when the plan was made.
        package var identity: FileIdentity
        /// SHA-256, with `Verification.hash`.
        package var hash: [UInt8]?
        /// For a shared sidecar: the main files of the other photos, in its folder. The sidecar stays while one of them
        /// exists.
        package var siblings: [FilePath]
        /// `st_nlink` when the plan was made or loaded; 1 where it was not read.
        package var linkCount: UInt64 = 1

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
        /// The main file first; empty where there is no file to move.
        package var members: [Member]
        /// For a copy: the files of the photo that stays. If one of them is gone or has changed, the copy stays too.
        package var kept: [Member] = []
        package var status: Status
        /// Why it is not ready or was not moved; for what is ready: the predicates that chose it.
        package var reason: String?
        package var taken: CaptureDate?
        /// No filesystem of it has a trash: an error of the environment rather than of the file.
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
    }

    package var id: RunID
    /// Nanoseconds since 1970 (UTC).
    package var timeNs: Int64
    /// The folder that contains all files.
    package var root: FilePath
    package var mode: Mode
    package var verification: Verification
    package var batchSize: Int
    /// What must stay, absolute; a folder covers what is below it.
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

    /// The number of the batch, from 1, that the item at `index` belongs to.
    package func batch(ofItem index: Int) -> Int { index / batchSize + 1 }
    package var batches: Int { items.isEmpty ? 0 : (items.count - 1) / batchSize + 1 }

    /// What is, or will be, taken away.
    package var photos: Int { items.count { $0.status.isTaken } }
    package var files: Int { items.reduce(0) { $0 + ($1.status.isTaken ? $1.members.count : 0) } }
    /// The sum over the items, whatever hard links share.
    package var bytes: Int64 { items.totalBytes { $0.status.isTaken ? $0.bytes : 0 } }

    /// What the disk gets back when everything that is taken is erased, or has left the trash. A file frees its bytes
    /// once, with its last name.
    package func freedBytes() -> Int64 {
        var names: [FileID: UInt64] = [:]
        var freed: Int64 = 0
        for item in items where item.status.isTaken && item.reason != "earlier" {
            for member in item.members {
                let count = names[member.identity.id, default: 0] + 1
                names[member.identity.id] = count
                if count == max(1, member.linkCount) { freed = freed.addingClamped(member.identity.bytes) }
            }
        }
        return freed
    }

    package func count(_ status: Status) -> Int { items.count { $0.status == status } }

    /// The deepest folder that holds all of `locations`; nil for none.
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
