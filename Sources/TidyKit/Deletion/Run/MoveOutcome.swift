internal import Glibc

/// What a call that should have moved a file did before it failed: its answer may have been lost on the way.
enum MoveOutcome {
    case moved, stayed, unknown

    /// Looks at the new name first, then at the old one.
    /// - Parameters:
    ///   - source: reads the status of the old name.
    ///   - target: reads the status of the new name.
    init(
        of identity: FileIdentity, after error: POSIXError, source: () throws(POSIXError) -> FileStatus,
        target: () throws(POSIXError) -> FileStatus
    ) {
        self = .unknown
        if error.saysThatNothingWasDone {
            self = .stayed
            return
        }
        do throws(POSIXError) {
            if try target().identity.matchesContent(of: identity) {
                self = .moved
                return
            }
        } catch { if error.code != ENOENT { return } }
        do throws(POSIXError) {
            _ = try source()
            self = .stayed
        } catch {
            // Gone from both places: this call did not do that.
            if error.code == ENOENT { self = .stayed }
        }
    }
}

extension POSIXError {
    /// The kernel refused the call. An error of a disk or a server (EIO, ESTALE, ETIMEDOUT) may come after the move was
    /// made. So may ENOENT: a server gives that answer to a repeated request when it has already carried out the first.
    fileprivate var saysThatNothingWasDone: Bool {
        isOccupied || isOtherFileSystem || isUnsupported || isDenied || isFull
            || [ENAMETOOLONG, EBUSY, ELOOP, ENOTDIR, EISDIR, EMLINK, ENOMEM].contains(code)
    }
}
