extension CompressionPlan.Destination {
    /// What `--output` means: a file where it names one, or ends like one; else a folder. Nil is `--in-place`. Several
    /// pictures for one file are refused by the plan: a folder called `one.jpg` is what nobody meant.
    public init(output: FilePath?) {
        guard let output else {
            self = .inPlace
            return
        }
        if output == FilePath("-") {
            self = .stream
            return
        }
        let kind = try? FileStatus.of(output, followLinks: true).kind
        let endsLikeFile = ["jpg", "jpeg", "jpe", "jfif"].contains { output.lowercasedExtension == Array($0.utf8) }
        let isFile = kind == .regular || (kind == nil && endsLikeFile && output.bytes.last != UInt8(ascii: "/"))
        self = isFile ? .file(output) : .folder(output)
    }

    /// True for a name of what is never written: `one.png`. A folder that is there, or a slash at the end, is a folder.
    public static func namesAnotherFormat(_ output: FilePath) -> Bool {
        guard output.bytes.last != UInt8(ascii: "/") else { return false }
        let others = ["png", "heic", "heif", "avif", "webp", "gif", "tif", "tiff", "bmp"]
        return others.contains { output.lowercasedExtension == Array($0.utf8) }
            && (try? FileStatus.of(output, followLinks: true).kind) != .directory
    }

    /// The first folder among `operands` that the output folder lies in: copies among the originals are photos to every
    /// later run. Nil where there is none, and for other destinations.
    public func folder(around operands: [FilePath]) -> FilePath? {
        guard case .folder(let output) = self, let place = Self.resolved(output) else { return nil }
        return operands.first { operand in
            guard let root = try? operand.resolved(), place.isSameOrBelow(root) else { return false }
            return (try? FileStatus.of(root).kind) == .directory
        }
    }

    /// The output may not be there yet: then the nearest folder above it that is.
    private static func resolved(_ path: FilePath) -> FilePath? {
        guard var place = try? path.absolute() else { return nil }
        while place != .root {
            if let found = try? place.resolved() { return found }
            place = place.directory
        }
        return nil
    }
}
