extension JSONWriter {
    /// The records of several photos, one per line, with nothing before the first or after the last.
    /// - Parameter commas: puts a comma before each newline between records, as an array needs.
    package mutating func records(_ photos: ArraySlice<Photo>, commas: Bool) {
        reserve(photos.count * 640)
        for index in photos.indices {
            if index > photos.startIndex { newline(afterComma: commas) }
            record(photos[index])
        }
    }

    /// The photo record `phototidy.photo/1` of Docs/Reference.md. The contract fixes the order of keys.
    /// - Parameter change: for `list --watch`, the value of one more key at the end.
    package mutating func record(_ photo: Photo, change: String? = nil) {
        object { json in
            json.key("schema")
            json.value("phototidy.photo/1")
            json.key("path")
            json.value(photo.path)
            json.key("pathBase64")
            json.value(!photo.path.isUTF8 ? Base64.encode(photo.path.bytes) : nil)
            json.key("kind")
            json.value(photo.kind?.rawValue)
            json.key("format")
            json.value(photo.format?.rawValue)
            json.key("bytes")
            json.value(photo.identity.bytes)
            json.key("width")
            json.value(photo.width)
            json.key("height")
            json.value(photo.height)
            json.key("orientation")
            json.value(photo.orientation?.rawValue)
            json.key("taken")
            json.value(photo.taken?.text)
            json.key("takenSource")
            json.value(photo.taken?.source.rawValue)
            json.key("takenPrecision")
            json.value(photo.taken?.precision.rawValue)
            json.key("modified")
            json.value(CaptureDate.modified(ns: photo.identity.modifiedNs)?.text)
            json.key("make")
            json.value(photo.make)
            json.key("model")
            json.value(photo.model)
            json.key("lens")
            json.value(photo.lens)
            json.key("latitude")
            json.value(photo.location?.latitude)
            json.key("longitude")
            json.value(photo.location?.longitude)
            json.key("rating")
            json.value(photo.rating)
            json.key("favorite")
            json.value(photo.isFavorite)
            json.key("duration")
            json.value(photo.duration)
            json.key("companions")
            json.array { json in for companion in photo.companions { json.value(companion) } }
            json.key("offline")
            json.value(photo.isOffline)
            json.key("problems")
            json.array { json in for problem in photo.problems { json.value(problem.description) } }
            json.key("group")
            if let group = photo.group { json.membership(group) } else { json.null() }
            json.key("identity")
            json.identity(photo.identity)
            if let change {
                json.key("change")
                json.value(change)
            }
        }
    }

    package mutating func membership(_ group: GroupMembership) {
        object { json in
            json.key("kind")
            json.value(group.kind.rawValue)
            json.key("id")
            json.value(group.id)
            json.key("size")
            json.value(group.size)
            json.key("role")
            json.value(group.role.rawValue)
            json.key("keep")
            json.value(group.keep)
            json.key("distance")
            json.value(group.distance)
            json.key("reason")
            json.value(group.reason)
            json.key("compare")
            json.value(group.sameness?.rawValue)
        }
    }

    /// Writes the five numbers that `delete --from` compares.
    package mutating func identity(_ identity: FileIdentity) {
        object { json in
            json.key("device")
            json.value(identity.device)
            json.key("inode")
            json.value(identity.inode)
            json.key("bytes")
            json.value(identity.bytes)
            json.key("modifiedNs")
            json.value(identity.modifiedNs)
            json.key("changedNs")
            json.value(identity.changedNs)
        }
    }
}
