/// A sidecar with the stem of several photos. It stays while one of them exists, and is deleted with the last one of a
/// plan.
struct SharedSidecar {
    /// As the user named its folder.
    var path: FilePath
    /// Absolute; its folders hold no symbolic link.
    let location: FilePath
    /// The main files of all photos that share it, absolute.
    let photos: [FilePath]

    /// The item that deletes it: the last photo of the plan that shares it, if all others are deleted too or do not
    /// exist. Nil if one stays.
    func lastItem(in plan: DeletionPlan, _ going: [FilePath: Int]) -> Int? {
        var last: Int?
        for photo in photos {
            if let index = going[photo], plan.items[index].status == .ready {
                last = max(last ?? index, index)
            } else if Self.mayExist(photo) {
                return nil
            }
        }
        return last
    }

    static func mayExist(_ path: FilePath) -> Bool {
        do throws(POSIXError) {
            _ = try FileStatus.of(path)
            return true
        } catch { return !error.isMissing }
    }
}

extension DeletionPlan {
    /// The index of the item for each file that is to be deleted.
    fileprivate var going: [FilePath: Int] {
        var going: [FilePath: Int] = [:]
        for (index, item) in items.enumerated() where item.status == .ready {
            for member in item.members { going[member.location] = index }
        }
        return going
    }
}

extension DeletionPlanner {
    /// Collects the sidecars that a photo of the plan shares with others.
    mutating func collect(_ unit: SharedSidecars?, _ shared: inout [SharedSidecar]) {
        guard let unit else { return }
        for file in unit.files {
            guard case .success(let folder) = facts(of: file.directory) else { continue }
            func location(_ path: FilePath) -> FilePath { folder.path.appending(path.lastComponent) }
            let sidecar = SharedSidecar(path: file, location: location(file), photos: unit.photos.map(location))
            // Spelled like the last photo, whose item deletes it.
            shared.removeAll { $0.location == sidecar.location }
            shared.append(sidecar)
        }
    }

    /// Adds each shared sidecar to the item of its last photo, if none of its photos stays.
    mutating func assign(_ shared: [SharedSidecar], to plan: inout DeletionPlan) throws(DeletionError) {
        if shared.isEmpty { return }
        let going = plan.going
        for sidecar in shared where going[sidecar.location] == nil {
            guard let index = sidecar.lastItem(in: plan, going),
                case .success(let folder) = facts(of: sidecar.path.directory)
            else { continue }
            if options.companions == .refuse {
                throw .refused(.hasCompanions(plan.items[index].path, companion: sidecar.path))
            }
            do { try forbidden.check(sidecar.location, named: sidecar.path) } catch { throw .refused(error) }
            let count = plan.items[index].members.count
            let own = Set(plan.items[index].members.map(\.location))
            add(sidecar.path, at: sidecar.location, in: folder, to: &plan.items[index])
            guard plan.items[index].members.count > count else { continue }
            plan.items[index].members[count].siblings = sidecar.photos.filter { !own.contains($0) }
            if plan.items[index].status == .ready, options.verification == .hash { hash(&plan.items[index]) }
        }
    }

    /// Same for a saved plan, from which photos may have been removed, or whose photos may have changed.
    func reassignShared(_ plan: inout DeletionPlan, _ saved: DeletionPlan) {
        let going = plan.going
        for (index, item) in saved.items.enumerated() where plan.items[index].status == .ready {
            for member in item.members where !member.siblings.isEmpty {
                guard let place = plan.items[index].members.firstIndex(where: { $0.location == member.location }) else {
                    continue
                }
                var moved = plan.items[index].members.remove(at: place)
                let own = item.members.filter(\.siblings.isEmpty).map(\.location)
                let photos = member.siblings + own.prefix(1)
                let sidecar = SharedSidecar(path: member.path, location: member.location, photos: photos)
                if let last = sidecar.lastItem(in: plan, going) {
                    moved.siblings = photos.filter { photo in going[photo] != last }
                    plan.items[last].members.append(moved)
                } else if !photos.contains(where: SharedSidecar.mayExist) {
                    plan.items[index].members.append(moved)
                }
            }
            if plan.items[index].members.isEmpty {
                // An earlier run moved all files except for those that another photo needs.
                plan.items[index].members = item.members.filter(\.siblings.isEmpty)
                plan.items[index].status = plan.mode == .erase ? .erased : .trashed
                plan.items[index].reason = "earlier"
            }
        }
    }
}
