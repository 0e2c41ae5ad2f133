// What Swift's Glibc overlay lacks: macros that are not plain constants, GNU extensions, and variadic functions.
// Unless a comment says otherwise, a function returns -1 and sets errno on failure, like the call that it wraps.

#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

// Files and names

extern const int PLATFORM_O_RDONLY;
extern const int PLATFORM_O_WRONLY;
extern const int PLATFORM_O_RDWR;
extern const int PLATFORM_O_CREAT;
extern const int PLATFORM_O_EXCL;
extern const int PLATFORM_O_APPEND;
extern const int PLATFORM_O_DIRECTORY;
extern const int PLATFORM_O_NOFOLLOW;
extern const int PLATFORM_O_NOATIME;
extern const int PLATFORM_O_PATH;
extern const int PLATFORM_O_NONBLOCK;

/// openat(2); `flags` are PLATFORM_O_* bits. O_CLOEXEC is always added.
int platform_openat(int dir_fd, const char *path, int flags, mode_t mode);

/// openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS. ELOOP if any component is a link, EXDEV if the path leads
/// out of the folder, ENOSYS before Linux 5.6; some sandboxes return EPERM.
int platform_openat_beneath(int dir_fd, const char *path, int flags, mode_t mode);

/// memfd_create(2), closed on exec: an unnamed file in memory.
int platform_memory_file(void);

/// pipe2(2), both ends closed on exec.
int platform_pipe(int ends[2]);

/// renameat2(2) with RENAME_NOREPLACE: EEXIST if `to` exists.
int platform_rename_noreplace(int from_dir_fd, const char *from, int to_dir_fd, const char *to);

/// renameat2(2) with RENAME_EXCHANGE: swaps two names atomically.
int platform_rename_exchange(int from_dir_fd, const char *from, int to_dir_fd, const char *to);

/// futimens(2) with both times.
int platform_set_times(int fd, struct timespec accessed, struct timespec modified);

/// Copies the extended attributes. Returns -1 if one of the user's own (`user.*`, a POSIX ACL) could not be read or
/// written; attributes of the system (SELinux labels, capabilities) may fail. With `without_origin`, skips those that
/// say where a file came from, such as `user.xdg.origin.url`.
int platform_copy_xattrs(int from_fd, int to_fd, bool without_origin);

/// syncfs(2): syncs the whole filesystem that contains `fd`, names included.
int platform_sync_file_system(int fd);

/// fcntl(2) with F_OFD_SETLK: locks the whole file for one writer. EAGAIN if another open file has the lock.
int platform_lock(int fd);
/// fcntl(2) with F_OFD_SETLK: releases the lock.
int platform_unlock(int fd);
/// fcntl(2) with F_OFD_GETLK: 1 if another open file has the lock, otherwise 0. Does not lock.
int platform_is_locked(int fd);

/// The umask of this process. Read only once, because reading it means setting it. Never fails.
mode_t platform_umask(void);

/// What statx(2) returns beyond stat(2).
struct platform_traits {
    uint64_t mount_id; // STATX_MNT_ID; 0 before Linux 5.8
    bool is_mount_root; // STATX_ATTR_MOUNT_ROOT
    bool is_immutable; // STATX_ATTR_IMMUTABLE
    bool is_append_only; // STATX_ATTR_APPEND
};
/// statx(2) of `name` in the folder `dir_fd`, or of `dir_fd` itself if `name` is empty. Follows no link in the last
/// component and never opens the file.
int platform_read_traits(int dir_fd, const char *name, struct platform_traits *traits);

/// The errno with which proc and sysfs refuse every new name, whatever the modes of their folders; 0 on any other
/// filesystem, and if statfs(2) fails.
int platform_refusal_of_new_names(const char *path);

/// A run of blocks of a file; the flags are those of FIEMAP_EXTENT_*.
struct platform_extent {
    uint64_t logical; // all three in bytes
    uint64_t physical;
    uint64_t length;
    uint32_t flags;
};
extern const uint32_t PLATFORM_EXTENT_LAST;
extern const uint32_t PLATFORM_EXTENT_SHARED;
/// Flags of an extent of which the place is not decided yet.
extern const uint32_t PLATFORM_EXTENT_DELAYED;
/// Flags of an extent that has a place of its own on the disk, written or not.
extern const uint32_t PLATFORM_EXTENT_PLACED;

/// ioctl(2) with FS_IOC_FIEMAP, if `syncs` after the file was written to the disk: the extents from `start` on. Returns
/// how many, at most `count`, which is at most 256. EOPNOTSUPP where the filesystem does not tell.
int platform_read_extents(int fd, uint64_t start, int syncs, struct platform_extent *extents, uint32_t count);

// The process

/// The number of arguments of this process; 0 if the C library does not provide them.
int platform_argument_count(void);
/// An argument of this process; NULL past the last.
const char *platform_argument(int index);

/// The number of processors that sched_getaffinity(2) allows the calling thread; -1 if unknown.
int platform_affinity_count(void);

/// Limits the address space of another process of this user (RLIMIT_AS), as far as the system lets us.
void platform_limit_memory(pid_t process, size_t bytes);

// Signals

/// Installs a handler for SIGINT, SIGTERM and SIGHUP. It keeps the first signal and wakes `platform_wait`, so that work
/// can end cleanly. A second signal, whichever of the three, ends the process at once.
void platform_catch_interrupts(void);
/// The number of the first signal that was caught; 0 if there was none.
int platform_interrupt_signal(void);
/// Waits until `fd` can be read or has failed, and returns 1. Returns 0 after `milliseconds` (-1: never).
/// Returns -1 with EINTR if one of these signals arrives, or arrived before, in any thread.
int platform_wait(int fd, int milliseconds);

// Memory

/// Makes malloc take its next `bytes` (less than 1 GB) from one range of addresses, in huge pages if the system has
/// them, and keep what is freed. Affects only the first thread: others have their own heaps. Best effort; never fails.
void platform_reserve_heap(size_t bytes);

/// malloc_trim(3): returns the free memory of the heap to the system.
void platform_trim_heap(void);

// Errors

/// The English text of an errno value; never NULL.
const char *platform_error_text(int code);

#endif
