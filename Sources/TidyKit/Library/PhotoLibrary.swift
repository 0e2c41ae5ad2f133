/// The one pipeline from folders to photos.
public enum PhotoLibrary {
    public static func photos(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none
    ) throws(LibraryError) -> LibraryResult {
        LibraryResult()
    }
}
