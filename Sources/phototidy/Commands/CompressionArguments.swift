internal import TidyKit

extension CompressionSettings {
    /// The settings that the options of `compress` describe.
    init(_ arguments: ParsedArguments) throws {
        self.init()
        if let bytes = arguments.byteSize(.maxSize) { maximumBytes = bytes }
        maximumEdge = arguments.integer(.maxEdge)
        if let quality = arguments.decimal(.quality) { topQuality = quality }
        if let quality = arguments.decimal(.minQuality) { floorQuality = quality }
        if floorQuality > topQuality {
            // The default floor gives way to a lower top; two numbers that contradict each other do not.
            guard !arguments.has(.minQuality) || !arguments.has(.quality) else {
                throw arguments.usageError("'--min-quality' is higher than --quality")
            }
            if arguments.has(.quality) { floorQuality = topQuality } else { topQuality = floorQuality }
        }
        if let edge = arguments.integer(.minEdge) { minimumEdge = edge }
        if let policy = arguments.text(.metadata).flatMap(MetadataPolicy.init) { metadata = policy }
        if let effort = arguments.text(.effort).flatMap(Effort.init) { self.effort = effort }
        if let rule = arguments.text(.chroma).flatMap(ChromaRule.init) { chroma = rule }
        if let rule = arguments.text(.color).flatMap(ColorRule.init) { color = rule }
        isProgressive = !arguments.has(.baseline)
        if let percent = arguments.decimal(.minSavings) { minimumSavings = percent }
        allowsDamaged = arguments.has(.allowDamaged)
        if let pixels = arguments.integer(.maxPixels) { maximumPixels = pixels }
        memory = arguments.byteSize(.memory) ?? WorkerThreads.physicalMemory / 2
    }
}

extension CompressionInputs {
    /// The pictures on the command line.
    init(_ arguments: ParsedArguments, _ context: CommandContext, output: FilePath?) throws {
        self.init()
        if let listed = try PhotoList.read(arguments, context) {
            add(listed: listed)
        } else if let name = arguments.value(.selectionInput) {
            let selection = try SelectionStore(context.environment).selection(name)
            add(listed: (selection?.members ?? []).map { ListedPhoto(path: $0.path, identity: $0.identity) })
        }
        for operand in arguments.operands {
            try add(
                operand: operand, includeHidden: arguments.has(.hidden), excluding: output.map { [$0] } ?? [],
                environment: context.environment, now: context.now, progress: context.progress)
        }
    }
}

extension CompressionPlan.Destination {
    /// A name for what `compress` never writes: `-o one.png`. A folder that is there, or a slash at the end, is a folder.
    static func objection(to output: FilePath?) -> String? {
        guard let output, output.bytes.last != UInt8(ascii: "/") else { return nil }
        let others = ["png", "heic", "heif", "avif", "webp", "gif", "tif", "tiff", "bmp"]
        guard others.contains(where: { output.lowercasedExtension == Array($0.utf8) }),
            (try? FileStatus.of(output, followLinks: true).kind) != .directory
        else { return nil }
        let name = TerminalText.escaped(output)
        let stem = TerminalText.escaped(output.bytes.dropLast(output.lowercasedExtension.count))
        return "outputs are JPEG, and '\(name)' is no name for one: write '-o \(stem)jpg', "
            + "or '-o \(name)/' for a folder"
    }

    /// What `--output` means: a file where it names one, or ends like one and there is one picture to write; else a
    /// folder. Nil is `--in-place`.
    init(output: FilePath?, for inputs: [CompressionPlan.Input], of operands: [FilePath]) {
        guard let output else {
            self = .inPlace
            return
        }
        if output == FilePath("-") {
            self = .stream
            return
        }
        let kind = try? FileStatus.of(output, followLinks: true).kind
        let isSingle = inputs.count == 1 && inputs.first?.path == operands.first
        let endsLikeFile = ["jpg", "jpeg", "jpe", "jfif"].contains { output.lowercasedExtension == Array($0.utf8) }
        let isFile = kind == .regular || (kind == nil && endsLikeFile && output.bytes.last != UInt8(ascii: "/"))
        self = isFile && (isSingle || kind == .regular || operands.count > 1) ? .file(output) : .folder(output)
    }
}
