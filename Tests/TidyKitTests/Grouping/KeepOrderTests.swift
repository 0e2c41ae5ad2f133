internal import Support
import Testing

@testable import TidyKit

/// Which of two photos stays, and the reason that people read.
@Suite struct KeepOrderTests {
    private static func candidate(
        _ name: String, _ change: (inout KeepCandidate) -> Void = { _ in }
    ) -> KeepCandidate {
        let identity = FileIdentity(device: 1, inode: 1, bytes: 2_000_000, modifiedNs: 1_000, changedNs: 0)
        var photo = Photo(path: FilePath(name), identity: identity, format: .jpeg)
        photo.width = 4000
        photo.height = 3000
        var candidate = KeepCandidate(photo)
        candidate.sharpness = 50
        change(&candidate)
        return candidate
    }

    private static func taken(_ second: Int64, _ source: CaptureDate.Source = .dateTimeOriginal) -> CaptureDate {
        CaptureDate(wall: WallClock(seconds: second), subseconds: nil, source: source)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rules: [KeepRule]
        let reason: String
        /// What makes the second of two equal photos stay.
        let better: @Sendable (inout KeepCandidate) -> Void
        var testDescription: String { "\(rules.map(\.rawValue).joined(separator: ",")): \(reason)" }

        init(
            _ reason: String, _ rules: [KeepRule] = [.best], _ better: @escaping @Sendable (inout KeepCandidate) -> Void
        ) {
            self.rules = rules
            self.reason = reason
            self.better = better
        }
    }

    static let rows = [
        Row("in a protected place") { $0.isProtected = true },
        Row("in a preferred place") { $0.preference = 1 },
        Row("rated 4") { $0.photo.rating = 4 },
        Row("in a selection") { $0.isSelected = true },
        Row("from the camera (EXIF)") { $0.isFromCamera = true },
        Row("2 companions against none") { $0.photo.companions = [FilePath("b.aae"), FilePath("b.mov")] },
        Row("HEIC rather than JPEG") { $0.photo.format = .heic },
        Row("RAW (DNG) rather than JPEG") { $0.photo.format = .dng },
        Row("with a location") { $0.photo.location = Coordinate(latitude: 1, longitude: 2) },
        Row("4032×3024 against 4000×3000 pixels") { ($0.photo.width, $0.photo.height) = (4032, 3024) },
        Row("sharper: 52 against 50 of 100") { $0.sharpness = 52 },
        Row("5.65 MB against 2.00 MB") { $0.photo.identity.bytes = 5_650_000 },
        Row("2000001 against 2000000 bytes") { $0.photo.identity.bytes = 2_000_001 },
        Row("taken earlier: 1970-01-01 00:01:39 against 1970-01-01 00:01:40") { $0.photo.taken = taken(99) },
        Row("an older time stamp") { $0.photo.identity.modifiedNs = 999 },
        Row("taken earlier: 1970-01-01 00:01:39 against 1970-01-01 00:01:40", [.oldest]) { $0.photo.taken = taken(99) },
        Row("taken later: 1970-01-01 00:01:41 against 1970-01-01 00:01:40", [.newest]) { $0.photo.taken = taken(101) },
        Row("a newer time stamp", [.newest]) { $0.photo.identity.modifiedNs = 1_001 },
        Row("2.50 MB against 2.00 MB", [.largest]) { $0.photo.identity.bytes = 2_500_000 },
        Row("1.50 MB against 2.00 MB", [.smallest]) { $0.photo.identity.bytes = 1_500_000 },
        Row("5000×3000 against 4000×3000 pixels", [.pixels]) { $0.photo.width = 5000 },
        Row("sharper: 90 against 50 of 100", [.sharpest]) { $0.sharpness = 90 },
        Row("rated 5", [.rated]) { $0.photo.rating = 5 },
        Row("below the path that was named first", [.first]) { $0.operand = 0 },
    ]

    @Test(arguments: rows) func oneDifferenceDecides(_ row: Row) {
        let order = KeepOrder(row.rules)
        let other = Self.candidate("a.jpg") {
            $0.photo.taken = Self.taken(100)
            $0.operand = 1
        }
        let better = Self.candidate("b.jpg") {
            $0.photo.taken = Self.taken(100)
            $0.operand = 1
            row.better(&$0)
        }
        #expect(order.prefers(better, to: other) && !order.prefers(other, to: better))
        #expect(order.reason(better, over: other) == row.reason)
    }

    @Test func withoutADifferenceTheNameAndThenThePathDecide() {
        let order = KeepOrder()
        let plain = Self.candidate("z.jpg")
        let copy = Self.candidate("a copy.jpg")
        #expect(order.prefers(plain, to: copy))
        #expect(order.reason(plain, over: copy) == "not named as a copy")
        let first = Self.candidate("a.jpg")
        #expect(order.prefers(first, to: plain))
        #expect(order.reason(first, over: plain) == "first in the order of paths")
    }

    /// A place outweighs what the filters ask for, and that outweighs every rule.
    @Test func placesAndFiltersOutweighTheRules() {
        let order = KeepOrder([.largest])
        let large = Self.candidate("a.jpg") { $0.photo.identity.bytes = 9_000_000 }
        let unasked = Self.candidate("b.jpg") { $0.isWished = false }
        #expect(order.prefers(unasked, to: large))
        #expect(order.reason(unasked, over: large) == "not matched by the other filters")
        let preferred = Self.candidate("c.jpg") { $0.preference = 0 }
        #expect(order.prefers(preferred, to: unasked))
        let protected = Self.candidate("d.jpg") { $0.isProtected = true }
        #expect(order.prefers(protected, to: preferred))
        let second = Self.candidate("a.jpg") { $0.preference = 1 }
        #expect(order.prefers(preferred, to: second))
    }

