// walk DIR BYTES: walks DIR, stats every file and reads BYTES of each (0: reads nothing). The floor that any program
// stands on which lists a library; it prints how many files and bytes it saw.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t wanted;
static long files, bytes;
static char *buffer;

static void walk(int folder) {
    DIR *stream = fdopendir(folder);
    if (!stream) return;
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        struct stat status;
        if (fstatat(dirfd(stream), entry->d_name, &status, AT_SYMLINK_NOFOLLOW)) continue;
        if (S_ISDIR(status.st_mode)) {
            walk(openat(dirfd(stream), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        } else {
            files++;
            if (!wanted) continue;
            int file = openat(dirfd(stream), entry->d_name, O_RDONLY | O_CLOEXEC);
            ssize_t count = file < 0 ? 0 : read(file, buffer, wanted);
            if (count > 0) bytes += count;
            if (file >= 0) close(file);
        }
    }
    closedir(stream);
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    wanted = strtoul(arguments[2], NULL, 10);
    buffer = malloc(wanted ? wanted : 1);
    walk(open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    printf("%ld files, %ld bytes\n", files, bytes);
    return 0;
}
