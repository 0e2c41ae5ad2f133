internal import CPlatform

extension Unicode.Scalar {
    /// How many cells of a terminal a character takes: 0, 1 or 2, whatever the locale (`wcwidth`).
    public var terminalColumns: Int { Int(platform_scalar_width(value)) }
}
