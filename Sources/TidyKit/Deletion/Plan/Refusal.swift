/// A rule of safety that forbids a run. Its words say what to do instead.
public enum Refusal: Error, Hashable, Sendable {
    case root(FilePath)
    case home(FilePath)
    case holdsHome(FilePath)
    case mountPoint(FilePath)
    case ownState(FilePath)
    case trash(FilePath)
    case systemFolder(FilePath)
    case bareFolder(FilePath)
    case missingProtection(FilePath)
    case companionAlone(FilePath, main: FilePath)
    case hasCompanions(FilePath, companion: FilePath)
    case tooManyFiles(Int, limit: Int)
    case tooManyBytes(Int64, limit: Int64)
    case incomplete(String, count: Int)
    case modifiedDateOnly(FilePath, count: Int)
    case planExists(FilePath)
    case planBounds(FilePath)
}

extension Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .root: "refusing to delete from /: name the folder of your photos"
        case .home(let path): "refusing to delete from the home folder \(path.displayText): name a folder in it"
        case .holdsHome(let path):
            "refusing to delete from \(path.displayText), which holds the home folder: name a folder in it"
        case .mountPoint(let path):
            "refusing to delete from \(path.displayText), where a filesystem is mounted: name a folder in it"
        case .ownState(let path): "refusing to delete \(path.displayText): phototidy keeps its own state there"
        case .trash(let path): "refusing to delete \(path.displayText): it is in a trash already"
        case .systemFolder(let path): "refusing to delete \(path.displayText): it belongs to the system"
        case .bareFolder(let path):
            "\(path.displayText) is a folder: say which photos in it (--older-than, --name …), or --all"
        case .missingProtection(let path):
            "--protect \(path.displayText): no such file or folder, so it would protect nothing"
        case .companionAlone(let path, let main):
            "\(path.displayText) belongs to \(main.displayText): name that, or use --companions only"
        case .hasCompanions(let path, let companion):
            "\(path.displayText) has the companion \(companion.displayText), and --companions refuse was given"
        case .tooManyFiles(let count, let limit): "the plan has \(count) files, more than --max-files \(limit)"
        case .tooManyBytes(let bytes, let limit): "the plan has \(bytes) bytes, more than --max-bytes \(limit)"
        case .incomplete(let warning, let count):
            "part of the library could not be read (\(warning)\(count > 1 ? " and \(count - 1) more" : "")): "
                + "mend that, or use --allow-incomplete"
        case .modifiedDateOnly(let path, let count):
            "\(path.displayText)\(count > 1 ? " and \(count - 1) more photo\(count > 2 ? "s" : "") have" : " has") no date "
                + "but the modification time, which a copy changes: leave them out with "
                + "--date-source exif,xmp,quicktime,name, or use --trust-mtime"
        case .planExists(let path): "\(path.displayText) exists: a plan never replaces a file"
        case .planBounds(let path): "\(path.displayText): its items are more than its header allows"
        }
    }
}
