/// A photo as bursts see it.
package struct BurstShot: Sendable {
    package var path: FilePath
    package var make: String?
    package var model: String?
    package var taken: CaptureDate?
    package var traits: ShotTraits

    package init(path: FilePath, make: String?, model: String?, taken: CaptureDate?, traits: ShotTraits) {
        self.path = path
        self.make = make
        self.model = model
        self.taken = taken
        self.traits = traits
    }
}

/// Photos that one camera took right after each other, and whether they belong together, so that none is to go.
package struct BurstSequence: Hashable, Sendable {
    /// Indices of the shots, in the order in which they were taken.
    package var members: [Int]
    /// Why all of them are kept; nil for a burst, of which one picture may be enough.
    package var set: ShotSet?
}

package enum BurstSequences {
    /// The bursts among `shots`, each of two photos or more.
    /// - Parameter seconds: the longest time from one shot to the next.
    package static func find(in shots: [BurstShot], seconds: Double) -> [BurstSequence] {
        var cameras: [Camera: [Moment]] = [:]
        var bursts: [String: [Moment]] = [:]
        for (index, shot) in shots.enumerated() {
            guard let moment = Moment(shot, index) else { continue }
            if let burst = shot.traits.burst {
                bursts[burst, default: []].append(moment)
            } else if let camera = Camera(shot) {
                cameras[camera, default: []].append(moment)
            }
        }
        var sequences = bursts.values.map { $0.sorted() }
        for moments in cameras.values {
            var run: [Moment] = []
            for moment in moments.sorted() {
                if let last = run.last, moment.seconds(after: last) > seconds + Moment.tolerance {
                    sequences.append(run)
                    run = []
                }
                run.append(moment)
            }
            sequences.append(run)
        }
        return sequences.filter { $0.count > 1 }.map { run in
            BurstSequence(members: run.map(\.index), set: setKind(run, shots))
        }.sorted { shots[$0.members[0]].path < shots[$1.members[0]].path }
    }

    /// One body: shots of two cameras of one model at one event are no burst where their serial numbers tell.
    private struct Camera: Hashable {
        let make: String
        let model: String
        let serial: String

        init?(_ shot: BurstShot) {
            guard let model = shot.model else { return nil }
            self.make = shot.make ?? ""
            self.model = model
            serial = shot.traits.serial ?? ""
        }
    }

    private struct Moment: Comparable {
        let index: Int
        let wall: WallClock
        /// Below a second; nil where the camera counts whole seconds.
        let fraction: Double?
        /// The number that the camera counts on, from the name: `IMG_0123`.
        let number: Int?
        let path: FilePath
        /// What decimal fractions lose.
        static let tolerance = 1e-6

        init?(_ shot: BurstShot, _ index: Int) {
            guard let taken = shot.taken, taken.source.isOfCamera,
                taken.precision == .second || taken.precision == .subsecond
            else { return nil }
            self.index = index
            wall = taken.wall
            fraction = taken.subseconds.flatMap { Double("0." + $0) }
            number = Self.trailingNumber(shot.path.stem)
            path = shot.path
        }

        /// Where one of them counts whole seconds only, whole seconds are all that is known.
        func seconds(after other: Moment) -> Double {
            let whole = Double(wall.seconds - other.wall.seconds)
            guard let fraction, let earlier = other.fraction else { return whole }
            return whole + fraction - earlier
        }

        /// A shot without a fraction is at the start of its second. To pass over what only one of two shots has would
        /// be no order: of three shots, each could come before the next.
        static func < (left: Moment, right: Moment) -> Bool {
            if left.wall != right.wall { return left.wall < right.wall }
            let (first, second) = (left.fraction ?? 0, right.fraction ?? 0)
            if first != second { return first < second }
            if left.number != right.number { return (left.number ?? -1) < (right.number ?? -1) }
            return left.path < right.path
        }

        private static func trailingNumber(_ stem: some BidirectionalCollection<UInt8>) -> Int? {
            let digits = stem.reversed().prefix { (0x30...0x39).contains($0) }.prefix(9)
            return digits.isEmpty ? nil : Int(String(decoding: digits.reversed(), as: UTF8.self))
        }
    }

    // MARK: Sets that belong together

    /// Fewer frames are not a timelapse.
    private static let fewestTimelapseFrames = 8
    /// Bursts are faster; seconds.
    private static let shortestTimelapseStep = 0.9
    /// By how much the steps of an intervalometer differ, as a share of them.
    private static let timelapseJitter = 0.2

    private static func setKind(_ run: [Moment], _ shots: [BurstShot]) -> ShotSet? {
        let traits = run.map { shots[$0.index].traits }
        if traits.contains(where: \.isBracketed) || Set(traits.compactMap(\.exposureBias)).count > 1 {
            return .exposureBracket
        }
        if traits.contains(where: \.isFocusBracketed) || isFocusStack(traits.map(\.subjectDistance)) {
            return .focusStack
        }
        if traits.contains(where: \.isPanoramaPart)
            || run.contains(where: { isPanoramaName(shots[$0.index].path.lastComponent) })
        {
            return .panorama
        }
        return isTimelapse(run) ? .timelapse : nil
    }

    /// The distance moves one way in every step.
    private static func isFocusStack(_ distances: [Int?]) -> Bool {
        let known = distances.compactMap(\.self)
        guard known.count == distances.count, known.count >= 3 else { return false }
        let steps = zip(known.dropFirst(), known).map { $0 - $1 }
        return steps.allSatisfy { $0 > 0 } || steps.allSatisfy { $0 < 0 }
    }

    /// Canon's stitch assist names parts from left to right `STA_`, `STB_` …; many others say `PANO`.
    private static func isPanoramaName(_ name: some Collection<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self).uppercased()
        if name.hasPrefix("PANO") { return true }
        let head = Array(name.utf8.prefix(4))
        return head.count == 4 && head[0] == 0x53 && head[1] == 0x54 && (0x41...0x5A).contains(head[2])
            && head[3] == 0x5F
    }

    private static func isTimelapse(_ run: [Moment]) -> Bool {
        guard run.count >= fewestTimelapseFrames else { return false }
        let steps = zip(run.dropFirst(), run).map { $0.seconds(after: $1) }
        let middle = steps.sorted()[steps.count / 2]
        guard middle >= shortestTimelapseStep else { return false }
        // Of whole seconds, a step of 1.5 is written as 1 or 2.
        let slack = run.contains { $0.fraction == nil } ? 1.0 : 0
        return steps.allSatisfy { abs($0 - middle) <= timelapseJitter * middle + slack }
    }
}
