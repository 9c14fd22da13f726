/* output.c - standard output, whole files and growing files behind one handle. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct td_output {
    int fd;
    td_output_mode mode;
    bool regular;    /* can be cut and synced */
    bool owns_fd;    /* not standard output */
    bool created;    /* FILE was not there before */
    bool started;    /* something was written */
    bool broken;     /* a write failed: a whole file would not be whole */
    char *path;      /* FILE with symbolic links resolved; NULL for standard output */
    char *temporary; /* NULL when FILE is written directly */
};

enum { OPEN_FLAGS = O_CLOEXEC | O_NOCTTY };

static const char *name_of(const td_output *output)
{
    return output->path != NULL ? output->path : "standard output";
}

static td_status cannot(td_error *error, const char *path, int reason)
{
    return td_fail(error, TD_USAGE, "--output wants a file that can be written, got '%s': %s", path,
                   strerror(reason));
}

static td_status write_failed(const td_output *output, td_error *error)
{
    return td_fail(error, TD_FAILED, "the result could not be written to %s: %s", name_of(output),
                   strerror(errno));
}

/* /dev/stdout may lead to a regular file that the shell opened: opening it anew would start at its
 * beginning. */
static bool is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

static td_status open_stdout(td_output *output, td_error *error)
{
    struct stat st;
    if (fstat(STDOUT_FILENO, &st) != 0) {
        return td_fail(error, TD_FAILED, "the result cannot be written: standard output is closed");
    }
    output->fd = STDOUT_FILENO;
    return TD_OK;
}

/* A name beside FILE, so that the rename stays in one file system; short, so that any FILE has one.
 */
static char *temporary_name(const char *path, unsigned attempt)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    char *name = NULL;
    if (asprintf(&name, "%.*s.tribench-%lx-%lx-%x", folder, path, (long)getpid(), now.tv_nsec,
                 attempt) < 0) {
        return NULL;
    }
    return name;
}

/* Not mkstemp: its mode 0600 would end up on the result, whatever the umask allows. */
static td_status open_temporary(td_output *output, const char *given, td_error *error)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        output->temporary = temporary_name(output->path, attempt);
        if (output->temporary == NULL) {
            return td_fail(error, TD_NO_MEMORY, "out of memory for a file name");
        }
        output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | OPEN_FLAGS, 0666);
        if (output->fd >= 0) {
            return TD_OK;
        }
        const int reason = errno;
        free(output->temporary);
        output->temporary = NULL;
        if (reason != EEXIST) {
            return cannot(error, given, reason);
        }
    }
    return cannot(error, given, EEXIST);
}

/* Two sweeps that write to one file, such as a task that Slurm started again too early, would tear each
 * other's lines.
 * Not flock: a worker that outlives its parent for a moment would still hold it. */
static bool is_taken(int fd)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES);
}

static td_status open_direct(td_output *output, const char *given, td_error *error)
{
    /* Reading finds the end of the last whole line. */
    const int access = output->mode == TD_OUTPUT_APPEND ? O_RDWR | O_APPEND : O_WRONLY;
    output->fd = open(output->path, access | O_CREAT | O_EXCL | OPEN_FLAGS, 0666);
    output->created = output->fd >= 0;
    if (output->fd < 0 && errno == EEXIST) {
        output->fd = open(output->path, access | OPEN_FLAGS);
    }
    if (output->fd < 0) {
        return cannot(error, given, errno);
    }
    return output->regular && is_taken(output->fd)
               ? td_fail(error, TD_USAGE, "--output '%s' is being written by another process",
                         given)
               : TD_OK;
}

/* The rename would replace a file that we may not write, so ask first. */
static td_status replace_later(td_output *output, const char *given, const struct stat *old,
                               td_error *error)
{
    if (old != NULL && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0) {
        return cannot(error, given, errno);
    }
    const td_status status = open_temporary(output, given, error);
    if (status == TD_OK && old != NULL) {
        (void)!fchmod(output->fd, old->st_mode & 07777); /* as if it had been written in place */
    }
    return status;
}

