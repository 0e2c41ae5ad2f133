/// `undo ID PATH…`: just these photos of a run.
extension Undo {
    /// Finds the photos that the paths stand for. Throws for a path that is none of the run's.
    static func resolved(_ options: Options, _ history: RunHistory) throws(DeletionError) -> Options {
        guard !options.paths.isEmpty else { return options }
        var units: Set<Int> = []
        for path in options.paths {
            let places = places(of: path)
            let found = history.steps.filter { step in places.contains { step.intent.path.isSameOrBelow($0) } }
            if found.isEmpty { throw .notOfRun(history.id, path) }
            units.formUnion(found.map(\.intent.unit))
        }
        var options = options
        options.units = units
        return options
    }

    /// Absolute, as the user wrote it and without links: the run knows a photo by the second.
    private static func places(of path: FilePath) -> [FilePath] {
        guard let absolute = try? path.absolute() else { return [path] }
        let folder = absolute.directory.resolvedWhereItExists
        return [absolute, folder.appending(absolute.lastComponent)]
    }
}

extension RunHistory {
    /// When the run began; from its ID where the journal does not tell, 0 where that is no time either.
    public var timeNs: Int64 {
        if let start { return start.timeNs }
        let digits = id.text.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(17)
        guard digits.count == 17, let number = Int(String(decoding: digits, as: UTF8.self)),
            let clock = WallClock(
                year: number / 10_000_000_000_000, month: number / 100_000_000_000 % 100,
                day: number / 1_000_000_000 % 100, hour: number / 10_000_000 % 100, minute: number / 100_000 % 100,
                second: number / 1000 % 100)
        else { return 0 }
        return Int64(clamping: (Int128(clock.seconds) * 1000 + Int128(number % 1000)) * 1_000_000)
    }
}
