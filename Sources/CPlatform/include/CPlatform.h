// What the Glibc overlay of Swift lacks: macros that are not plain constants, GNU extensions, and calls with variable
// arguments. Each function follows its C counterpart: it returns -1 and sets errno.

#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/// fcntl(2) with F_OFD_SETLK: locks the whole file for one writer; EAGAIN if another open file has the lock.
int platform_lock(int descriptor);
int platform_unlock(int descriptor);
/// F_OFD_GETLK: 1 if another open file has the lock, otherwise 0. Does not lock.
int platform_is_locked(int descriptor);

/// renameat2(2) with RENAME_NOREPLACE: fails with EEXIST instead of replacing `to`.
int platform_rename_noreplace(int from_dir, const char *from, int to_dir, const char *to);

/// renameat2(2) with RENAME_EXCHANGE: swaps two names atomically.
int platform_rename_exchange(int from_dir, const char *from, int to_dir, const char *to);

/// openat(2); `flags` are the PLATFORM_O_* bits below. O_CLOEXEC is always added.
int platform_openat(int dir, const char *path, int flags, mode_t mode);

/// openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS: ELOOP for a link in any component, EXDEV for a way out
/// of `dir`, ENOSYS before Linux 5.6; some sandboxes answer EPERM.
int platform_openat_beneath(int dir, const char *path, int flags, mode_t mode);

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

/// memfd_create(2), closed on exec: a file without a name, in memory.
int platform_memory_file(void);

/// futimens(2) with both times.
int platform_set_times(int fd, struct timespec accessed, struct timespec modified);

/// Copies the extended attributes. -1 when one of the user's own (`user.*`, a POSIX ACL) could not be read or written;
/// attributes of the system (SELinux labels, capabilities) may fail.
/// `without_origin` skips those that say where a file came from, such as `user.xdg.origin.url`.
int platform_copy_xattrs(int from_fd, int to_fd, bool without_origin);

/// syncfs(2): all of the file system that holds `fd`, names included.
int platform_sync_file_system(int fd);

/// The umask of this process; read only once, because reading it means setting it.
mode_t platform_umask(void);

/// What statx(2) returns beyond stat(2).
struct platform_traits {
    uint64_t mount_id; // STATX_MNT_ID; 0 before Linux 5.8
    bool is_mount_root; // STATX_ATTR_MOUNT_ROOT
    bool is_immutable; // STATX_ATTR_IMMUTABLE
    bool is_append_only; // STATX_ATTR_APPEND
};
/// statx(2) of `name` in `dir`, never following a link and never opening the file.
int platform_read_traits(int dir, const char *name, struct platform_traits *traits);

/// The errno with which the kernel's own file systems, proc and sysfs, refuse every new name, whatever the modes of
/// their folders say; 0 elsewhere.
int platform_refusal_of_new_names(const char *path);

/// Installs a handler for SIGINT, SIGTERM and SIGHUP that keeps the first of them and wakes `platform_wait`, so that
/// work can end tidily. A second one, whichever of the three, ends the process at once.
void platform_catch_interrupts(void);
/// The number of the first interrupting signal since then; 0 when there was none.
int platform_interrupt_signal(void);
/// Waits until `fd` can be read (or written), or has failed: 1. 0 after `milliseconds` (-1: never); -1 with EINTR once
/// one of these signals has come, also when it came before, or to another thread.
int platform_wait(int fd, int for_output, int milliseconds);

/// The arguments of this process as glibc got them from the kernel; 0 where another C library tells nothing.
int platform_argument_count(void);
/// NULL past the last.
const char *platform_argument(int index);

/// The processors that sched_getaffinity(2) allows the calling thread; -1 where it does not say.
int platform_affinity_count(void);

/// Lets malloc take its next `bytes` (less than 1 GB) from one piece of address space in huge pages, where the system
/// has them, and keep what is freed. Other threads than the first have heaps of their own. No more than a wish: nothing
/// fails.
void platform_reserve_heap(size_t bytes);

/// Gives all that is free in the heap back to the system (malloc_trim(3)).
void platform_trim_heap(void);

/// The string form of an errno value, in English, never NULL.
const char *platform_error_text(int code);

#endif
