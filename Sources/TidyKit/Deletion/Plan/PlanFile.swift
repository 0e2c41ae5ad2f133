internal import Glibc

/// The file of a plan: NDJSON with a header and one item a line, each with a checksum seeded by the ID. The user may
/// remove items; a line that was changed, or is from another plan, is refused.
package enum PlanFile {
    static let schema = "phototidy.plan/1"
    private static let sizeLimit = 1 << 30
    private static let checkKey = Array(",\"check\":\"".utf8)

    /// Writes a new file (O_EXCL). Throws if the file exists.
    package static func save(_ plan: DeletionPlan, to path: FilePath) throws(DeletionError) {
        do throws(POSIXError) {
            try AtomicFile.write(text(plan), to: path, replacing: false)
        } catch {
            if error.isOccupied { throw .refused(.planExists(path)) }
            throw .failed(error)
        }
    }

    static func text(_ plan: DeletionPlan) -> [UInt8] {
        var text: [UInt8] = []
        var json = JSONWriter()
        json.header(plan)
        finish(&json, plan.id, into: &text)
        for item in plan.items {
            json.removeAll()
            json.planned(item)
            finish(&json, plan.id, into: &text)
        }
        return text
    }

    /// Ends the line with the checksum, which covers everything before its own key.
    private static func finish(_ json: inout JSONWriter, _ id: RunID, into text: inout [UInt8]) {
        let line = json.bytes.dropLast()
        text += line
        text += checkKey
        text += LineCheck.value(of: line, seed: id.bytes)
        text += Array("\"}\n".utf8)
    }

    /// Reads a plan from a file or a pipe. Throws `badPlan` if it is damaged, changed or not a plan.
    package static func load(_ path: FilePath) throws(DeletionError) -> DeletionPlan {
        let content: [UInt8]
        do throws(POSIXError) {
            // A named pipe may never get a writer; a pipe of the shell (`<(…)`) has one.
            let kind = try FileStatus.of(path, followLinks: true).kind
            let isOfShell = path.bytes.starts(with: "/dev/".utf8) || path.bytes.starts(with: "/proc/".utf8)
            guard kind == .regular || isOfShell else { throw POSIXError(code: EINVAL, operation: "open", path: path) }
            content = try FileSystem.contents(of: path, limit: sizeLimit)
        } catch {
            throw .failed(error)
        }
        return try plan(content, path)
    }

    static func plan(_ content: [UInt8], _ path: FilePath) throws(DeletionError) -> DeletionPlan {
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        func bad(_ line: Int, _ reason: String) -> DeletionError { .badPlan(path, line: line + 1, reason: reason) }
        guard let first = lines.first, let header = try? JSONReader.value(first), header["schema"]?.text == schema
        else {
            throw bad(0, "this is not a phototidy plan")
        }
        guard let id = header["id"]?.string.flatMap({ RunID($0) }), isWhole(first, id),
            var plan = DeletionPlan(header, id)
        else { throw bad(0, "the header was changed") }
        var seen: Set<FilePath> = []
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard isWhole(line, id) else { throw bad(index, "the line was changed, or belongs to another plan") }
            guard let value = try? JSONReader.value(line), let item = DeletionPlan.Item(value) else {
                throw bad(index, "the line cannot be read")
            }
            if seen.insert(item.path).inserted { plan.items.append(item) }
        }
        let bounds = (header["photos"]?.integer ?? 0, header["bytes"]?.integer ?? 0)
        if plan.photos > bounds.0 || plan.bytes > bounds.1 { throw .refused(.planBounds(path)) }
        return plan
    }

    private static func isWhole(_ line: ArraySlice<UInt8>, _ id: RunID) -> Bool {
        let tail = line.suffix(checkKey.count + 18)
        guard tail.count == checkKey.count + 18, tail.starts(with: checkKey), tail.suffix(2).elementsEqual("\"}".utf8)
        else {
            return false
        }
        return tail.dropFirst(checkKey.count).dropLast(2).elementsEqual(
            LineCheck.value(of: line.dropLast(tail.count), seed: id.bytes))
    }
}

extension JSONWriter {
    fileprivate mutating func header(_ plan: DeletionPlan) {
        object { json in
            json.key("schema")
            json.value(PlanFile.schema)
            json.key("id")
            json.value(plan.id.text)
            json.key("time")
            json.value(WallClock.utc(ns: plan.timeNs).text + "Z")
            json.paths(plan.root, key: "root", base64: "rootBase64")
            json.key("mode")
            json.value(plan.mode.rawValue)
            json.key("verify")
            json.value(plan.verification.rawValue)
            json.key("batchSize")
            json.value(plan.batchSize)
            json.key("photos")
            json.value(plan.photos)
            json.key("files")
            json.value(plan.files)
            json.key("bytes")
            json.value(plan.bytes)
            json.key("copyToHomeTrash")
            json.value(plan.copiesToHomeTrash)
            json.pathList(plan.protected, key: "protected")
        }
    }

