internal import TidyKit

extension CompressionSettings {
    /// The settings that the options of `compress` describe.
    init(_ arguments: ParsedArguments) throws {
        self.init()
        if arguments.text(.maxSize) == "none" { maximumBytes = CompressionItem.noTarget }
        if let bytes = arguments.byteSize(.maxSize) { maximumBytes = bytes }
        maximumEdge = arguments.integer(.maxEdge)
        if let quality = arguments.decimal(.quality) { topQuality = quality }
        if let quality = arguments.decimal(.minQuality) { floorQuality = quality }
        if floorQuality > topQuality {
            // A lower `--quality` also lowers the default minimum, but two explicit values must not contradict each
            // other.
            guard !arguments.has(.minQuality) || !arguments.has(.quality) else {
                throw arguments.usageError("'--min-quality' is higher than --quality")
            }
            if arguments.has(.quality) { floorQuality = topQuality } else { topQuality = floorQuality }
        }
        if let edge = arguments.integer(.minEdge) { minimumEdge = edge }
        if let policy = arguments.text(.metadata).flatMap(MetadataPolicy.init) { metadata = policy }
        if let effort = arguments.text(.effort).flatMap(Effort.init) { self.effort = effort }
        if let rule = arguments.text(.chroma).flatMap(ChromaRule.init) { chroma = rule }
        if let rule = arguments.text(.color).flatMap(DecodingOptions.ColorRule.init) { decoding.color = rule }
        isProgressive = !arguments.has(.baseline)
        if let percent = arguments.decimal(.minSavings) { minimumSavings = percent }
        decoding.allowsDamaged = arguments.has(.allowDamaged)
        if let pixels = arguments.integer(.maxPixels) { decoding.maximumPixels = pixels }
        decoding.memory = arguments.byteSize(.memory) ?? ResourceLimits.memory / 2
    }
}

extension CompressionInputs {
    /// Adds the pictures on the command line.
    mutating func add(_ arguments: ParsedArguments, _ context: CommandContext, output: FilePath?) throws {
        if let listed = try PhotoList.read(arguments, context) {
            add(listed: listed)
        } else if let name = arguments.value(.selectionInput) {
            let selection = try SelectionStore(context.environment).selection(name)
            add(listed: (selection?.members ?? []).map { ListedPhoto(path: $0.path, identity: $0.identity) })
        }
        var options = FolderOptions(environment: context.environment, now: context.now)
        options.includeHidden = arguments.has(.hidden)
        options.excludedFolders = output.map { [$0] } ?? []
        for operand in arguments.operands { try add(operand: operand, options, progress: context.progress) }
    }
}
