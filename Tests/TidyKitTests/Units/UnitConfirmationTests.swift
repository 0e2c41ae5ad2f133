import Testing

@testable import TidyKit

@Suite struct UnitConfirmationTests {
    private typealias Member = UnitConfirmation.Member

    /// Every unit as its main file and the media that go with it.
    private func units(_ formats: [(MediaFormat?, String?)], sidecars: [NameGroup.Sidecar] = []) -> [[Int]] {
        let members = formats.enumerated().map { index, file in
            Member(index: index, format: file.0, contentIdentifier: file.1)
        }
        return UnitConfirmation.units(of: members, sidecars: sidecars).map { [$0.main] + $0.media }
    }

    @Test func aLivePhotoGoesByItsIdentifier() {
        #expect(units([(.heic, "A"), (.mov, "A")]) == [[0, 1]])
        #expect(units([(.heic, "A"), (.mov, "B")]) == [[0], [1]])
        #expect(units([(.heic, nil), (.mov, "B")]) == [[0, 1]])
        #expect(units([(.jpeg, nil), (.mov, nil)]) == [[0, 1]])
        #expect(units([(.heic, "A"), (.jpeg, "B"), (.mov, "B")]) == [[0], [1, 2]])
        // Takeout turns the video into an MP4; a clip of the same name is another matter.
        #expect(units([(.heic, "A"), (.mp4, "A")]) == [[0, 1]])
        #expect(units([(.jpeg, nil), (.mp4, nil)]) == [[0], [1]])
    }

    @Test func whatCouldBelongToSeveralBelongsToNone() {
        #expect(units([(.heic, nil), (.jpeg, nil), (.mov, nil)]) == [[0], [1], [2]])
        #expect(units([(.jpeg, nil), (.mov, nil), (.mov, nil)]) == [[0], [1], [2]])
        #expect(units([(.jpeg, nil), (.heic, nil), (.dng, nil)]) == [[0], [1], [2]])
        #expect(units([(.png, nil), (.mov, nil)]) == [[0], [1]])
    }

    @Test func aRawGoesWithItsJPEG() {
        #expect(units([(.cr2, nil), (.jpeg, nil)]) == [[1, 0]])
        #expect(units([(.dng, nil), (.heic, "A"), (.mov, "A")]) == [[1, 0, 2]])
        #expect(units([(.dng, nil), (.mov, nil)]) == [[0, 1]])
        #expect(units([(.cr2, nil), (.png, nil)]) == [[0], [1]])
        #expect(units([(.cr2, nil), (.mov, nil)]) == [[0], [1]])
    }

    @Test func aSidecarStaysWithTheLastSibling() {
        let stem = NameGroup.Sidecar(index: 9, target: nil, kind: .xmp)
        func sidecars(_ formats: [MediaFormat], _ sidecar: NameGroup.Sidecar) -> [[Int]] {
            let members = formats.enumerated().map { Member(index: $0, format: $1) }
            return UnitConfirmation.units(of: members, sidecars: [sidecar]).map(\.sidecars)
        }
        #expect(sidecars([.jpeg], stem) == [[9]])
        #expect(sidecars([.cr2, .jpeg], stem) == [[9]])
        #expect(sidecars([.jpeg, .png], stem) == [[], []])
        // One that names its file in full is not in doubt.
        #expect(sidecars([.jpeg, .png], NameGroup.Sidecar(index: 9, target: 1, kind: .xmp)) == [[], [9]])
        #expect(sidecars([.cr2, .jpeg], NameGroup.Sidecar(index: 9, target: 0, kind: .xmp)) == [[9]])
    }

    @Test func placeholdersMoveWithNothing() {
        let members = [
            Member(index: 0, format: .heic), Member(index: 1, format: nil, isOffline: true),
        ]
        #expect(UnitConfirmation.units(of: members, sidecars: []).map(\.main) == [0, 1])
    }
}
