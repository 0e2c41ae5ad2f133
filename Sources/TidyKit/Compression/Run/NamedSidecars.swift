/// Sidecars that bear the full name of a photo (`a.HEIC.xmp`), which is about to get another extension: they would be nobody's.
struct NamedSidecars {
    private let photo: FilePath
    private let newPhoto: FilePath
    private let roots: LibraryRoots

    private static let endings = ["xmp", "pp3", "dop", "on1", "arp", "cos"].flatMap { [$0, $0.uppercased()] }
    /// Longer ones are no sidecars, and stay.
    private static let most = 16 << 20

    /// - Parameter roots: what leads to the photo; no link below it is followed.
    init(of photo: FilePath, becoming newPhoto: FilePath, below roots: LibraryRoots) {
        self.photo = photo
        self.newPhoto = newPhoto
        self.roots = roots
    }

    /// Renames what is there as a part of the same photo of the same run: each becomes a file of the new name, with the old
    /// one in the trash.
    /// - Parameter unit: the photo's number in the run.
    /// - Parameter renamed: is told the old name of each that was renamed.
    /// - Returns: what could not be renamed, in words for the report.
    func rename(unit: Int, _ run: InPlaceRun, renamed: (FilePath) -> Void = { _ in }) -> [String] {
        guard photo != newPhoto else { return [] }
        return Self.endings.compactMap { ending in
            let old = FilePath(photo.bytes + Array(".\(ending)".utf8))
            guard let folder = try? roots.open(folder: old.directory),
                let file = try? folder.descriptor.openForReading(FilePath(old.lastComponent)),
                let status = try? file.status(), status.kind == .regular
            else { return nil }
            let new = FilePath(newPhoto.bytes + Array(".\(ending)".utf8))
            do throws(DeletionError) {
                let content: [UInt8]
                do throws(POSIXError) { content = try file.readToEnd(limit: Self.most) } catch {
                    return "its sidecar \(old.displayText) keeps its name: \(error.reason)"
                }
                try run.replace(old, with: content, expecting: status.identity, as: new, unit: unit)
                renamed(old)
                return nil
            } catch {
                return "its sidecar \(old.displayText) keeps its name: \(error.description)"
            }
        }
    }
}
