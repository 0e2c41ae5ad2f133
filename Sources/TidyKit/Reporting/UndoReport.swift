/// The report `phototidy.undo/1`: what an undo restored, and what it left in the trash.
package struct UndoReport: Sendable {
    /// One photo of the run.
    package struct Item: Sendable {
        /// The path from which the photo was deleted.
        package var path: FilePath
        /// Where its files are now.
        package var files: [FilePath]
        package var bytes: Int64
        package var status: String
        package var reason: String?
    }

    package var id: String
    package var action: String
    package var isDryRun: Bool
    package var photos: Int
    package var files: Int
    package var bytes: Int64
    package var items: [Item]
}

/// One run of `undo --list`: `phototidy.run/1`.
package struct RunReport: Sendable {
    package var id: String
    /// In UTC, and in local time.
    package var time: WallClock
    package var localTime: WallClock
    package var action: String
    package var root: FilePath
    package var photos: Int
    package var files: Int
    package var bytes: Int64
    package var state: String
    /// True if at least one file can still be restored.
    package var canBeUndone: Bool
}

extension JSONWriter {
    /// Writes the record with its keys in the order of Docs/Reference.md.
    package mutating func report(_ report: UndoReport) {
        object { json in
            json.key("schema")
            json.value("phototidy.undo/1")
            json.key("id")
            json.value(report.id)
            json.key("action")
            json.value(report.action)
            json.key("dryRun")
            json.value(report.isDryRun)
            json.key("photos")
            json.value(report.photos)
            json.key("files")
            json.value(report.files)
            json.key("bytes")
            json.value(report.bytes)
            json.key("items")
            json.array { json in
                for item in report.items {
                    json.object { json in
                        json.paths(item.path, key: "path", base64: "pathBase64")
                        json.fileList(item.files)
                        json.key("bytes")
                        json.value(item.bytes)
                        json.key("status")
                        json.value(item.status)
                        json.key("reason")
                        json.value(item.reason)
                    }
                }
            }
        }
    }

    /// Writes the records of `undo --list`.
    package mutating func report(_ runs: [RunReport]) {
        array { json in
            for run in runs {
                json.object { json in
                    json.key("schema")
                    json.value("phototidy.run/1")
                    json.key("id")
                    json.value(run.id)
                    json.key("time")
                    json.value(run.time.text + "Z")
                    json.key("action")
                    json.value(run.action)
                    json.paths(run.root, key: "root", base64: "rootBase64")
                    json.key("photos")
                    json.value(run.photos)
                    json.key("files")
                    json.value(run.files)
                    json.key("bytes")
                    json.value(run.bytes)
                    json.key("state")
                    json.value(run.state)
                }
            }
        }
    }
}
