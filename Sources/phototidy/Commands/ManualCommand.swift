/// `phototidy manual`, hidden: prints the manual page, which `Docs/phototidy.1` contains.
enum ManualCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        try context.output.write(ManualPage.roff())
        return .done
    }
}
