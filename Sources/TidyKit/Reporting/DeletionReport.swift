/// The report `phototidy.delete/1` of Docs/Reference.md.
package struct DeletionReport: Sendable {
    /// One photo of the plan.
    package struct Item: Sendable {
        package var path: FilePath
        package var files: [FilePath]
        package var bytes: Int64
        package var batch: Int
        package var status: String
        package var reason: String?
        /// 0 for a clone of what stays.
        package var freed: Int64
    }

    package var id: String
    package var isDryRun: Bool
    package var mode: String
    package var batchSize: Int
    package var batches: Int
    package var photos: Int
    package var files: Int
    package var bytes: Int64
    package var items: [Item]
    /// The bytes that are freed once all of it has left the trash.
    package var freed: Int64
}

extension JSONWriter {
    /// Writes the record with its keys in the order of Docs/Reference.md.
    package mutating func report(_ report: DeletionReport) {
        object { json in
            json.key("schema")
            json.value("phototidy.delete/1")
            json.key("id")
            json.value(report.id)
            json.key("dryRun")
            json.value(report.isDryRun)
            json.key("mode")
            json.value(report.mode)
            json.key("batchSize")
            json.value(report.batchSize)
            json.key("batches")
            json.value(report.batches)
            json.key("photos")
            json.value(report.photos)
            json.key("files")
            json.value(report.files)
            json.key("bytes")
            json.value(report.bytes)
            json.key("items")
            json.array { json in for item in report.items { json.item(item) } }
            json.key("freed")
            json.value(report.freed)
        }
    }

    private mutating func item(_ item: DeletionReport.Item) {
        object { json in
            json.paths(item.path, key: "path", base64: "pathBase64")
            json.fileList(item.files)
            json.key("bytes")
            json.value(item.bytes)
            json.key("batch")
            json.value(item.batch)
            json.key("status")
            json.value(item.status)
            json.key("reason")
            json.value(item.reason)
            json.key("freed")
            json.value(item.freed)
        }
    }

    /// `files`, followed by `filesBase64` if one of the names is not UTF-8.
    mutating func fileList(_ files: [FilePath]) {
        key("files")
        array { json in for file in files { json.value(file) } }
        if files.contains(where: { $0.utf8Text == nil }) {
            key("filesBase64")
            array { json in for file in files { json.value(Base64.encode(file.bytes)) } }
        }
    }

    /// A path, followed by its bytes in Base64 if they are not UTF-8.
    mutating func paths(_ path: FilePath, key name: StaticString, base64 exact: StaticString) {
        key(name)
        value(path)
        if path.utf8Text == nil {
            key(exact)
            value(Base64.encode(path.bytes))
        }
    }
}
