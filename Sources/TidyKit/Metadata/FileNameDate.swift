/// The date in a file's name.
public enum FileNameDate {
    /// Nil where the name holds none.
    public static func parse(_ name: ArraySlice<UInt8>, now: WallClock) -> CaptureDate? { nil }
}
