/* new_file.c - files that are either complete or not there. */
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = ".tribench-", suffix[] = ".tmp"; /* of a temporary file */

enum { OWN_NAME = 64 /* bytes that a temporary name may have */, SURELY_LOCKED_S = 60 };

static td_status cannot_write(const char *path, int reason, td_error *error)
{
    return td_fail(error, TD_USAGE, "'%.240s' cannot be written: %s", path, strerror(reason));
}

/* Open a device, pipe or terminal by the name as given, because what /dev/fd/3 resolves to may have no name to open. */
static td_status open_special(const char *path, td_new_file *output, td_error *error)
{
    snprintf(output->path, sizeof output->path, "%s", path);
    output->straight = true;
    output->stream = fopen(path, "wbe");
    return output->stream != NULL ? TD_OK : cannot_write(path, errno, error);
}

/* ---- with a temporary name ---- */

/* Make a temporary name. It is not derived from the final name, which may already be as long as a name can be. It
 * contains the time, because a killed process with the same number may have left a file behind. */
static void name_temporary(td_new_file *output)
{
    static atomic_uint serial;
    const char *slash = strrchr(output->path, '/');
    const int directory = slash == NULL ? 0 : (int)(slash - output->path) + 1;
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(output->temporary, sizeof output->temporary, "%.*s%s%ld-%lx-%u%s", directory,
             output->path, prefix, (long)getpid(), now.tv_nsec, atomic_fetch_add(&serial, 1U),
             suffix);
}

static bool lock(int descriptor)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_SETLK, &whole) == 0;
}

/* Whether a name is that of another process's temporary file. Our own are left out, because closing one would unlock
 * it. */
static bool may_be_left_over(const char *name)
{
    const size_t length = strlen(name), before = strlen(prefix), behind = strlen(suffix);
    return length > before + behind && strncmp(name, prefix, before) == 0 &&
           strcmp(name + length - behind, suffix) == 0 &&
           strtol(name + before, NULL, 10) != (long)getpid();
}

/* Whether a temporary file is left over: no process has locked it, and it is too old to have just been created. */
static bool is_left_over(int descriptor)
{
    struct stat about;
    return fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
           time(NULL) - about.st_mtime > SURELY_LOCKED_S && lock(descriptor);
}

static void remove_left_over(const char *path)
{
    char folder[TD_PATH_SIZE];
    td_folder_of(path, folder);
    DIR *entries = opendir(folder);
    const struct dirent *entry = NULL;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (!may_be_left_over(entry->d_name)) {
            continue;
        }
        const int file =
            openat(dirfd(entries), entry->d_name, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
        if (file >= 0 && is_left_over(file)) {
            unlinkat(dirfd(entries), entry->d_name, 0);
        }
        if (file >= 0) {
            close(file);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
}

static int open_temporary(td_new_file *output)
{
    remove_left_over(output->path);
    name_temporary(output);
    /* not mkstemp: the file gets the permissions that the user's umask allows */
    const int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
        (void)lock(descriptor);
    }
    return descriptor;
}

/* ---- without a name ---- */

static int open_unnamed(const td_new_file *output)
{
    char folder[TD_PATH_SIZE];
    td_folder_of(output->path, folder);
    /* such a file can get a name only through /proc */
    return access("/proc/self/fd", X_OK) == 0 ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666)
                                              : -1;
}

/* Give the unnamed file its name. Only a rename replaces an existing file, and only a file with a name can be
 * renamed. */
static bool give_name(td_new_file *output)
{
    char unnamed[64];
    snprintf(unnamed, sizeof unnamed, "/proc/self/fd/%d", fileno(output->stream));
    if (linkat(AT_FDCWD, unnamed, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW) == 0) {
        return true;
    }
    if (errno != EEXIST) {
        return false;
    }
    name_temporary(output);
    if (linkat(AT_FDCWD, unnamed, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) == 0) {
        return rename(output->temporary, output->path) == 0;
    }
    output->temporary[0] = '\0';
    return false;
}

