/// `phototidy manual`, hidden: writes the manual page that `Docs/phototidy.1` holds.
enum ManualCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        try context.output.write(ManualPage.roff())
        return .done
    }
}
