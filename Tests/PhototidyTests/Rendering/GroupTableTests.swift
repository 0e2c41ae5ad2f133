import Support
import Testing
import TidyKit

@testable import phototidy

/// Groups on terminals of every width: no line wraps, and nothing in a name reaches the terminal as a control.
@Suite struct GroupTableTests {
    private static let names = [
        "家族の写真 2024年夏休み/海で遊ぶ子供たち (1).jpg", "WhatsApp/IMG-20240501-WA0001.jpg",
        "a/very/long/folder/that/goes/on/and/on/and/on/for/ever/and/ever/IMG_0001-edited.jpg",
        "ev\u{1B}[31mil\u{7}\nname\u{202E}.jpg",
    ]

    private static func photo(_ name: String, _ group: GroupMembership, bytes: Int64) -> Photo {
        let identity = FileIdentity(device: 1, inode: 1, bytes: bytes, modifiedNs: 0, changedNs: 0)
        var photo = Photo(path: FilePath(name), identity: identity, format: .jpeg)
        (photo.width, photo.height) = (4032, 3024)
        photo.taken = CaptureDate(wall: WallClock(seconds: 86400), subseconds: nil, source: .dateTimeOriginal)
        photo.group = group
        return photo
    }

    /// Two groups of the four names, each with another first.
    private static let photos: [Photo] = (1...2).flatMap { id in
        let names = id == 1 ? names : names.reversed()
        let group = GroupMembership.Group(kind: .similar, id: id, size: 4, keep: FilePath(names[0]))
        return names.enumerated().map { place, name in
            let reason = "taken earlier: 2019-08-17 18:45:01 against 2024-05-01 12:00:00"
            let membership = GroupMembership(
                group, role: place == 0 ? .keep : .redundant, distance: place * 40, reason: reason,
                sharpness: 87.4 - Double(place))
            return photo(name, membership, bytes: 5_650_000 - Int64(place) * 999_000)
        }
    }

    private static func text(_ photos: [Photo] = photos, columns: Int?) -> String {
        var table = GroupTable()
        for photo in photos { table.append(photo) }
        return table.text(columns: columns, bold: false)
    }

    @Test(arguments: [24, 40, 60, 72, 80, 100, 120, 160, 200, 300])
    func noLineIsWiderThanTheTerminal(_ columns: Int) {
        let text = Self.text(columns: columns)
        #expect(text.split(separator: "\n").allSatisfy { TerminalText.width(of: String($0)) <= columns }, "\(text)")
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x202E })
    }

    @Test(arguments: [40, 80, 120, 200]) func pathsKeepALengthThatTellsThemApart(_ columns: Int) {
        let text = Self.text(columns: columns)
        #expect(text.contains("海で遊ぶ") || columns == 40)
        for end in ["(1).jpg", "WA0001.jpg", "IMG_0001-edited.jpg", "name\\u{202E}.jpg"] {
            #expect(text.split(separator: "\n").count { $0.contains(end) } == 2, "\(columns): \(text)")
        }
    }

    @Test(arguments: [40, 80, 120, 200]) func theReasonIsGivenOnceAGroup(_ columns: Int) {
        let text = Self.text(columns: columns)
        #expect(text.split(separator: "\n").count { $0.contains("taken earlier: 2019-08-17") } == 2)
        #expect(text.contains("STAYS BECAUSE") == (columns >= 200))
    }

    @Test func aWideTerminalShowsAllThatDiffers() {
        let lines = Self.text(columns: 200).split(separator: "\n").map(String.init)
        for title in ["PHOTO", "APART", "PIXELS", "SIZE", "SHARP", "TAKEN"] { #expect(lines[0].contains(title)) }
        let second = lines[2]
        #expect(second.hasPrefix("  WhatsApp/IMG-20240501-WA0001.jpg "))
        for cell in [" 40 ", " 4032×3024 ", " 4.65 MB (−999 kB) ", " 86 ", " 1970-01-02 00:00"] {
            #expect(second.contains(cell), "\(cell): \(second)")
        }
    }

    /// Column by column, the least telling first.
    @Test func aNarrowerTerminalGetsFewerColumns() {
        var headers: [[String]] = []
        for columns in (20...300).reversed() {
            let header = Self.text(columns: columns).split(separator: "\n")[0]
            let titles = header.split(separator: "  ").map { $0.filter { $0 != " " } }
            if headers.last != titles { headers.append(titles) }
        }
        let all = ["PHOTO", "APART", "PIXELS", "SIZE", "SHARP", "TAKEN"]
        #expect(
            headers == [
                all + ["STAYSBECAUSE"], all, all.filter { $0 != "TAKEN" }, ["PHOTO", "APART", "PIXELS", "SIZE"],
                ["PHOTO", "APART", "SIZE"], ["PHOTO", "SIZE"],
            ])
        // Times of day go before days do.
        #expect(Self.text(columns: 110).contains(" 1970-01-02 00:00"))
        #expect(!Self.text(columns: 90).contains(" 1970-01-02 00:00") && Self.text(columns: 90).contains(" 1970-01-02"))
    }

    /// A panorama has one reason for all of its parts.
    @Test func aSetThatStaysWholeHasOneReason() {
        let group = GroupMembership.Group(
            kind: .burst, id: 1, size: 2, keep: FilePath("STA_1.jpg"), set: .panorama)
        let membership = GroupMembership(group, role: .keep, distance: nil, reason: "parts of a panorama")
        let photos = ["STA_1.jpg", "STB_2.jpg"].map { Self.photo($0, membership, bytes: 1) }
        #expect(Self.text(photos, columns: 60).split(separator: "\n").count { $0.contains("panorama") } == 1)
    }

    @Test func theSummaryCountsInWords() {
        #expect(GroupTable.summary(Self.photos, clones: []) == "2 groups; 6 photos could go (21.9 MB)")
        var two = Array(Self.photos.prefix(2))
        #expect(GroupTable.summary(two, clones: []) == "1 group; 1 photo could go (4.65 MB)")
        two[1].companions = [FilePath("b.mov")]
        #expect(GroupTable.summary(two, clones: []) == "1 group; 1 photo could go (4.65 MB without companions)")
        #expect(GroupTable.summary([two[0]], clones: []) == "1 group; 0 photos could go (0 B)")
    }
}
