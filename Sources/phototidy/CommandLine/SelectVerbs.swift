/// The verbs of `select`.
enum SelectVerbs {
    static let all: [CommandSpec] = [add, remove, toggle, set, show, clear, names]

    static let add = changing(
        "add", "Add photos at the end; members keep their positions",
        .init("phototidy select add -s trip beach.jpg", "add one photo"))
    static let remove = changing(
        "remove", "Remove photos", .init("phototidy select remove -s trip beach.jpg", "remove one photo"),
        hasLimit: false)
    static let toggle = changing(
        "toggle", "Remove photos that are members, add the others",
        .init("phototidy select toggle -s trip beach.jpg", "in or out"))
    static let set = changing(
        "set", "Replace the selection with these photos",
        .init("phototidy filter --rating 5 -0 | phototidy select set -s best --from - -0", "replace it"))

    static let show = CommandSpec(
        "show", abstract: "Show the photos in their order", usage: ["select show [-s NAME] [OUTPUT]"],
        discussion: ["Photos that have vanished or changed since they were added are marked."],
        options: [.selectionName] + OptionSpec.outputs, rules: [.atMostOne(of: OptionSpec.formats)],
        examples: [
            .init("phototidy select show", "the selection named 'default'"),
            .init("phototidy select show -s trip -0 | xargs -0 cp -t /media/stick --", "copy it"),
        ])

    static let clear = CommandSpec(
        "clear", abstract: "Empty a selection", usage: ["select clear [-s NAME]"], options: [.selectionName],
        examples: [.init("phototidy select clear -s trip", "leaves the photos alone")])

    static let names = CommandSpec(
        "names", abstract: "List the names of all selections", usage: ["select names"],
        examples: [.init("phototidy select names", "one per line")])

    private static func changing(
        _ name: String, _ abstract: String, _ example: CommandSpec.Example, hasLimit: Bool = true
    ) -> CommandSpec {
        CommandSpec(
            name, abstract: abstract,
            usage: ["select \(name) [-s NAME]\(hasLimit ? " [--limit N]" : "") [--from FILE|- [-0]] [PATH...]"],
            operands: .init("PATH", 0...(.max), help: "photos, or folders with photos"),
            options: [.selectionName, .from, .nulInput] + (hasLimit ? [.selectionLimit] : []),
            rules: [.exactlyOne(of: [.from], operands: "PATH")], examples: [example])
    }
}