    fileprivate mutating func planned(_ item: DeletionPlan.Item) {
        object { json in
            json.paths(item.path, key: "path", base64: "pathBase64")
            json.key("status")
            json.value(item.status.rawValue)
            json.key("reason")
            json.value(item.reason)
            json.key("bytes")
            json.value(item.bytes)
            json.key("taken")
            json.value(item.taken?.text)
            json.key("takenSource")
            json.value(item.taken?.source.rawValue)
            json.key("files")
            json.array { json in
                for member in item.members { json.planned(member) }
            }
            if !item.kept.isEmpty {
                json.key("kept")
                json.array { json in
                    for copy in item.kept { json.planned(copy) }
                }
                json.key("favor")
                json.value(item.favor)
                json.key("compare")
                json.value(item.sameness?.rawValue)
            }
        }
    }

    private mutating func planned(_ member: DeletionPlan.Member) {
        object { json in
            json.paths(member.location, key: "path", base64: "pathBase64")
            if member.path != member.location { json.paths(member.path, key: "named", base64: "namedBase64") }
            json.key("identity")
            json.identity(member.identity)
            if let hash = member.hash {
                json.key("sha256")
                json.value(Base64.encode(hash))
            }
            if member.isClone {
                json.key("clone")
                json.value(true)
            }
            if !member.siblings.isEmpty { json.pathList(member.siblings, key: "sharedWith") }
        }
    }

    private mutating func pathList(_ paths: [FilePath], key name: StaticString) {
        key(name)
        array { json in
            for path in paths { json.object { $0.paths(path, key: "path", base64: "pathBase64") } }
        }
    }
}

extension JSONValue {
    fileprivate func path(_ name: StaticString, base64: StaticString) -> FilePath? {
        if let exact = self[base64]?.text { return Base64.decode(exact).map { FilePath($0) } }
        guard let bytes = self[name]?.string, !bytes.isEmpty else { return nil }
        return FilePath(bytes)
    }
}

extension DeletionPlan {
    fileprivate init?(_ header: JSONValue, _ id: RunID) {
        guard let root = header.path("root", base64: "rootBase64"), let batchSize = header["batchSize"]?.integer,
            let mode = header["mode"]?.text.flatMap(Mode.init), let protected = header["protected"]?.array,
            let verification = header["verify"]?.text.flatMap(Verification.init), batchSize > 0
        else { return nil }
        let paths = protected.compactMap { $0.path("path", base64: "pathBase64") }
        guard paths.count == protected.count else { return nil }
        var options = DeletionOptions()
        options.mode = mode
        options.verification = verification
        options.batchSize = Int(batchSize)
        options.copiesToHomeTrash = header["copyToHomeTrash"]?.bool ?? false
        self.init(id: id, timeNs: SystemClock.nowNs(), options: options, protected: paths)
        self.root = root
    }
}

extension DeletionPlan.Item {
    fileprivate init?(_ value: JSONValue) {
        guard let path = value.path("path", base64: "pathBase64"),
            let status = value["status"]?.text.flatMap(DeletionPlan.Status.init), let files = value["files"]?.array
        else { return nil }
        let members = files.compactMap { DeletionPlan.Member($0) }
        guard members.count == files.count, status != .ready || !members.isEmpty else { return nil }
        // Older plans do not have the copy that stays.
        let copies = value["kept"]?.array ?? []
        let kept = copies.compactMap { DeletionPlan.Member($0) }
        guard kept.count == copies.count else { return nil }
        let compared = value["compare"]?.text
        let sameness = compared.flatMap(ContentSameness.init)
        guard (sameness == nil) == (compared == nil) else { return nil }
        self.init(
            path: path, members: members, status: status, reason: value["reason"]?.text, taken: CaptureDate(value))
        self.kept = kept
        favor = value["favor"]?.text
        self.sameness = sameness
    }
}

extension DeletionPlan.Member {
    fileprivate init?(_ file: JSONValue) {
        guard let location = file.path("path", base64: "pathBase64"), let identity = file["identity"]?.identity,
            location.isAbsolute
        else { return nil }
        let others = file["sharedWith"]?.array ?? []
        let siblings = others.compactMap { $0.path("path", base64: "pathBase64") }
        guard siblings.count == others.count else { return nil }
        self.init(
            path: file.path("named", base64: "namedBase64") ?? location, location: location, identity: identity,
            hash: file["sha256"]?.text.flatMap(Base64.decode), siblings: siblings)
        isClone = file["clone"]?.bool ?? false
    }
}

extension CaptureDate {
    /// Reads the date of an item; nil if it has none. Whether it covers a whole day is not stored.
    fileprivate init?(_ item: JSONValue) {
        guard let text = item["taken"]?.string,
            let source = item["takenSource"]?.text.flatMap(CaptureDate.Source.init),
            let date = text.withUnsafeBytes({ DateText(iso: ByteView($0)) })
        else { return nil }
        self.init(wall: date.wall, subseconds: date.subseconds, offsetMinutes: date.offsetMinutes, source: source)
    }
}
