// Wrappers of Linux and glibc calls, in the order of CPlatform.h.

#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

const int PLATFORM_O_RDONLY = O_RDONLY;
const int PLATFORM_O_WRONLY = O_WRONLY;
const int PLATFORM_O_RDWR = O_RDWR;
const int PLATFORM_O_CREAT = O_CREAT;
const int PLATFORM_O_EXCL = O_EXCL;
const int PLATFORM_O_APPEND = O_APPEND;
const int PLATFORM_O_DIRECTORY = O_DIRECTORY;
const int PLATFORM_O_NOFOLLOW = O_NOFOLLOW;
const int PLATFORM_O_NOATIME = O_NOATIME;
const int PLATFORM_O_PATH = O_PATH;
const int PLATFORM_O_NONBLOCK = O_NONBLOCK;

int platform_openat(int dir_fd, const char *path, int flags, mode_t mode) {
    return openat(dir_fd, path, flags | O_CLOEXEC, mode);
}

int platform_openat_beneath(int dir_fd, const char *path, int flags, mode_t mode) {
    const struct open_how how = {
        .flags = (uint64_t)(flags | O_CLOEXEC),
        // Unlike openat(2), openat2(2) refuses a mode without O_CREAT.
        .mode = flags & O_CREAT ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, dir_fd, path, &how, sizeof how);
}

int platform_memory_file(void) { return memfd_create("phototidy", MFD_CLOEXEC); }

int platform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int platform_rename_noreplace(int from_dir_fd, const char *from, int to_dir_fd, const char *to) {
    return renameat2(from_dir_fd, from, to_dir_fd, to, RENAME_NOREPLACE);
}

int platform_rename_exchange(int from_dir_fd, const char *from, int to_dir_fd, const char *to) {
    return renameat2(from_dir_fd, from, to_dir_fd, to, RENAME_EXCHANGE);
}

int platform_set_times(int fd, struct timespec accessed, struct timespec modified) {
    const struct timespec times[2] = {accessed, modified};
    return futimens(fd, times);
}

// Attributes that belong to the user, not to the system.
static bool is_user_attribute(const char *name) {
    return strncmp(name, "user.", 5) == 0 || strcmp(name, "system.posix_acl_access") == 0;
}

// Attributes that say where a file was downloaded from, perhaps with tokens: those of freedesktop.org, those of macOS
// as Samba, rsync and the kernel's HFS+ write them, and Windows' zones.
static bool names_origin(const char *name) {
    return strncasecmp(name, "user.xdg.", 9) == 0 || strcasestr(name, "kMDItemWhereFroms") != NULL ||
        strcasestr(name, "com.apple.quarantine") != NULL || strcasestr(name, "Zone.Identifier") != NULL;
}

// Returns -1 with errno; an attribute that was removed meanwhile is not a failure.
static int copy_xattr(int from_fd, int to_fd, const char *name) {
    ssize_t length = fgetxattr(from_fd, name, NULL, 0);
    if (length < 0) return errno == ENODATA ? 0 : -1;
    void *value = malloc(length > 0 ? (size_t)length : 1);
    if (!value) return -1;
    length = fgetxattr(from_fd, name, value, (size_t)length);
    int result = length < 0 ? (errno == ENODATA ? 0 : -1) : fsetxattr(to_fd, name, value, (size_t)length, 0);
    const int error = errno;
    free(value);
    errno = error;
    return result;
}

int platform_copy_xattrs(int from_fd, int to_fd, bool without_origin) {
    ssize_t size = flistxattr(from_fd, NULL, 0);
    if (size < 0) return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
    if (size == 0) return 0;
    char *names = malloc((size_t)size);
    if (!names) return -1;
    size = flistxattr(from_fd, names, (size_t)size);
    // Copies the rest even if one fails, and reports the first failure.
    int error = size < 0 ? errno : 0;
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        const char *name = names + at;
        if (without_origin && names_origin(name)) continue;
        if (copy_xattr(from_fd, to_fd, name) != 0 && is_user_attribute(name) && !error) error = errno;
    }
    free(names);
    errno = error;
    return error ? -1 : 0;
}

int platform_sync_file_system(int fd) { return syncfs(fd); }

static int change_lock(int fd, short type, int command) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    return fcntl(fd, command, &lock);
}

int platform_lock(int fd) { return change_lock(fd, F_WRLCK, F_OFD_SETLK); }

int platform_unlock(int fd) { return change_lock(fd, F_UNLCK, F_OFD_SETLK); }

int platform_is_locked(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0) return -1;
    return lock.l_type == F_UNLCK ? 0 : 1;
}

static mode_t mask_of_process;
static pthread_once_t mask_once = PTHREAD_ONCE_INIT;

static void read_umask(void) {
    // A file that another thread creates in between gets too strict a mode, never one that is too open.
    mask_of_process = umask(077);
    umask(mask_of_process);
}

mode_t platform_umask(void) {
    pthread_once(&mask_once, read_umask);
    return mask_of_process;
}

int platform_read_traits(int dir_fd, const char *name, struct platform_traits *traits) {
    struct statx status;
    const int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(dir_fd, name, flags, STATX_TYPE | STATX_MNT_ID, &status) != 0) return -1;
    traits->mount_id = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
    traits->is_mount_root = (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
    traits->is_immutable = (status.stx_attributes & STATX_ATTR_IMMUTABLE) != 0;
    traits->is_append_only = (status.stx_attributes & STATX_ATTR_APPEND) != 0;
    return 0;
}

