/// Where outputs really go. Two paths lead to one file where they name the same thing in the same folder, however that folder
/// is spelled and whatever links lead to it.
struct OutputPlaces {
    struct Place: Hashable {
        /// Of the nearest folder above that is there.
        fileprivate var device: UInt64
        fileprivate var inode: UInt64
        /// Folders that are still to be made, and the name.
        fileprivate var rest: [UInt8]
    }

    /// Of the folders that were asked about; pictures come in hundreds a folder.
    private var folders: [FilePath: Place] = [:]

    mutating func place(of path: FilePath) -> Place {
        let folder = path.directory
        var place = folders[folder] ?? Self.place(ofFolder: folder)
        folders[folder] = place
        place.rest += path.lastComponent
        return place
    }

    private static func place(ofFolder folder: FilePath) -> Place {
        var (there, missing) = (folder, [ArraySlice<UInt8>]())
        while true {
            if let identity = try? FileStatus.of(there, followLinks: true).identity {
                let rest = missing.reversed().reduce(into: [UInt8]()) { $0 += $1 + [UInt8(ascii: "/")] }
                return Place(device: identity.device, inode: identity.inode, rest: rest)
            }
            let above = there.directory
            guard above != there, !there.bytes.isEmpty else {
                return Place(device: 0, inode: 0, rest: folder.bytes + [UInt8(ascii: "/")])
            }
            missing.append(ArraySlice(there.lastComponent))
            there = above
        }
    }
}
