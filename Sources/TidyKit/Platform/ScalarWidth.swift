internal import CUnistring

extension Unicode.Scalar {
    /// How many cells of a terminal a character takes: 0, 1 or 2, whatever the locale (`uc_width` of libunistring). Control
    /// characters take none.
    package var terminalColumns: Int { max(0, Int(uc_width(value, "UTF-8"))) }
}