static td_status open_file(td_output *output, const char *path, td_error *error)
{
    struct stat st;
    const bool exists = stat(path, &st) == 0;
    if (!exists && errno != ENOENT) { /* a name too long would be noticed only when it is renamed */
        return cannot(error, path, errno);
    }
    if (path[0] == '\0' || (exists && S_ISDIR(st.st_mode))) {
        return cannot(error, path, path[0] == '\0' ? ENOENT : EISDIR);
    }
    /* A symbolic link stays one: its target is replaced. */
    output->path = exists ? realpath(path, NULL) : strdup(path);
    if (output->path == NULL) {
        return errno == ENOMEM ? td_fail(error, TD_NO_MEMORY, "out of memory for a file name")
                               : cannot(error, path, errno);
    }
    output->owns_fd = true;
    output->regular = !exists || S_ISREG(st.st_mode);
    if (!output->regular) {
        output->mode = TD_OUTPUT_LINES;
        free(output->path); /* what /dev/fd/3 resolves to may have no name to open */
        output->path = strdup(path);
        return output->path == NULL ? td_fail(error, TD_NO_MEMORY, "out of memory for a file name")
                                    : open_direct(output, path, error);
    }
    return output->mode == TD_OUTPUT_WHOLE ? replace_later(output, path, exists ? &st : NULL, error)
                                           : open_direct(output, path, error);
}

static void release(td_output *output)
{
    if (output->owns_fd && output->fd >= 0) {
        close(output->fd);
    }
    free(output->path);
    free(output->temporary);
    free(output);
}

td_status td_output_open(const char *path, td_output_mode mode, td_output **output, td_error *error)
{
    td_output *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the output");
    }
    o->fd = -1;
    o->mode = mode;
    const td_status status = is_stdout(path) ? open_stdout(o, error) : open_file(o, path, error);
    if (status != TD_OK) {
        release(o);
        return status;
    }
    *output = o;
    return TD_OK;
}

/* Offset behind the last newline, 0 when there is none; -1 when reading failed. */
static off_t end_of_last_line(int fd)
{
    char buffer[65536];
    off_t end = lseek(fd, 0, SEEK_END);
    while (end > 0) {
        const size_t size = end < (off_t)sizeof buffer ? (size_t)end : sizeof buffer;
        if (pread(fd, buffer, size, end - (off_t)size) != (ssize_t)size) {
            return -1;
        }
        const char *newline = memrchr(buffer, '\n', size);
        if (newline != NULL) {
            return end - (off_t)size + (newline - buffer) + 1;
        }
        end -= (off_t)size;
    }
    return end;
}

/* What the file held before is touched here and not at the opening: a sweep that never starts
 * spoils nothing. */
static bool make_room(td_output *output)
{
    if (output->started || !output->regular || output->mode == TD_OUTPUT_WHOLE) {
        return true;
    }
    const off_t end = output->mode == TD_OUTPUT_APPEND ? end_of_last_line(output->fd) : 0;
    return end >= 0 && ftruncate(output->fd, end) == 0;
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* Half a line would make every later one unreadable. */
static void cut_back(td_output *output, off_t size)
{
    const int reason = errno;
    if (output->regular && output->mode != TD_OUTPUT_WHOLE) {
        (void)!ftruncate(output->fd, size);
        lseek(output->fd, size, SEEK_SET);
    }
    errno = reason;
}

td_status td_output_write(td_output *output, const char *data, size_t size, td_error *error)
{
    if (!make_room(output)) {
        output->broken = true;
        return write_failed(output, error);
    }
    output->started = true;
    const off_t before = output->regular ? lseek(output->fd, 0, SEEK_END) : 0;
    if (!write_all(output->fd, data, size)) {
        cut_back(output, before);
        output->broken = true;
        return write_failed(output, error);
    }
    return TD_OK;
}

/* Pipes and terminals cannot be synced, and need not be. */
static bool synced(int result)
{
    return result == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

td_status td_output_commit(td_output *output, const char *data, size_t size, td_error *error)
{
    const td_status status = td_output_write(output, data, size, error);
    if (status == TD_OK && !synced(fdatasync(output->fd))) {
        return write_failed(output, error);
    }
    return status;
}

/* Makes the rename itself last through a power cut. Best effort: not every file system allows it.
 */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

static td_status finish(td_output *output, td_error *error)
{
    if (output->broken) { /* said when it happened */
        return td_fail(error, TD_FAILED, "the result could not be written to %s", name_of(output));
    }
    if (!synced(fsync(output->fd))) {
        return write_failed(output, error);
    }
    if (output->temporary == NULL) {
        return TD_OK;
    }
    if (rename(output->temporary, output->path) != 0) {
        return write_failed(output, error);
    }
    sync_folder(output->path);
    free(output->temporary);
    output->temporary = NULL;
    return TD_OK;
}

td_status td_output_close(td_output *output, bool keep, td_error *error)
{
    if (output == NULL) {
        return TD_OK;
    }
    const td_status status = keep ? finish(output, error) : TD_OK;
    if (output->temporary != NULL) {
        unlink(output->temporary);
    } else if (!keep && output->created && !output->started) {
        unlink(output->path);
    }
    release(output);
    return status;
}

bool td_output_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return strcmp(a, b) == 0 ||
           (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}
