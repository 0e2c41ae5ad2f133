/// What `index --info` tells.
public struct IndexInfo: Sendable, Equatable {
    public let path: FilePath
    /// Of the file and its log; 0 where there is no index yet.
    public let bytes: Int64
    /// Files whose content is known in some state; nil where the index cannot be read.
    public let files: Int64?
    /// Why it cannot be read.
    public let problem: IndexError?

    /// Looks without making, changing or repairing anything.
    /// - Parameter folder: `Environment.cache`.
    public static func read(in folder: FilePath) -> IndexInfo {
        let path = folder.appending(IndexStore.fileName)
        let bytes = IndexStore.suffixes.totalBytes { suffix in
            (try? FileStatus.of(folder.appending(IndexStore.fileName + suffix)))?.identity.bytes ?? 0
        }
        do throws(IndexError) {
            return IndexInfo(path: path, bytes: bytes, files: try IndexStore.rowCount(in: folder), problem: nil)
        } catch {
            return IndexInfo(path: path, bytes: bytes, files: nil, problem: error)
        }
    }

    /// Removes the index; it is made anew as needed. Whoever has it open goes on with what is theirs.
    /// - Returns: how many bytes it had; 0 where there was none.
    public static func clear(in folder: FilePath) throws(POSIXError) -> Int64 { try IndexStore.remove(in: folder) }
}
