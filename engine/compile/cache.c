#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/signals.h"

/* Whether only this user can have written the file or folder. */
static bool is_ours(const struct stat *info)
{
    return info->st_uid == geteuid() && (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The cache folder, made if it is missing; false if none can be used. */
static bool find_folder(char folder[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat info;
    const bool is_given = cache != NULL && cache[0] == '/';
    const char *above = is_given ? cache : home;
    const char *below = is_given ? "" : "/.cache";
    if (above == NULL || above[0] != '/' || strlen(above) > PATH_MAX / 2) {
        return false;
    }
    snprintf(folder, PATH_MAX, "%s%s", above, below);
    (void)mkdir(folder, 0700);
    snprintf(folder, PATH_MAX, "%s%s/tribench", above, below);
    (void)mkdir(folder, 0700);
    return lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && is_ours(&info);
}

/* When all entries were modified, in seconds: one that was cut or written to afterwards has another time. */
enum { COMPLETE_S = 1 };

/* Open an entry; -1 if it does not exist, is not ours or not as it was made. O_NONBLOCK: it may be a pipe. */
static int open_entry(const char *path)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || !is_ours(&info) ||
                    info.st_mtim.tv_sec != COMPLETE_S)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Make a new file in the folder `room` and open it; entry: its final name once it is complete, NULL to keep none. */
static td_status make_in(const char *room, const char *entry, td_cache_make_fn *make, void *context,
                         int *fd, td_error *error)
{
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = COMPLETE_S}};
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/new", room);
    td_status status = make(context, path, error);
    if (status == TD_OK) {
        *fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (*fd < 0 || fchmod(*fd, 0500) != 0 || futimens(*fd, times) != 0 || fsync(*fd) != 0 ||
            (entry != NULL && rename(path, entry) != 0)) {
            status = td_fail(error, TD_FAILED, "cannot keep '%s': %s", path, strerror(errno));
        }
    }
    if (status != TD_OK && *fd >= 0) {
        close(*fd);
    }
    (void)unlink(path);
    return status;
}

/* The maker works in its own folder, which a signal leaves no more than an error does. If that lies in the cache, the
 * file is renamed into place, never copied. */
static td_status make_entry(const char *folder, const char *entry, td_cache_make_fn *make,
                            void *context, int *fd, td_error *error)
{
    char room[PATH_MAX];
    sigset_t before;
    const int length = snprintf(room, sizeof room, "%s/making-XXXXXX", folder);
    *fd = -1;
    td_signals_hold(&before);
    if (length >= (int)sizeof room || mkdtemp(room) == NULL) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return td_fail(error, TD_FAILED, "cannot make a folder in '%s': %s", folder,
                       strerror(errno));
    }
    const td_status status = make_in(room, entry, make, context, fd, error);
    (void)rmdir(room);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

td_status td_cache_open(td_digest digest, const char *suffix, td_cache_make_fn *make, void *context,
                        int *fd, td_error *error)
{
    char folder[PATH_MAX], entry[PATH_MAX + 64], name[TD_DIGEST_SIZE];
    if (find_folder(folder)) {
        td_digest_text(digest, name);
        snprintf(entry, sizeof entry, "%s/%s%s", folder, name, suffix);
        *fd = open_entry(entry);
        if (*fd >= 0) {
            return TD_OK;
        }
        if (access(folder, W_OK) == 0) {
            return make_entry(folder, entry, make, context, fd, error);
        }
    }
    const char *temporary = getenv("TMPDIR");
    return make_entry(temporary != NULL && temporary[0] == '/' ? temporary : "/tmp", NULL, make,
                      context, fd, error);
}