int platform_refusal_of_new_names(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return 0;
    switch (status.f_type) {
    case PROC_SUPER_MAGIC: return ENOENT;
    case SYSFS_MAGIC: return EPERM;
    default: return 0;
    }
}

const uint32_t PLATFORM_EXTENT_LAST = FIEMAP_EXTENT_LAST;
const uint32_t PLATFORM_EXTENT_SHARED = FIEMAP_EXTENT_SHARED;
const uint32_t PLATFORM_EXTENT_DELAYED = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC;
const uint32_t PLATFORM_EXTENT_PLACED =
    FIEMAP_EXTENT_LAST | FIEMAP_EXTENT_SHARED | FIEMAP_EXTENT_MERGED | FIEMAP_EXTENT_UNWRITTEN;

int platform_read_extents(int fd, uint64_t start, int syncs, struct platform_extent *extents, uint32_t count) {
    if (count > 256) count = 256;
    struct fiemap *map = calloc(1, sizeof *map + count * sizeof(struct fiemap_extent));
    if (!map) return -1;
    map->fm_start = start;
    map->fm_length = FIEMAP_MAX_OFFSET - start;
    map->fm_flags = syncs ? FIEMAP_FLAG_SYNC : 0;
    map->fm_extent_count = count;
    int found = ioctl(fd, FS_IOC_FIEMAP, map);
    const int error = errno;
    if (found == 0) {
        found = (int)(map->fm_mapped_extents < count ? map->fm_mapped_extents : count);
        for (int i = 0; i < found; i++) {
            const struct fiemap_extent *from = &map->fm_extents[i];
            extents[i] = (struct platform_extent){from->fe_logical, from->fe_physical, from->fe_length, from->fe_flags};
        }
    }
    free(map);
    errno = error;
    return found;
}

static int argument_count = 0;
static char **argument_values = NULL;

// glibc passes the arguments to constructors; unlike /proc/self/cmdline they exist in every container and chroot.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    argument_values = values;
}

int platform_argument_count(void) { return argument_values ? argument_count : 0; }

const char *platform_argument(int index) {
    return index >= 0 && index < platform_argument_count() ? argument_values[index] : NULL;
}

int platform_affinity_count(void) {
    // EINVAL if the machine has more processors than the set can hold.
    for (size_t processors = 1024; processors <= 1 << 20; processors *= 2) {
        cpu_set_t *set = CPU_ALLOC(processors);
        if (!set) return -1;
        const size_t size = CPU_ALLOC_SIZE(processors);
        const int result = sched_getaffinity(0, size, set), code = errno;
        const int count = result == 0 ? CPU_COUNT_S(size, set) : -1;
        CPU_FREE(set);
        if (result == 0) return count;
        if (code != EINVAL) return -1;
    }
    return -1;
}

/// Read by all threads. Lock-free, so that a signal handler may write it (C11, 7.14.1.1).
static _Atomic int caught = 0;
static int interrupt_event = -1;

static void handle_signal(int number) {
    const int code = errno;
    const uint64_t one = 1;
    // Before the write: a thread that it wakes must see the signal.
    const int earlier = atomic_exchange(&caught, number);
    // Wakes the waiting threads; the signal may have come to any thread.
    if (interrupt_event >= 0 && write(interrupt_event, &one, sizeof one) < 0) {
    }
    errno = code;
    if (earlier) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void platform_catch_interrupts(void) {
    interrupt_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // Without SA_RESTART, so that blocking calls return.
    struct sigaction action = {.sa_handler = handle_signal};
    sigemptyset(&action.sa_mask);
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        // nohup and background jobs of a shell ignore these on purpose.
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
    }
}

int platform_interrupt_signal(void) { return caught; }

void platform_limit_memory(pid_t process, size_t bytes) {
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    prlimit(process, RLIMIT_AS, &limit, NULL);
}

int platform_wait(int fd, int milliseconds) {
    struct pollfd waits[2] = {{.fd = fd, .events = POLLIN}, {.fd = interrupt_event, .events = POLLIN}};
    while (!caught) {
        const int count = poll(waits, 2, milliseconds);
        if (count == 0) return 0;
        if (count < 0 && errno != EINTR) return -1;
        if (count > 0 && waits[0].revents) return 1;
    }
    errno = EINTR;
    return -1;
}

void platform_reserve_heap(size_t bytes) {
    const uintptr_t huge_page = 2 << 20;
    // glibc reaches these thresholds by itself after a block of 32 MB has been freed.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes));
    mallopt(M_TOP_PAD, (int)bytes);
    // Larger than the rest of the heap, so that it grows.
    void *piece = malloc(1 << 20);
    const uintptr_t first = (uintptr_t)piece, start = (first + huge_page - 1) / huge_page * huge_page;
    free(piece);
    mallopt(M_TOP_PAD, 1 << 20);
    const uintptr_t end = (uintptr_t)sbrk(0);
    // The block lies elsewhere if the heap could not grow.
    if (first && start < end) madvise((void *)start, end - start, MADV_HUGEPAGE);
}

void platform_trim_heap(void) { malloc_trim(0); }

const char *platform_error_text(int code) {
    const char *text = strerrordesc_np(code);
    return text ? text : "unknown error";
}