/* ---- both ---- */

static td_status open_beside(const char *path, bool named, td_new_file *output, td_error *error)
{
    const char *end = path + strlen(path);
    if (end == path || end[-1] == '/') {
        return cannot_write(path, EISDIR, error);
    }
    int descriptor = named ? -1 : open_unnamed(output);
    if (descriptor < 0) {
        descriptor = open_temporary(output);
    }
    if (descriptor < 0) {
        const int reason = errno;
        output->temporary[0] = '\0';
        return cannot_write(path, reason, error);
    }
    output->stream = fdopen(descriptor, "wb");
    if (output->stream == NULL) {
        close(descriptor);
        td_new_file_discard(output);
        return cannot_write(path, ENOMEM, error);
    }
    return TD_OK;
}

static td_status open_new(const char *path, bool named, td_new_file *output, td_error *error)
{
    struct stat about;
    memset(output, 0, sizeof *output);
    const bool exists = stat(path, &about) == 0;
    /* for example a name that is too long, which only the rename at the end would notice */
    if (!exists && errno != ENOENT) {
        return cannot_write(path, errno, error);
    }
    if (exists && S_ISDIR(about.st_mode)) {
        return cannot_write(path, EISDIR, error);
    }
    if (exists && !S_ISREG(about.st_mode)) {
        return open_special(path, output, error);
    }
    /* renaming onto a link would replace the link */
    if (!td_file_behind_links(path, output->path)) {
        return cannot_write(path, errno, error);
    }
    if (strlen(output->path) + OWN_NAME >= sizeof output->path) {
        return cannot_write(path, ENAMETOOLONG, error);
    }
    /* a rename would not ask for write permission */
    if (exists && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0) {
        return cannot_write(path, errno, error);
    }
    const td_status status = open_beside(path, named, output, error);
    if (status == TD_OK && exists) {
        (void)!fchmod(fileno(output->stream), about.st_mode & 07777); /* as if written in place */
    }
    return status;
}

td_status td_new_file_open(const char *path, td_new_file *output, td_error *error)
{
    return open_new(path, false, output, error);
}

td_status td_new_file_open_named(const char *path, td_new_file *output, td_error *error)
{
    return open_new(path, true, output, error);
}

/* Flush to the disk. Devices and pipes cannot be synchronised; the errors by which they say so are ignored. */
static bool settle(FILE *stream)
{
    if (fflush(stream) != 0 || ferror(stream)) {
        return false;
    }
    return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* Make the name itself survive a power cut. Best effort: not every file system allows it. */
static void sync_folder(const char *path)
{
    char folder[TD_PATH_SIZE];
    td_folder_of(path, folder);
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

td_status td_new_file_commit(td_new_file *output, td_error *error)
{
    errno = 0;
    const bool unnamed = !output->straight && output->temporary[0] == '\0';
    bool done = settle(output->stream) && (!unnamed || give_name(output));
    int reason = errno;
    const bool closed = fclose(output->stream) == 0;
    output->stream = NULL;
    if (done && !closed) {
        done = false;
        reason = errno;
    }
    if (done && !unnamed && !output->straight) {
        done = rename(output->temporary, output->path) == 0;
        reason = errno;
    }
    if (done) {
        output->temporary[0] = '\0';
        if (!output->straight) {
            sync_folder(output->path);
        }
        return TD_OK;
    }
    td_new_file_discard(output);
    return td_fail(error, TD_FAILED, "%.240s: writing failed: %s", output->path,
                   reason != 0 ? strerror(reason) : "an earlier write failed");
}

void td_new_file_discard(td_new_file *output)
{
    if (output->stream != NULL) {
        fclose(output->stream);
    }
    output->stream = NULL;
    if (output->temporary[0] != '\0') {
        unlink(output->temporary);
    }
    output->temporary[0] = '\0';
}
