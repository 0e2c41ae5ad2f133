/// All commands of the program. Parsing, help, completions and the manual page read this table.
extension CommandSpec {
    static var all: [CommandSpec] { Program.commands.map(\.spec) }

    static func named(_ name: String) -> CommandSpec? { all.first { $0.commandName == name } }

    /// The commands that `phototidy help` shows.
    static var displayed: [CommandSpec] { all.filter(\.shouldDisplay) }

    private static let libraryOperands = Operands(
        "PATH", 0...(.max), help: "photos, or folders, which are searched recursively (default: the current folder)")

    private static let values =
        "Sizes: 150kB, 2MB, 64KiB. Dates: 2023, 2023-05, 2023-05-14. Ages: 30d, 6w, 18mo, 2y. Ranges: A..B, A.., "
        + "..B, both ends included."

    private static let times =
        "Dates are in local time where the photo was taken. Ages are counted back from now in calendar months "
        + "and years; for them, a date without a zone counts as your local time. What is known only as an instant "
        + "(time stamps, movie headers, Google Takeout) is UTC with Z in records; filters, tables and contact "
        + "sheets use your local time."

    private static let fields =
        "Fields, for --fields and --where: path, name, kind, format, size (or bytes), width, height, longEdge, "
        + "megapixels, orientation, taken, takenSource, takenPrecision, modified, make, model, camera, lens, "
        + "latitude, longitude, rating, favorite, duration, companions, offline, problems. For --fields also "
        + "group, or its parts: group.id, group.role, group.keep, group.distance, group.reason, group.sharpness."

    static let list = CommandSpec(
        "list", abstract: "Show what is in the library",
        usage: ["list [PATH...] [FILTERS] [ORDER] [OUTPUT]"],
        discussion: [
            "Prints a table on a terminal, and tab-separated lines with a header in a pipe; newest first. The "
                + "content of a file decides its type, never its name.",
            values, times, fields,
        ],
        operands: libraryOperands,
        options: [.hidden, .noUnits, .noIndex] + OptionSpec.predicates + OptionSpec.grouping
            + [.groups, .notAlike, .forget, .sort, .limit] + OptionSpec.outputs
            + [.groupBy, .stats, .explain, .watch, .progress],
        rules: [.atMostOne(of: OptionSpec.formats), .atMostOne(of: OptionSpec.grouped)],
        examples: [
            Example("phototidy list ~/Pictures", "everything, newest first"),
            Example("phototidy list --sort -size --limit 20", "the twenty largest below this folder"),
            Example("phototidy list --taken 2023 --fields path,taken,camera --csv > 2023.csv", "for a spreadsheet"),
            Example("phototidy list ~/Pictures --json | jq -r '.[].model' | sort | uniq -c", "photos by camera"),
            Example("phototidy list --similar --groups", "look-alikes in groups, what stays first"),
            Example(
                "phototidy list --similar --not-alike A.jpg B.jpg", "these two are not alike; --forget takes that back"),
            Example("phototidy list ~/Pictures --group-by year --sort -size", "what takes the space"),
            Example("phototidy list Trip --html trip.html", "a contact sheet for the browser"),
        ])

    static let filter = CommandSpec(
        "filter", abstract: "Show only what matches, for use in pipes",
        usage: ["filter [PATH...] FILTERS [ORDER] [OUTPUT]"],
        discussion: [
            "Prints one path per line, sorted by path. All filters must match; a comma-separated list in one "
                + "filter means any of its values.",
            values, times,
            "--where combines fields with and, or, not, ( ), ==, !=, <, <=, >, >=, ~ (part or glob) and in "
                + "(...). An unknown value never matches.",
            fields,
        ],
        operands: libraryOperands,
        options: [.hidden, .noUnits, .noIndex] + OptionSpec.predicates + OptionSpec.grouping
            + [.groups, .sort, .limit] + OptionSpec.outputs
            + [.allowEmpty, .stats, .explain, .progress],
        rules: [.atMostOne(of: OptionSpec.formats), .atMostOne(of: OptionSpec.grouped)],
        examples: [
            Example("phototidy filter ~/Pictures --size 5MB.. --older-than 2y", "large and old"),
            Example("phototidy filter --type jpeg --taken 2023-05 --camera iphone", "iPhone JPEGs of May 2023"),
            Example("phototidy filter --screenshot -0 | phototidy delete --from - -0 -n", "preview a clean-up"),
            Example(
                "phototidy filter Card --duplicate --unique --against ~/Pictures", "on a card, but not in the library"),
            Example(
                "phototidy filter --where 'width < 800 or camera ~ \"webcam\"' --count", "count small or webcam photos"),
            Example(
                "phototidy filter --near 48.14,11.58,5 -0 | xargs -0 cp -t Munich --", "copy all photos of one place"),
        ])

