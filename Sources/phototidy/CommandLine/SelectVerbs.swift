/// The verbs of `select`.
enum SelectVerbs {
    static let all: [CommandSpec] = [add, remove, toggle, set, show, clear, names]

    static let add = changing(
        "add", "Add photos at the end; those that are in stay where they are",
        .init("phototidy select add -s trip beach.jpg", "one more"))
    static let remove = changing(
        "remove", "Take photos out", .init("phototidy select remove -s trip beach.jpg", "one less"), hasLimit: false)
    static let toggle = changing(
        "toggle", "Take out those that are in, add those that are not",
        .init("phototidy select toggle -s trip beach.jpg", "in or out"))
    static let set = changing(
        "set", "Make these photos the whole selection",
        .init("phototidy filter --rating 5 -0 | phototidy select set -s best --from - -0", "renew it"))

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
        examples: [.init("phototidy select clear -s trip", "no photo is touched")])

    static let names = CommandSpec(
        "names", abstract: "The names of all selections", usage: ["select names"],
        examples: [.init("phototidy select names", "one a line")])

    private static func changing(
        _ name: String, _ abstract: String, _ example: CommandSpec.Example, hasLimit: Bool = true
    ) -> CommandSpec {
        CommandSpec(
            name, abstract: abstract,
            usage: ["select \(name) [-s NAME]\(hasLimit ? " [--limit N]" : "") [--from FILE|- [-0]] [PATH...]"],
            operands: .init("PATH", 0...(.max), help: "photos, or folders: the photos in them"),
            options: [.selectionName, .from, .nulInput] + (hasLimit ? [.selectionLimit] : []),
            rules: [.exactlyOne(of: [.from], operands: "PATH")], examples: [example])
    }
}
