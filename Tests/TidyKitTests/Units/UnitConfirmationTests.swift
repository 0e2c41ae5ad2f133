import Testing

@testable import TidyKit

@Suite struct UnitConfirmationTests {
    private typealias Member = UnitConfirmation.Member

    /// A file of the stem `a`.
    private func file(
        _ format: MediaFormat?, _ identifier: String? = nil, seconds: Double? = 2, day: Int? = nil, make: String? = nil,
        name: String = "a.x"
    ) -> (Int) -> UnitConfirmation.Member {
        { index in
            var member = UnitConfirmation.Member(index: index, name: Array(name.utf8))
            member.format = format
            member.isMedia = format != nil
            member.contentIdentifier = identifier
            member.duration = format?.kind == .video ? seconds : nil
            member.make = make
            member.taken = day.flatMap { WallClock(year: 2024, month: 5, day: $0) }.map {
                CaptureDate(wall: $0, source: .dateTimeOriginal)
            }
            return member
        }
    }

    private func confirmed(
        _ files: [(Int) -> Member], _ sidecars: [NameGroup.Sidecar] = []
    ) -> [UnitConfirmation.Unit] {
        UnitConfirmation.units(of: files.enumerated().map { $1($0) }, sidecars: sidecars)
    }

    /// Every unit as its main file and the media that go with it.
    private func units(_ files: (Int) -> Member...) -> [[Int]] { confirmed(files).map { [$0.main] + $0.media } }

    @Test func aLivePhotoGoesByItsIdentifier() {
        #expect(units(file(.heic, "A"), file(.mov, "A")) == [[0, 1]])
        #expect(units(file(.heic, "A"), file(.mov, "B")) == [[0], [1]])
        #expect(units(file(.heic), file(.mov, "B")) == [[0, 1]])
        #expect(units(file(.jpeg), file(.mov)) == [[0, 1]])
        #expect(units(file(.heic, "A"), file(.jpeg, "B"), file(.mov, "B")) == [[0], [1, 2]])
        // Takeout turns the video into an MP4.
        #expect(units(file(.heic, "A"), file(.mp4, "A")) == [[0, 1]])
        #expect(units(file(.jpeg), file(.mp4)) == [[0, 1]])
        // The identifier is enough, however long the video is.
        #expect(units(file(.heic, "A"), file(.mov, "A", seconds: 90)) == [[0, 1]])
    }

    @Test func ofSeveralStillsTheVideoGoesWithTheHEIC() {
        #expect(units(file(.jpeg, "A"), file(.heic, "A"), file(.mov, "A")) == [[0], [1, 2]])
        let own = { index in
            var member = file(.jpeg, "A", day: 1)(index)
            member.hasModel = true
            return member
        }
        #expect(units(file(.jpeg, "A"), own, file(.mov, "A")) == [[0], [1, 2]])
    }

    @Test func aFilmIsNoLiveVideo() {
        #expect(units(file(.jpeg), file(.mov, seconds: 15)) == [[0, 1]])
        #expect(units(file(.jpeg), file(.mov, seconds: 15.5)) == [[0], [1]])
        #expect(units(file(.jpeg), file(.mov, seconds: nil)) == [[0], [1]])
        #expect(units(file(.jpeg, day: 1), file(.mov, day: 2)) == [[0, 1]])
        #expect(units(file(.jpeg, day: 1), file(.mov, day: 3)) == [[0], [1]])
    }

    @Test func aThumbnailGoesWithItsFilm() {
        #expect(units(file(.mov, seconds: 90), file(.jpeg, name: "a.THM")) == [[0, 1]])
        #expect(units(file(.mov), file(.jpeg, name: "a.THM")) == [[0, 1]])
        #expect(units(file(.jpeg), file(.mov), file(.jpeg, name: "a.THM")) == [[0, 1, 2]])
        #expect(units(file(.mov), file(.mp4), file(.jpeg, name: "a.thm")) == [[0], [1], [2]])
        #expect(units(file(.jpeg, name: "a.THM")) == [[0]])
        #expect(units(file(.crw), file(.jpeg, name: "a.THM")) == [[0, 1]])
        // A file that is not media can be a companion but not a photo.
        #expect(units(file(.mp4), file(nil, name: "a.LRV")) == [[0, 1]])
        #expect(units(file(nil, name: "a.LRV")) == [])
        #expect(units(file(.jpeg), file(.mp4, name: "a.LRV")) == [[0], [1]])
    }

