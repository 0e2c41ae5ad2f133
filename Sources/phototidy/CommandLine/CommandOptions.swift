internal import TidyKit

/// Options of a single command, in the order of Docs/Reference.md.
extension OptionSpec {
    // MARK: list

    static let groupBy = OptionSpec(
        "group-by", value: OptionValue("KEY", .choice(PhotoSum.Grouping.allCases.map(\.rawValue))), group: .output,
        help:
            "add up instead, a row per year, month, day, folder, camera, type or kind: photos, files with companions, "
            + "bytes, first and last date; --sort -size puts the largest first")
    static let watch = OptionSpec(
        "watch", group: .behaviour,
        help: "run until Ctrl-C; write one record per line for photos that appear, change or disappear")

    // MARK: select

    static let selectionName = OptionSpec(
        "selection", short: "s", value: OptionValue("NAME", .selection), default: "default", repetition: .refused,
        group: .input,
        help: "the selection")
    static let selectionLimit = OptionSpec(
        "limit", value: .count("N", 0...(.max)), group: .behaviour,
        help: "at most N photos in this selection; stored with it; 0 removes the limit")

    // MARK: delete

    static let plan = OptionSpec(
        "plan", value: OptionValue("FILE", .file), repetition: .refused, group: .input,
        help: "run exactly the plan that --save-plan wrote")
    static let savePlan = OptionSpec(
        "save-plan", value: OptionValue("FILE", .file), repetition: .refused, group: .output,
        help: "store the plan in FILE; review it, remove items, and run it with --plan")
    static let all = OptionSpec("all", group: .input, help: "every photo in the folders, without a filter")
    static let batchSize = OptionSpec(
        "batch-size", value: .count("N", 1...1_000_000), default: "20", group: .behaviour,
        help: "photos per batch; each batch is recorded in the journal before it moves")
    static let permanent = OptionSpec(
        "permanent", group: .behaviour, help: "erase instead of moving to the trash; cannot be undone")
    static let companions = OptionSpec(
        "companions", value: .choice("unit", "only", "refuse"), default: "unit", group: .safety,
        help: "unit: Live video, RAW and sidecars go along; only: just the named file; refuse: refuse the "
            + "run if a photo has any"
    )
    static let protect = OptionSpec(
        "protect", value: OptionValue("PATH|GLOB", .file), repetition: .collects, group: .safety,
        help: "never touch PATH or anything below it, or what matches GLOB: '*/Family/*'")
    static let maxFiles = OptionSpec(
        "max-files", value: .count("N", 0...(.max)), group: .safety,
        help: "refuse a plan with more files, including companions")
    static let maxBytes = OptionSpec(
        "max-bytes", value: OptionValue("SIZE", .size), group: .safety, help: "refuse a plan with more bytes")
    static let allowIncomplete = OptionSpec(
        "allow-incomplete", group: .safety, help: "continue even if part of the library could not be read")
    static let trustModified = OptionSpec(
        "trust-mtime", group: .safety, help: "let --last and --older-than rely on the file's time stamp alone")
    static let copyToHomeTrash = OptionSpec(
        "copy-to-home-trash", group: .safety, help: "use the home trash if the photos' own filesystem cannot have one")
    static let verify = OptionSpec(
        "verify", value: .choice("stat", "hash"), default: "stat", group: .safety,
        help: "stat compares size, times and inode right before a file moves; hash also compares content")

    // MARK: undo

    static let listRuns = OptionSpec(
        "list", group: .output,
        help: "all runs, latest first: those that can be undone, then those that are undone, gone or erased")
    static let rename = OptionSpec(
        "rename", group: .behaviour, help: "if the old name is taken, restore beside it under another name")
    static let restoreFolder = OptionSpec(
        "to", value: OptionValue("DIR", .folder), repetition: .refused, group: .behaviour,
        help: "restore into DIR instead")

    // MARK: compress

    static let maxSize = OptionSpec(
        "max-size", value: OptionValue("SIZE|none", .sizeOrNone), default: "150kB", group: .target,
        help: "no output is larger, metadata included; none: no limit")
    static let maxEdge = OptionSpec(
        "max-edge", value: .count("PX", 1...65500), group: .target, help: "limit for the longer side, in pixels")
    static let minQuality = OptionSpec(
        "min-quality", value: qualityValue, default: "75", group: .target,
        help: "scale the picture down instead of going below this")
    static let quality = OptionSpec(
        "quality", value: qualityValue, default: "92", group: .target, help: "the highest quality that is tried")
    static let minEdge = OptionSpec(
        "min-edge", value: .count("PX", 1...65500), default: "320", group: .target,
        help: "never scale the longer side below this")
    static let minSavings = OptionSpec(
        "min-savings", value: OptionValue("PCT", .decimal(0...100)), group: .target,
        help: "leave a photo unchanged if less than PCT percent would be saved")
    static let output = OptionSpec(
        "output", short: "o", value: OptionValue("DIR|FILE|-", .file), repetition: .refused, group: .output,
        help: "where to write; - is standard output, for one photo")
    static let inPlace = OptionSpec(
        "in-place", group: .output, help: "replace the photos; originals go to the trash and 'undo' brings them back")
    static let suffix = OptionSpec(
        "suffix", value: OptionValue("TEXT"), group: .output, help: "add TEXT to the name: photo-small.jpg")
    static let numberOutputs = OptionSpec(
        "rename", group: .output, help: "if outputs would have the same name, number all but the first: a-2.jpg")
    static let overwrite = OptionSpec("overwrite", group: .output, help: "replace existing outputs")
    static let metadata = OptionSpec(
        "metadata", value: .choice("none", "safe", "all"), default: "safe", group: .picture,
        help: "safe keeps date, camera, lens, exposure and copyright, and drops location and serial numbers")
    static let effort = OptionSpec(
        "effort", value: .choice("fast", "best"), default: "best", group: .picture,
        help: "fast saves time, best gives better quality for the size")
    static let chroma = OptionSpec(
        "chroma", value: .choice("auto", "420", "444"), default: "auto", group: .picture, help: "chroma subsampling")
    static let color = OptionSpec(
        "color", value: .choice("keep", "srgb"), default: "keep", group: .picture,
        help: "keep the colour profile, or convert to sRGB")
    static let baseline = OptionSpec(
        "baseline", group: .picture, help: "write baseline JPEG, for old viewers and digital photo frames")
    static let allowDamaged = OptionSpec(
        "allow-damaged", group: .safety, help: "compress what can be read of a truncated or damaged photo")
    static let maxPixels = OptionSpec(
        "max-pixels", value: .count("N", 1...(.max)), group: .safety, help: "refuse larger pictures")
    static let jobs = OptionSpec(
        "jobs", value: .count("N", 1...1024), group: .behaviour,
        help: "photos processed in parallel (default: as many as cores, bounded by memory)")
    static let memory = OptionSpec(
        "memory", value: OptionValue("SIZE", .size), group: .behaviour,
        help: "limit for the memory of all jobs together")

    private static let qualityValue = OptionValue("Q", .decimal(1...100))

    // MARK: index

    static let indexInfo = OptionSpec("info", group: .behaviour, help: "show where the index is and what it contains")
    static let indexClear = OptionSpec("clear", group: .behaviour, help: "remove the index; it is rebuilt as needed")
}