    /// What the other one has is said where it helps to understand.
    @Test func reasonsNameWhatTheOtherHas() {
        func reason(
            _ kept: (inout KeepCandidate) -> Void, over other: (inout KeepCandidate) -> Void
        ) -> String {
            KeepOrder().reason(Self.candidate("b.jpg", kept), over: Self.candidate("a.jpg", other))
        }
        #expect(reason({ $0.photo.rating = 5 }, over: { $0.photo.rating = 2 }) == "rated 5 against 2")
        #expect(
            reason({ $0.preference = 0 }, over: { $0.preference = 1 })
                == "in a place that is preferred to that of the other")
        let (one, two) = ([FilePath("b.aae")], [FilePath("b.aae"), FilePath("b.mov")])
        #expect(
            reason({ $0.photo.companions = two }, over: { $0.photo.companions = one }) == "2 companions against 1")
        #expect(reason({ $0.photo.companions = one }, over: { _ in }) == "1 companion against none")
        #expect(
            reason({ _ in }, over: { $0.photo.width = nil }) == "4000×3000 against an unknown number of pixels")
        #expect(reason({ _ in }, over: { $0.sharpness = nil }) == "the other cannot be decoded")
        #expect(
            reason({ $0.photo.taken = Self.taken(5) }, over: { $0.photo.taken = Self.taken(6, .modified) })
                == "taken earlier: 1970-01-01 00:00:05 against 1970-01-01 00:00:06 (time stamp)")
        #expect(
            reason({ $0.photo.taken = Self.taken(5, .modified) }, over: { $0.photo.taken = Self.taken(6, .modified) })
                == "an older time stamp")
    }

    @Test func aRejectedPhotoGoesFirst() {
        let plain = Self.candidate("b.jpg")
        let rejected = Self.candidate("a.jpg") { $0.photo.rating = -1 }
        #expect(KeepOrder().prefers(plain, to: rejected))
        #expect(KeepOrder().reason(plain, over: rejected) == "the other is marked as rejected")
    }

    @Test func laterRulesDecideWhatEarlierOnesLeaveOpen() {
        let older = Self.candidate("a.jpg") { $0.photo.taken = Self.taken(1) }
        let sharper = Self.candidate("b.jpg") {
            $0.photo.taken = Self.taken(1)
            $0.sharpness = 80
        }
        #expect(KeepOrder([.oldest, .sharpest]).prefers(sharper, to: older))
        #expect(KeepOrder([.oldest, .smallest, .first]).prefers(sharper, to: older), "best decides the rest")
    }

    /// The re-save of an editor or messenger has more bytes; the camera's own stays.
    @Test func theCamerasOwnOutweighsBytesAndPixels() {
        let own = Self.candidate("IMG_1.JPG") { $0.isFromCamera = true }
        let saved = Self.candidate("IMG_1-edited.JPG") {
            $0.photo.identity.bytes = 9_000_000
            $0.photo.width = 8000
            $0.sharpness = 99
        }
        #expect(KeepOrder().prefers(own, to: saved))
        let rated = Self.candidate("IMG_1-edited.JPG") { $0.photo.rating = 1 }
        #expect(KeepOrder().prefers(rated, to: own))
    }

    /// What would be lost with a photo, which plans and questions name.
    @Test func favorIsWhatTheOneThatStaysDoesNotHave() {
        let plain = Self.candidate("a.jpg")
        let rated = Self.candidate("b.jpg") { $0.photo.rating = 4 }
        let selected = Self.candidate("c.jpg") { $0.isSelected = true }
        #expect(plain.favor(beside: rated) == nil && rated.favor(beside: rated) == nil)
        #expect(rated.favor(beside: plain) == "rated 4")
        #expect(selected.favor(beside: rated) == "in a selection")
    }

    /// Sorting needs it: no three photos each of which stays rather than the next.
    @Test(arguments: KeepRule.allCases) func theOrderIsTotal(_ rule: KeepRule) {
        var random = SeededRandom(seed: 13)
        let order = KeepOrder([rule])
        let photos = (0..<40).map { number in
            Self.candidate("\(number).jpg") { candidate in
                let source: CaptureDate.Source = Bool.random(using: &random) ? .modified : .dateTimeOriginal
                if Int.random(in: 0..<4, using: &random) > 0 {
                    candidate.photo.taken = Self.taken(Int64.random(in: 0..<4, using: &random), source)
                }
                candidate.photo.identity.modifiedNs = Int128(Int.random(in: 0..<4, using: &random))
                candidate.sharpness = Bool.random(using: &random) ? nil : Double.random(in: 0..<4, using: &random)
                candidate.photo.rating = Bool.random(using: &random) ? nil : Int.random(in: -1...2, using: &random)
                candidate.photo.width = Bool.random(using: &random) ? nil : Int.random(in: 1...2, using: &random)
            }
        }
        for first in photos {
            #expect(!order.prefers(first, to: first))
            for second in photos where order.prefers(first, to: second) {
                #expect(!order.prefers(second, to: first))
                for third in photos where order.prefers(second, to: third) {
                    #expect(order.prefers(first, to: third))
                }
            }
        }
    }
}