    @Test func whatCouldBelongToSeveralBelongsToNone() {
        #expect(units(file(.heic), file(.jpeg), file(.mov)) == [[0], [1], [2]])
        #expect(units(file(.jpeg), file(.mov), file(.mov)) == [[0], [1], [2]])
        #expect(units(file(.jpeg), file(.jpeg), file(.dng)) == [[0], [1], [2]])
        #expect(units(file(.png), file(.mov)) == [[0], [1]])
    }

    @Test func aRawGoesWithItsJPEG() {
        #expect(units(file(.cr2), file(.jpeg)) == [[1, 0]])
        #expect(units(file(.dng), file(.heic, "A"), file(.mov, "A")) == [[1, 0, 2]])
        #expect(units(file(.jpeg), file(.heic), file(.dng)) == [[0, 2], [1]])
        #expect(units(file(.dng), file(.mov)) == [[0, 1]])
        #expect(units(file(.cr2), file(.png)) == [[0], [1]])
        #expect(units(file(.cr2), file(.mov)) == [[0], [1]])
        #expect(units(file(.cr2, make: "Canon"), file(.jpeg, make: "NIKON CORPORATION")) == [[0], [1]])
        #expect(units(file(.nef, make: "Nikon"), file(.jpeg, make: "NIKON CORPORATION")) == [[1, 0]])
        #expect(units(file(.nef, make: "Nikon"), file(.jpeg)) == [[1, 0]])
        #expect(units(file(.nef, day: 1), file(.jpeg, day: 3)) == [[0], [1]])
    }

    @Test func aSidecarStaysWithTheLastSibling() {
        let stem = NameGroup.Sidecar(index: 9, target: nil, kind: .xmp)
        func sidecars(_ formats: [MediaFormat], _ sidecar: NameGroup.Sidecar) -> [[Int]] {
            confirmed(formats.map { file($0) }, [sidecar]).map(\.sidecars)
        }
        #expect(sidecars([.jpeg], stem) == [[9]])
        #expect(sidecars([.cr2, .jpeg], stem) == [[9]])
        #expect(sidecars([.jpeg, .png], stem) == [[], []])
        // One that names its file in full is not in doubt.
        #expect(sidecars([.jpeg, .png], NameGroup.Sidecar(index: 9, target: 1, kind: .xmp)) == [[], [9]])
        #expect(sidecars([.cr2, .jpeg], NameGroup.Sidecar(index: 9, target: 0, kind: .xmp)) == [[9]])
        // Shared, and about the RAW.
        let strangers = confirmed([file(.cr2, make: "Canon"), file(.jpeg, make: "Sony")], [stem])
        #expect(strangers.map(\.shared) == [[9], [9]])
        #expect(strangers.map(\.xmpSidecars) == [[9], []])
    }

    @Test func soundAndSubtitlesGoWithTheirKind() {
        let sound = NameGroup.Sidecar(index: 8, target: nil, kind: .sound)
        let subtitles = NameGroup.Sidecar(index: 9, target: nil, kind: .subtitles)
        let film = confirmed([file(.jpeg), file(.mp4, seconds: 90)], [sound, subtitles])
        #expect(film.map(\.sidecars) == [[8], [9]])
        #expect(confirmed([file(.jpeg)], [subtitles]).map(\.sidecars) == [[]])
        #expect(confirmed([file(.mp4)], [sound]).map(\.sidecars) == [[]])
    }

    @Test func theJSONOfTheOriginalIsHeardAndNotTaken() {
        let json = NameGroup.Sidecar(index: 9, target: nil, kind: .takeout, isOfOriginal: true)
        let unit = confirmed([file(.jpeg)], [json])
        #expect(unit.map(\.takeoutSidecars) == [[9]])
        #expect(unit.map(\.sidecars) == [[]])
        #expect(unit.map(\.traits.hasSidecar) == [false])
    }

    @Test func placeholdersMoveWithNothing() {
        let cloud = file(nil, name: ".a.mov.icloud")
        #expect(
            units(
                file(.heic),
                { index in
                    var member = cloud(index)
                    member.isMedia = true
                    return member
                }) == [[0], [1]])
    }
}
