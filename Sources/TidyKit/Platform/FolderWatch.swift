internal import Glibc

/// Watches folders for changes of their entries (inotify). Subfolders need watches of their own.
package struct FolderWatch: ~Copyable {
    /// A change in a folder, or of the folder itself.
    package struct Event: Sendable {
        /// The folder as it was given to `add`; nil if the kernel's queue overflowed and events were lost.
        package let folder: FilePath?
        /// The entry that was added, removed or changed; empty for the folder itself.
        package let name: [UInt8]
        package let isFolder: Bool
    }

    private let descriptor: FileDescriptor
    private var folders: [Int32: FilePath] = [:]

    /// `inotify_init1`. Throws EMFILE at the limit of the user.
    package init() throws(POSIXError) {
        descriptor = FileDescriptor(
            rawValue: try systemCall("inotify_init1") {
                inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            })
    }

    /// `inotify_add_watch`. A folder that is already watched gets the new path. Throws ENOSPC past the limit of
    /// `fs.inotify.max_user_watches`.
    package mutating func add(_ folder: FilePath) throws(POSIXError) {
        let wanted =
            IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
            | IN_MOVE_SELF
        let mask = UInt32(wanted) | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)
        let raw = descriptor.rawValue
        let watch = try systemCall("inotify_add_watch", folder) {
            folder.withCString { inotify_add_watch(raw, $0, mask) }
        }
        folders[watch] = folder
    }

    /// Waits for events, then until none has arrived for `quiet` milliseconds, and returns them all. Empty if nothing
    /// happens for `timeout` milliseconds, or after a signal.
    package mutating func events(timeout: Int32, quiet: Int32) throws(POSIXError) -> [Event] {
        var events: [Event] = []
        var patience = timeout
        while isReadable(within: patience) {
            let more = try read()
            if more.isEmpty { break }
            events += more
            // Returns even if the changes never pause.
            if events.count > 4096 { break }
            patience = quiet
        }
        return events
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    private mutating func read() throws(POSIXError) -> [Event] {
        var failure: POSIXError?
        var events: [Event] = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            do throws(POSIXError) {
                let count = try descriptor.read(into: buffer)
                events = self.events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } catch { failure = error }
        }
        if let failure, failure.code != EAGAIN { throw failure }
        return events
    }

    /// `struct inotify_event`: watch, mask, cookie and the length of the name, each of 32 bits, then the name.
    private mutating func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
        var events: [Event] = []
        var offset = 0
        while offset + 16 <= bytes.count {
            let watch = bytes.load(fromByteOffset: offset, as: Int32.self)
            let mask = bytes.load(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(bytes.load(fromByteOffset: offset + 12, as: UInt32.self))
            let name = bytes[(offset + 16)..<min(offset + 16 + length, bytes.count)].prefix { $0 != 0 }
            offset += 16 + length
            if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                events.append(Event(folder: nil, name: [], isFolder: false))
            } else if let folder = folders[watch] {
                events.append(Event(folder: folder, name: Array(name), isFolder: mask & UInt32(IN_ISDIR) != 0))
            }
            if mask & UInt32(IN_IGNORED) != 0 { folders[watch] = nil }
        }
        return events
    }
}
