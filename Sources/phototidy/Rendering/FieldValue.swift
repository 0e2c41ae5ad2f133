internal import TidyKit

/// The value of one field of one photo.
enum FieldValue: Equatable {
    case null
    case text(String)
    case path(FilePath)
    case integer(Int64)
    case decimal(Double)
    case flag(Bool)
    case paths([FilePath])
    case texts([String])
    case group(GroupMembership)
    case identity(FileIdentity)

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    init(_ number: Double?) { self = number.map { .decimal($0) } ?? .null }

    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .text(let text): json.value(text)
        case .path(let path): json.value(path)
        case .integer(let number): json.value(number)
        case .decimal(let number): json.value(number)
        case .flag(let flag): json.value(flag)
        case .paths(let paths): json.array { json in for path in paths { json.value(path) } }
        case .texts(let texts): json.array { json in for text in texts { json.value(text) } }
        case .group(let group): json.membership(group)
        case .identity(let identity): json.identity(identity)
        }
    }

    /// For TSV and CSV: paths as their bytes, empty for null, JSON for lists and objects.
    var cell: [UInt8] {
        switch self {
        case .null: return []
        case .text(let text): return Array(text.utf8)
        case .path(let path): return path.bytes
        default:
            var json = JSONWriter()
            write(to: &json)
            return json.bytes
        }
    }
}

extension CaptureDate {
    /// For display: `2024-05-01 12:00`, or only the day if the time is unknown; `~` marks the time stamp of a file. An
    /// instant is shown in local time.
    var localText: String {
        precision == .day ? localDay : mark + wall(in: .local).minuteText
    }

    /// The day of `localText`.
    var localDay: String { mark + wall(in: .local).text.prefix(10) }

    private var mark: String { source == .modified ? "~" : "" }
}

extension WallClock {
    /// The local time, if this is UTC.
    var localText: String { TimeZone.local.wall(of: self).minuteText }

    fileprivate var minuteText: String { text.prefix(10) + " " + text.dropFirst(11).prefix(5) }
}