    static let select = CommandSpec(
        "select", abstract: "Keep named, ordered selections of photos",
        usage: [
            "select add|remove|toggle|set [-s NAME] [--from FILE|-] [PATH...]",
            "select show [-s NAME] [OUTPUT]", "select clear [-s NAME]", "select names",
        ],
        discussion: [
            "Photos stay in the order in which you added them; the first is the cover. A selection is stored "
                + "until you clear it. Deleting a photo removes it from the selection; 'undo' puts it back."
        ],
        examples: [
            Example("phototidy select add -s trip beach.jpg sunset.jpg", "start one"),
            Example("phototidy filter --favorite -0 | phototidy select add -s best --from - -0", "add from a filter"),
            Example("phototidy select show -s trip", "show it; photos that have vanished or changed are marked"),
            Example("phototidy compress --selection trip -o web/", "use it"),
        ],
        subcommands: SelectVerbs.all)

    static let delete = CommandSpec(
        "delete", abstract: "Move photos to the trash, in batches, after a preview",
        usage: [
            "delete PATH... [FILTERS] [OPTIONS]", "delete --from FILE|- [OPTIONS]",
            "delete --selection NAME [OPTIONS]", "delete --plan FILE [OPTIONS]",
        ],
        discussion: [
            "Asks on the terminal before anything moves; -n only shows the plan. A folder needs filters or "
                + "--all. The files of a photo (Live video, RAW and JPEG, sidecars) move together. 'phototidy undo' "
                + "restores them.",
            times,
        ],
        operands: Operands("PATH", 0...(.max), help: "photos, or folders together with filters"),
        options: [.from, .nulInput, .selectionInput, .plan, .all, .hidden, .noUnits, .noIndex] + OptionSpec.predicates
            + OptionSpec.grouping + [
                .dryRun, .yes, .protect, .companions, .maxFiles, .maxBytes, .allowIncomplete, .trustModified,
                .copyToHomeTrash, .verify, .savePlan, .report, .batchSize, .permanent, .allowEmpty, .progress, .quiet,
            ],
        rules: [
            .exactlyOne(of: [.from, .selectionInput, .plan], operands: "PATH"), .atMostOne(of: OptionSpec.grouped),
        ],
        examples: [
            Example("phototidy delete IMG_0001.jpg IMG_0002.jpg", "two photos"),
            Example("phototidy delete ~/Pictures --screenshot --older-than 1y -n", "what would go, nothing touched"),
            Example(
                "phototidy delete ~/Pictures --duplicate --path '*/WhatsApp/*' -n",
                "copies there of what stays elsewhere"),
            Example("phototidy delete ~/Pictures --burst --keep sharpest,best -n", "all but the best of each burst"),
            Example("phototidy delete ~/Pictures --broken --protect ~/Pictures/Family", "with a protected folder"),
            Example(
                "phototidy filter --size ..50kB -0 | phototidy delete --from - -0 --yes", "from a pipe, in a script"),
            Example(
                "phototidy delete Old --all --save-plan old.plan -n; phototidy delete --plan old.plan", "in two steps"),
        ])

    static let undo = CommandSpec(
        "undo", abstract: "Restore what delete or an in-place compress moved to the trash",
        usage: ["undo [ID [PATH...]] [OPTIONS]", "undo --list"],
        discussion: [
            "Without an ID, undoes the last run that can be undone; with PATH, restores only these photos of run "
                + "ID. Existing files are never overwritten. A run whose photos are no longer in the trash is 'gone', "
                + "and no older run is undone in its place. A run that is recorded only in the trash of a disk, and "
                + "not in your journal, is undone only by its ID, after a question."
        ],
        operands: Operands(
            "ID", 0...(.max),
            help: "a run from 'undo --list', optionally followed by the old paths of some of its photos",
            completion: .runsThenFiles),
        options: [.listRuns, .report, .dryRun, .yes, .rename, .restoreFolder, .progress, .quiet],
        examples: [
            Example("phototidy undo", "the last run"),
            Example("phototidy undo --list", "what can be restored"),
            Example("phototidy undo 20240501-120000-123ab ~/Pictures/IMG_1.jpg", "one photo of a run"),
            Example("phototidy undo --rename", "beside files that have taken the old names"),
        ])

