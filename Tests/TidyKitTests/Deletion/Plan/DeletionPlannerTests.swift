import Support
import Testing
import TidyKit

@Suite struct DeletionPlannerTests {
    private func status(_ plan: DeletionPlan) -> [DeletionPlan.Status] { plan.items.map(\.status) }

    @Test func saysOfEveryFileWhatTheRunWouldFind() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let link = library.root.appending("link.jpg")
        try link.makeLink(to: photo)
        try library.add("folder/x.jpg")
        let stub = try library.add(".b.jpg.icloud")
        let plan = try library.plan([
            photo, link, FilePath(link.bytes + [0x2F]), library.root.appending("none.jpg"),
            library.root.appending("nowhere/none.jpg"), library.root.appending("folder"), stub,
        ])
        // The link is named twice and is in the plan once.
        #expect(status(plan) == [.ready, .denied, .missing, .missing, .denied, .offline])
        #expect(plan.photos == 1)
    }

    @Test func changesNothingNotEvenAnAccessTime() throws {
        let library = try TestLibrary()
        let photos = try (0..<3).map { try library.add("p\($0).jpg") }
        let old: Int128 = 1_000_000_000_000_000_000
        for photo in photos {
            let file = try FileDescriptor.open(photo, .readWrite)
            try file.setTimes(accessedNs: old, modifiedNs: old)
        }
        let before = try photos.map { try FileStatus.of($0) }
        var options = DeletionOptions()
        options.verification = .hash
        options.protected = [photos[0]]
        _ = try library.plan(photos, options: options)
        #expect(try photos.map { try FileStatus.of($0) } == before)
        #expect(!library.environment.data.exists && !library.environment.state.exists)
    }

    @Test func aFileNamedTwiceIsInThePlanOnce() throws {
        let library = try TestLibrary()
        let photo = try library.add("sub/a.jpg")
        let link = library.root.appending("link")
        try link.makeLink(to: library.root.appending("sub"))
        let plan = try library.plan([photo, photo, link.appending("a.jpg")])
        #expect(plan.items.count == 1)
    }

    @Test func aProtectedCompanionKeepsItsUnit() throws {
        let library = try TestLibrary()
        let (photo, movie) = (try library.add("a.jpg"), try library.add("a.mov"))
        var options = DeletionOptions()
        options.protected = [movie]
        let plan = try library.plan(units: [PhotoUnit(main: photo, companions: [movie])], options: options)
        #expect(status(plan) == [.protected])
        #expect(plan.items[0].reason?.contains("a.mov") == true)
    }

    @Test func aProtectedFolderCoversWhatIsBelowWhateverPathLeadsThere() throws {
        let library = try TestLibrary()
        let photos = [try library.add("keep/deep/a.jpg"), try library.add("keeper/b.jpg")]
        let link = library.root.appending("link")
        try link.makeLink(to: library.root.appending("keep"))
        var options = DeletionOptions()
        for protected in [library.root.appending("keep"), link, FilePath(library.root.bytes + Array("/keep/".utf8))] {
            options.protected = [protected]
            #expect(try status(library.plan(photos, options: options)) == [.protected, .ready])
            let around = try library.plan([link.appending("deep/a.jpg")], options: options)
            #expect(status(around) == [.protected])
        }
    }

    @Test func aProtectionThatProtectsNothingRefusesTheRun() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        var options = DeletionOptions()
        options.protected = [library.root.appending("typo")]
        #expect(throws: DeletionError.refused(.missingProtection(options.protected[0]))) {
            try library.plan([photo], options: options)
        }
    }

    @Test func boundsRefuseALargerPlan() throws {
        let library = try TestLibrary()
        let photos = [try library.add("a.jpg", "12345"), try library.add("b.jpg", "12345")]
        var options = DeletionOptions()
        options.maxFiles = 1
        #expect(throws: DeletionError.refused(.tooManyFiles(2, limit: 1))) {
            try library.plan(photos, options: options)
        }
        options.maxFiles = 2
        options.maxBytes = 9
        #expect(throws: DeletionError.refused(.tooManyBytes(10, limit: 9))) {
            try library.plan(photos, options: options)
        }
        options.maxBytes = 10
        #expect(try library.plan(photos, options: options).photos == 2)
    }

    @Test func ourStateAndTrashesAreRefused() throws {
        let library = try TestLibrary()
        let photos = [
            library.environment.state.appending("journal/x.jpg"), library.environment.cache.appending("x.jpg"),
            library.trash.appending("files/x.jpg"), library.root.appending(".Trash-1000/files/x.jpg"),
            library.root.appending(".Trash/1000/files/x.jpg"),
        ]
        for photo in photos {
            try FileSystem.createFolders(photo.directory)
            try FileDescriptor.open(photo, [.write, .create]).write([1])
            #expect(throws: DeletionError.self) { try library.plan([photo]) }
        }
    }

    @Test func aFileThatIsNoLongerTheChosenOneIsChanged() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        var candidate = DeletionCandidate(unit: PhotoUnit(main: photo), recorded: try FileStatus.of(photo).identity)
        try photo.setPermissions(0o600)
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        #expect(try status(planner.plan([candidate], id: RunID(ns: 0), timeNs: 0)) == [.changed])
        candidate.recorded = try FileStatus.of(photo).identity
        #expect(try status(planner.plan([candidate], id: RunID(ns: 0), timeNs: 0)) == [.ready])
    }

    @Test func companionsCanRefuse() throws {
        let library = try TestLibrary()
        let (photo, movie) = (try library.add("a.jpg"), try library.add("a.mov"))
        var options = DeletionOptions()
        options.companions = .refuse
        #expect(throws: DeletionError.refused(.hasCompanions(photo, companion: movie))) {
            try library.plan(units: [PhotoUnit(main: photo, companions: [movie])], options: options)
        }
    }

    @Test func batchesCountPhotos() throws {
        let library = try TestLibrary()
        var options = DeletionOptions()
        options.batchSize = 2
        let plan = try library.plan(try (0..<5).map { try library.add("p\($0).jpg") }, options: options)
        #expect(plan.batches == 3)
        #expect(plan.items.indices.map { plan.batch(ofItem: $0) } == [1, 1, 2, 2, 3])
        #expect(plan.root == library.root)
    }
}
