internal import Glibc

/// Whether a failed call has moved a file after all: a server's reply may have been lost.
enum MoveOutcome {
    case moved, stayed, unknown

    /// Checks the new name first, then the old one.
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
            // Missing under both names: this call did not do that.
            if error.code == ENOENT { self = .stayed }
        }
    }
}

extension POSIXError {
    /// The kernel refused the call. An error of a disk or a server (EIO, ESTALE, ETIMEDOUT) may come after the move was
    /// made. So may ENOENT: a server returns it for a repeated request whose first attempt it has already carried out.
    fileprivate var saysThatNothingWasDone: Bool {
        isOccupied || isOtherFileSystem || isUnsupported || isDenied || isFull
            || [ENAMETOOLONG, EBUSY, ELOOP, ENOTDIR, EISDIR, EMLINK, ENOMEM].contains(code)
    }
}