    static let compress = CommandSpec(
        "compress", abstract: "Make photos fit a size limit at the best possible quality",
        usage: [
            "compress PATH... -o DIR|FILE|- [OPTIONS]", "compress PATH... --in-place --max-size SIZE [OPTIONS]",
            "compress --from FILE|- | --selection NAME ...",
        ],
        discussion: [
            "Reads JPEG, PNG, HEIC, AVIF and WebP. Copies are JPEG, upright, and without location unless you "
                + "give --metadata all. In a folder, videos, RAW and other files are skipped; its structure is kept "
                + "below -o.",
            "No output is larger than --max-size. Quality goes down to --min-quality, then the picture is scaled "
                + "down; any bytes left are spent on quality. A photo that already fits keeps its pixels: it is "
                + "'copied' byte for byte (in place: left as it is), or 'rewritten' to remove metadata. All others are "
                + "'recompressed'.",
        ],
        operands: Operands("PATH", 0...(.max), help: "pictures, or folders of pictures; - is standard input"),
        options: [
            .from, .nulInput, .selectionInput, .hidden, .maxSize, .maxEdge, .minQuality, .quality, .minEdge,
            .minSavings, .output, .inPlace, .suffix, .numberOutputs, .overwrite, .report, .metadata, .effort, .chroma,
            .color, .baseline, .dryRun, .yes, .allowDamaged, .maxPixels, .jobs, .memory, .allowEmpty, .progress, .quiet,
        ],
        rules: [
            .exactlyOne(of: [.from, .selectionInput], operands: "PATH"), .exactlyOne(of: [.output, .inPlace]),
        ],
        examples: [
            Example("phototidy compress holiday/ -o web/", "copies of at most 150 kB each (the default)"),
            Example("phototidy compress photo.jpg --max-size 500kB --max-edge 2048 -o small.jpg", "one picture"),
            Example("curl -s https://example.org/photo.heic | phototidy compress - -o photo.jpg", "from a pipe"),
            Example("phototidy compress ~/Pictures/Scans --in-place --max-size 2MB -n", "what it would save"),
            Example("phototidy filter --size 3MB.. -0 | phototidy compress --from - -0 -o mail/", "from a filter"),
        ])

    static let index = CommandSpec(
        "index", abstract: "Manage the cache of data read from files",
        usage: ["index --info", "index --clear"],
        discussion: ["The index only saves time; you can remove it at any time."],
        options: [.indexInfo, .indexClear],
        rules: [.exactlyOne(of: [.indexInfo, .indexClear])],
        examples: [Example("phototidy index --info", "where it is and how large")])

    static let help = CommandSpec(
        "help", abstract: "Explain a command", usage: ["help [COMMAND [VERB]]"],
        operands: Operands("COMMAND", 0...2, help: "the command, and the verb of 'select'", completion: .commands),
        examples: [Example("phototidy help delete", "all about delete")])

    static let completions = CommandSpec(
        "completions", abstract: "Print completions for a shell",
        usage: ["completions " + CompletionShell.names.joined(separator: "|")],
        operands: Operands(
            "SHELL", 1...1, choices: CompletionShell.names, help: OptionValue.alternatives(CompletionShell.names)),
        examples: [
            Example("phototidy completions bash > ~/.local/share/bash-completion/completions/phototidy", "bash"),
            Example("phototidy completions zsh > \"${fpath[1]}/_phototidy\"", "zsh"),
            Example("phototidy completions fish > ~/.config/fish/completions/phototidy.fish", "fish"),
        ])

    /// For the scripts that `completions` prints.
    static let complete = CommandSpec(
        "complete", abstract: "List names for completions, each ended by NUL", usage: ["complete KIND"],
        operands: Operands(
            "KIND", 1...1, choices: ["selections", "selections-without-tab", "runs"], help: "what to list"),
        shouldDisplay: false)

    static let manual = CommandSpec(
        "manual", abstract: "Print the manual page as roff", usage: ["manual"], shouldDisplay: false)
}
