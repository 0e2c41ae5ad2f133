internal import Glibc
internal import Synchronization

/// Runs a plan: photos in parallel, the largest first, each item independently.
package struct CompressionRun: Sendable {
    package var plan: CompressionPlan
    package var settings: CompressionSettings
    /// Threads, and photos at a time. Threads without a photo help with the others'.
    package var jobs = ResourceLimits.processorCount
    package var isDryRun = false
    /// Replaces outputs that exist with other content.
    package var overwrites = false

    /// Replaces originals; nil if outputs are separate files.
    package var inPlace: InPlaceRun?
    /// What prevents originals from being replaced; the dry run checks it too.
    package var obstacles: InPlaceObstacles?
    /// The folders above the sources.
    package var roots = LibraryRoots()
    let outputs: OutputFolders?
    /// The picture of the job whose source is `-`.
    package var streamed: StreamedPicture?
    /// The outputs of earlier runs.
    package var record: CompressionRecord?

    package init(plan: CompressionPlan, settings: CompressionSettings) {
        self.plan = plan
        self.settings = settings
        outputs = plan.outputRoot.map { OutputFolders(root: $0) }
    }

    /// What a run did, or what a dry run would do.
    package struct Outcome: Sendable {
        /// In the order of the plan.
        package var items: [CompressionItem]
        package var wasInterrupted: Bool { notBegun > 0 }
        /// Pictures that were not begun before an interruption; each has its item.
        package var notBegun = 0
        /// For at least one of them the disk was full, or no journal could be made.
        package var isFull = false
        /// Why no journal could be made.
        package var journalFailure: JournalError?
        /// The picture, if the plan writes to standard output.
        package var stream: [UInt8]?
    }

    private struct State {
        var next = 0
        var items: [CompressionItem?]
        var stream: [UInt8]?
        var done = 0
        var saved: Int64 = 0
        var isFull = false
        var journalFailure: JournalError?

        /// The index of the next job; nil if there are no more.
        mutating func nextIndex(of order: [Int]) -> Int? {
            guard next < order.count else { return nil }
            defer { next += 1 }
            return order[next]
        }

        mutating func record(
            _ item: CompressionItem, at index: Int, _ stream: [UInt8]?, _ failure: CompressionError?
        ) {
            items[index] = item
            self.stream = stream ?? self.stream
            isFull = isFull || failure?.isFull ?? false
            if case .journal(let error) = failure { journalFailure = error }
            done += 1
            if let bytes = item.bytes { saved = saved.addingClamped(max(0, item.sourceBytes - bytes)) }
        }
    }

    /// Compresses all jobs, the largest first, with `jobs` threads. A photo that fails does not stop
    /// the others. Stops taking jobs after an interrupt; jobs that were begun are finished.
    package func run(progress: Progress = .none) -> Outcome {
        let order = plan.jobs.indices.sorted {
            (plan.jobs[$1].bytes, $0) < (plan.jobs[$0].bytes, $1)
        }
        let state = Mutex(State(items: Array(repeating: nil, count: plan.jobs.count)))
        // The picture from standard input is already in memory.
        let budget = SharedBudget(max(1, settings.decoding.memory - (streamed?.byteCount ?? 0)))
        let total = plan.jobs.count
        // If there are few photos, and at the end, the other threads help.
        let workers = IdleWorkers(jobs - min(jobs, total))
        let compressor = PhotoCompressor(
            settings: settings, budget: budget, isInPlace: plan.isInPlace, workers: workers)
        Workers.run(min(jobs, total)) {
            defer { workers.add() }
            while !Interrupt.isRequested, let index = state.withLock({ $0.nextIndex(of: order) }) {
                let (item, stream, failure) = carryOut(plan.jobs[index], compressor)
                state.withLock { state in
                    state.record(item, at: index, stream, failure)
                    progress.report(
                        Progress.Event(
                            activity: "compressing", done: state.done, total: total, bytes: state.saved))
                }
            }
        }
        return state.withLock { outcome(of: $0) }
    }

    /// Items that were not begun are reported as interrupted.
    private func outcome(of state: State) -> Outcome {
        var outcome = Outcome(items: [], stream: state.stream)
        outcome.isFull = state.isFull
        outcome.journalFailure = state.journalFailure
        for (job, item) in zip(plan.jobs, state.items) {
            if item == nil { outcome.notBegun += 1 }
            outcome.items.append(item ?? Self.failed(job, .interrupted, target: settings.maximumBytes))
        }
        return outcome
    }

    private func carryOut(
        _ job: CompressionPlan.Job, _ compressor: PhotoCompressor
    ) -> (CompressionItem, stream: [UInt8]?, failure: CompressionError?) {
        if let item = record?.item(for: job, settings, isInPlace: plan.isInPlace, inPlace) { return (item, nil, nil) }
        do throws(CompressionError) {
            if !plan.isInPlace, let output = job.output { try Self.checkFolders(above: output) }
            if let obstacles, let reason = obstacles.reason(against: job.source, as: job.output) {
                throw .kept(reason)
            }
            let (photo, source) = try compress(job, compressor)
            var item = Self.item(job, photo, sourceBytes: source.identity.bytes, target: settings.maximumBytes)
            guard let output = job.output else { return (item, photo.bytes, nil) }
            if let inPlace {
                if photo.action != .copied {
                    let unit = try replace(job, output, photo.bytes, source, inPlace)
                    let sidecars = NamedSidecars(of: job.source, becoming: output, below: roots)
                    for note in sidecars.rename(unit: unit, inPlace) { item.add(reason: note) }
                }
                remember(job, item, source)
                return (item, nil, nil)
            }
            if output != job.source, let isSame = try exists(output, with: photo.bytes) {
                if isSame {
                    item.action = .copied
                    item.wasThere = true
                    item.quality = nil
                    item.reason = CompressionRecord.reason
                    remember(job, item, source)
                    return (item, nil, nil)
                }
                guard overwrites else { throw .outputExists }
            }
            if isDryRun {
                if photo.action != .copied || !plan.isInPlace { try rehearse(output, Int64(photo.bytes.count)) }
            } else {
                try write(photo.bytes, to: output, from: job, source)
            }
            remember(job, item, source)
            return (item, nil, nil)
        } catch {
            return (Self.failed(job, error, target: settings.maximumBytes), nil, error)
        }
    }

    private func remember(_ job: CompressionPlan.Job, _ item: CompressionItem, _ source: FileStatus) {
        if !isDryRun { record?.add(job, item, source.identity, settings, isInPlace: plan.isInPlace) }
    }

    private func replace(
        _ job: CompressionPlan.Job, _ output: FilePath, _ bytes: [UInt8], _ source: FileStatus, _ run: InPlaceRun
    ) throws(CompressionError) -> Int {
        do throws(DeletionError) {
            return try run.replace(
                job.source, with: bytes, expecting: source.identity, as: output == job.source ? nil : output
            ).unit
        } catch {
            switch error {
            case .kept(_, let reason, let isFull): throw .kept(reason, isFull: isFull)
            // As with delete, nothing can be done without a journal.
            case .journal(let failure): throw .journal(failure)
            default: throw .kept(error.description)
            }
        }
    }

    private func compress(
        _ job: CompressionPlan.Job, _ compressor: PhotoCompressor
    ) throws(CompressionError) -> (CompressedPhoto, FileStatus) {
        do {
            if let streamed, job.source == StreamedPicture.path {
                let status = try streamed.file.status()
                return (try compress(streamed.file, status, compressor), status)
            }
            let file = try open(job)
            let status = try file.status()
            if let found = job.found, found.id != status.id {
                throw refusal("it is another file since its folder was read")
            }
            guard status.kind == .regular else { throw PictureError.notAPicture("not a regular file") }
            // An unwanted copy is easily deleted; a photo that was replaced by mistake is not easily noticed.
            if plan.isInPlace, let recorded = job.recorded.map({ inPlace?.current($0) ?? $0 }),
                let difference = status.identity.difference(fromRecord: recorded)
            {
                throw CompressionError.kept("\(difference) since it was chosen")
            }
            return (try compress(file, status, compressor), status)
        } catch let error as POSIXError {
            throw error.isLinkOnTheWay ? refusal(error.reasonOnTheWay) : .file(error)
        } catch let error as PictureError {
            throw .picture(error)
        } catch let error as CompressionError {
            throw error
        } catch {
            throw .picture(.unsupported("\(error)"))
        }
    }

    /// For a source that has changed.
    private func refusal(_ reason: String) -> CompressionError {
        plan.isInPlace ? .kept(reason) : .picture(.unsupported(reason))
    }

    /// Opens the source without following a link below the named folder. A named file may itself be a link if outputs
    /// are separate files.
    func open(_ job: CompressionPlan.Job) throws -> FileDescriptor {
        let path = job.source.withoutTrailingSlashes
        let (folder, name) = (try roots.open(folder: path.directory), FilePath(path.lastComponent))
        guard try folder.descriptor.status(of: name).kind == .symbolicLink else {
            return try folder.descriptor.openForReading(name)
        }
        if plan.isInPlace { throw CompressionError.kept("a symbolic link; name the file that it points to") }
        if job.found != nil { throw refusal("it has become a symbolic link since its folder was read") }
        return try FileDescriptor.openForReading(try path.resolved())
    }

    /// Refuses a file that cannot be compressed by its first bytes, and one larger than the budget by its size.
    private func compress(
        _ file: borrowing FileDescriptor, _ status: FileStatus, _ compressor: PhotoCompressor
    ) throws -> CompressedPhoto {
        let (bytes, budget) = (status.identity.bytes, compressor.budget)
        let head = try file.readFully(Int(min(bytes, Int64(ContentType.headLength))))
        try OtherFormats.checkFormat(head, file, byteCount: bytes, now: compressor.now)
        if bytes > budget.total { throw PictureError.needsMemory(bytes, limit: budget.total) }
        var amount = bytes
        while true {
            var share = budget.share(amount)
            let content = try file.readFully(Int(bytes))
            if let photo = try compressor.compress(content, of: file, share: &share) { return photo }
            // The bytes are released with the share, and read again when there is memory for everything.
            amount = share.wanted
        }
    }

    private static func failed(
        _ job: CompressionPlan.Job, _ error: CompressionError, target: Int64
    ) -> CompressionItem {
        CompressionItem(
            source: job.source, sourceBytes: job.bytes, target: target, action: .failed, reason: error.reason)
    }

    private static func item(
        _ job: CompressionPlan.Job, _ photo: CompressedPhoto, sourceBytes: Int64, target: Int64
    ) -> CompressionItem {
        var item = CompressionItem(
            source: job.source, sourceBytes: sourceBytes, target: target, action: photo.action, reason: photo.reason)
        item.output = photo.staysAsItIs ? job.source : job.output
        item.bytes = Int64(photo.bytes.count)
        item.sourceWidth = photo.sourceWidth
        item.sourceHeight = photo.sourceHeight
        item.width = photo.width
        item.height = photo.height
        item.quality = photo.quality
        if let namesake = job.namesake {
            item.add(reason: "numbered, as \(namesake.displayText) has the name without a number")
        }
        return item
    }
}
