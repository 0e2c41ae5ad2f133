import Glibc
import Support
import Testing

@testable import TidyKit

/// Files that change, or are swapped, between the scan and the comparison.
@Suite struct FileComparisonTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private static let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) }

    private func file(_ name: String) throws -> ComparedFile {
        try ComparedFile(folder.write(name, Self.content))
    }

    /// What may take the name of a file.
    enum Swap: CaseIterable { case pipe, device, link, folder, shorter, longer, other, linkedFolder }

    private func swap(_ path: FilePath, _ swap: Swap) throws {
        let aside = folder.path.appending("aside")
        let name = path.displayText
        switch swap {
        case .pipe:
            try FileSystem.remove(path)
            #expect(mkfifo(name, 0o644) == 0)
        case .device:
            try FileSystem.remove(path)
            // Only the superuser can make a device; others get a link to one.
            if mknod(name, S_IFCHR | 0o644, 1 << 8 | 5) != 0 { #expect(symlink("/dev/zero", name) == 0) }
        case .link:
            #expect(rename(name, aside.displayText) == 0)
            try path.makeLink(to: aside)
        case .folder:
            try FileSystem.remove(path)
            try FileSystem.createFolder(path)
        case .shorter: #expect(truncate(name, 1000) == 0)
        case .longer: try FileDescriptor.open(path, [.write, .append]).write([1])
        case .other:
            let modified = try FileStatus.of(path).identity.modifiedNs
            #expect(rename(name, aside.displayText) == 0)
            try FileDescriptor.open(path, [.write, .create]).write(Self.content)
            try FileSystem.setModified(path, ns: modified)
        case .linkedFolder:
            // The folder of another copy of the same name, as if it were this one.
            let others = folder.path.appending("others")
            try FileSystem.createFolders(others)
            try FileDescriptor.open(others.appending(path.lastComponent), [.write, .create]).write(Self.content)
            #expect(rename(path.directory.displayText, aside.displayText) == 0)
            try path.directory.makeLink(to: others)
        }
    }

    @Test(arguments: Swap.allCases) func aNameThatLeadsElsewhereIsNoCopy(_ swap: Swap) throws {
        let kept = try file("kept.jpg")
        let copy = try file("folder/copy.jpg")
        var comparison = FileComparison()
        #expect(try comparison.areEqual(kept, copy))
        try self.swap(copy.path, swap)
        #expect(throws: POSIXError.self) { try comparison.areEqual(kept, copy) }
        #expect(throws: POSIXError.self) { try comparison.hash(of: copy) }
        #expect(throws: POSIXError.self) { try comparison.endsHash(of: copy) }
        var search = ContentSearch(threads: 1)
        #expect(search.classes(of: [kept, copy]).isEmpty)
        var reader = DigestReader()
        #expect(throws: POSIXError.self) { try reader.areEqual(kept, copy) }
    }

    /// After its head was found to be the same as that of another file.
    @Test func aFileThatChangesWhileItIsReadIsInNoClass() throws {
        let kept = try file("kept.jpg")
        let copy = try file("copy.jpg")
        let opened = try copy.open()
        try opened.checkUnchanged()
        try FileDescriptor.open(copy.path, [.write]).write([1])
        #expect(throws: POSIXError(code: ESTALE, operation: "fstat", path: copy.path)) {
            try opened.checkUnchanged()
        }
        // Under its old time stamp: it is the one that was found, and holds something else.
        try FileSystem.setModified(copy.path, ns: copy.identity.modifiedNs)
        var comparison = FileComparison()
        #expect(try !comparison.areEqual(kept, copy))
    }

    /// In a group of many, one that cannot be read moves no other into a class that is not its own.
    @Test func aFileThatCannotBeReadMixesUpNoClasses() throws {
        var files: [ComparedFile] = []
        for number in 0..<80 {
            var content = Self.content
            content[200_000] = UInt8(number % 4)
            files.append(try ComparedFile(folder.write("\(number).jpg", content)))
        }
        for number in [0, 1, 17, 18, 33] { try swap(files[number].path, number % 2 == 0 ? .other : .shorter) }
        var search = ContentSearch(threads: 2)
        let classes = search.classes(of: files)
        #expect(classes.reduce(0) { $0 + $1.count } == 75)
        for members in classes { #expect(Set(members.map { $0 % 4 }).count == 1) }
        #expect(classes.count == 4 && search.changed.count == 5 && search.warnings.isEmpty)
    }

    /// The hash tells the same files apart under every key, and another process has another key.
    @Test func aKeyedHashStartsAnewWithEachFile() {
        var hash = KeyedHash()
        func value(_ bytes: [UInt8]) -> UInt64 {
            bytes.withUnsafeBytes { hash.update($0) }
            return hash.finish()
        }
        let first = value([1, 2, 3])
        #expect(value([1, 2, 4]) != first)
        #expect(value([]) != first)
        #expect(value([1, 2, 3]) == first)
    }
}
