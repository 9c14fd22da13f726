/* output.c - standard output, whole files and growing files behind one handle. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "engine/io/file.h"
#include "engine/core/error.h"

/* In shared memory: what a child process writes, its parent knows. */
struct td_output {
    int fd;
    td_output_mode mode;
    bool regular;     /* can be cut: not standard output, to which others may append */
    bool created;     /* FILE was not there before */
    char *path;       /* NULL for standard output */
    off_t end;        /* if it is regular: where the last text ends; -1 before the first */
    td_new_file file; /* TD_OUTPUT_WHOLE: fd is its stream's */
};

/* Whether it is written line by line under its own name, where other processes can get at it. */
static bool grows(const td_output *output)
{
    return output->regular && output->mode != TD_OUTPUT_WHOLE;
}

static td_status write_failed(const td_output *output, td_error *error)
{
    return td_fail(error, TD_FAILED, "the result could not be written to %s: %s",
                   output->path != NULL ? output->path : "standard output", strerror(errno));
}

static td_status open_stdout(td_output *output, td_error *error)
{
    const int standard = fileno(td_standard_output()), flags = fcntl(standard, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        return td_fail(error, TD_FAILED, "the result cannot be written: standard output is closed");
    }
    output->fd = fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* to be closed */
    return output->fd >= 0 ? TD_OK : write_failed(output, error);
}

/* Two sweeps that write one file, such as a task that Slurm restarted too early, would tear each other's lines. Not
 * flock: a worker that briefly outlives its parent would still hold the lock. */
static bool is_taken(int fd)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES);
}

static td_status open_growing(td_output *output, td_error *error)
{
    /* O_RDWR, because the end of the last whole line has to be found */
    const int access = output->mode == TD_OUTPUT_APPEND ? O_RDWR | O_APPEND : O_WRONLY;
    struct stat st;
    output->created = stat(output->path, &st) != 0;
    output->fd = open(output->path, access | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (output->fd < 0) {
        return td_fail(error, TD_USAGE, "--output '%s' cannot be written: %s", output->path,
                       strerror(errno));
    }
    output->regular = fstat(output->fd, &st) == 0 && S_ISREG(st.st_mode);
    return !output->regular || !is_taken(output->fd)
               ? TD_OK
               : td_fail(error, TD_USAGE, "--output '%s' is being written by another process",
                         output->path);
}

static td_status open_file(td_output *output, const char *path, td_error *error)
{
    struct stat st;
    const bool is_new = output->mode == TD_OUTPUT_WHOLE_NEW || output->mode == TD_OUTPUT_LINES;
    const bool grows = output->mode == TD_OUTPUT_LINES || output->mode == TD_OUTPUT_APPEND;
    output->path = strdup(path);
    if (output->path == NULL) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for a file name");
    }
    if (grows) {
        TRY(open_growing(output, error));
    }
    /* a user who forgot --resume would lose the whole file to the first line */
    if (is_new && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        return td_fail(error, TD_USAGE,
                       "--output '%s' holds something already: go on with it by naming it in "
                       "--resume too, or remove it",
                       path);
    }
    if (!grows) {
        output->mode = TD_OUTPUT_WHOLE;
        TRY(td_name_option(error, td_new_file_open(path, &output->file, error), "output"));
        output->fd = fileno(output->file.stream);
        output->regular = !output->file.straight;
    }
    return TD_OK;
}

static void release(td_output *output)
{
    const bool owns_fd = output->path == NULL || output->mode != TD_OUTPUT_WHOLE;
    if (owns_fd && output->fd >= 0) {
        close(output->fd);
    }
    td_new_file_discard(&output->file);
    free(output->path);
}

td_status td_output_open(const char *path, td_output_mode mode, td_output **output, td_error *error)
{
    td_output *o = NULL;
    TRY(td_allocate_shared(&o, sizeof *o, "the output", error));
    o->fd = -1;
    o->end = -1;
    o->mode = mode;
    const bool standard = path == NULL || td_path_is_stdout(path);
    const td_status status = standard ? open_stdout(o, error) : open_file(o, path, error);
    if (status != TD_OK) {
        release(o);
        return status;
    }
    *output = o;
    return TD_OK;
}

/* The offset after the last newline; 0 if there is none, -1 if reading failed. */
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

/* Cut the file back to its last whole text: half a line would make every later line unreadable. */
static bool cut_back(const td_output *output)
{
    const int reason = errno;
    const bool cut = ftruncate(output->fd, output->end) == 0;
    lseek(output->fd, output->end, SEEK_SET);
    errno = cut ? reason : errno;
    return cut;
}

/* Find the end of what is there, and cut off what follows: the torn line of a process that was killed. The old content
 * is changed here and not when the file is opened, because a sweep that never starts spoils nothing. */
static bool make_room(td_output *output)
{
    struct stat st;
    if (!output->regular) {
        return true;
    }
    if (output->end < 0) {
        output->end = output->mode == TD_OUTPUT_APPEND ? end_of_last_line(output->fd) : 0;
        return output->end >= 0 && cut_back(output);
    }
    return fstat(output->fd, &st) != 0 || st.st_size <= output->end || cut_back(output);
}

/*
 * Write to a pipe or a terminal, which may take nothing for a long time: a signal ends the wait, unless somebody reads
 * within a second. Pieces of PIPE_BUF bytes fit if there is room at all, so no write blocks.
 */
static bool put_patiently(int fd, const char *data, size_t size)
{
    const double patience_s = 1.0;
    double idle_since_s = td_now_s();
    for (size_t done = 0; done < size;) {
        struct pollfd wait_for = {.fd = fd, .events = POLLOUT};
        const int ready = poll(&wait_for, 1, 100);
        const size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
        if (ready > 0 && !td_pipe_put(fd, data + done, piece)) {
            return false;
        }
        if (ready > 0 || td_signals_stop() == 0) {
            done += ready > 0 ? piece : 0;
            idle_since_s = td_now_s();
        } else if (td_now_s() - idle_since_s > patience_s) {
            errno = EINTR;
            return false;
        }
    }
    return true;
}

static bool is_deleted(const td_output *output)
{
    struct stat st;
    return fstat(output->fd, &st) == 0 && st.st_nlink == 0;
}

/* The file was deleted, perhaps with its folder: as long as it is open, what was measured can be copied to TMPDIR. */
static td_status rescue(const td_output *output, td_error *error)
{
    char from_path[64], path[TD_PATH_SIZE];
    const char *folder = getenv("TMPDIR"), *name = basename(output->path);
    struct stat st = {0};
    off_t done = 0;
    snprintf(from_path, sizeof from_path, "/proc/self/fd/%d", output->fd);
    snprintf(path, sizeof path, "%.3000s/tribench-XXXXXX-%.255s",
             folder != NULL && folder[0] != '\0' ? folder : "/tmp", name);
    const int from = open(from_path, O_RDONLY | O_CLOEXEC);
    const int to = mkstemps(path, (int)strlen(name) + 1);
    bool copied = from >= 0 && to >= 0 && fstat(from, &st) == 0;
    while (copied && done < st.st_size) {
        copied = sendfile(to, from, &done, (size_t)(st.st_size - done)) > 0;
    }
    copied = copied && fsync(to) == 0;
    const char *why = strerror(errno);
    close(from);
    close(to);
    return td_fail(error, TD_FAILED,
                   "--output '%.200s' was deleted by another process while it was written, and "
                   "what was measured %s '%.200s'%s%s",
                   output->path, copied ? "is in" : "cannot be saved as", path, copied ? "" : ": ",
                   copied ? "" : why);
}

/* Without this check, a sweep could run for hours and succeed, although nobody can find its lines. */
static td_status find_again(const td_output *output, td_error *error)
{
    struct stat open, named;
    if (is_deleted(output)) {
        return rescue(output, error);
    }
    const bool there = fstat(output->fd, &open) == 0 && stat(output->path, &named) == 0 &&
                       open.st_dev == named.st_dev && open.st_ino == named.st_ino;
    return there && open.st_size >= output->end
               ? TD_OK
               : td_fail(error, TD_FAILED,
                         "--output '%.240s' was %s by another process while it grew", output->path,
                         there ? "cut" : "moved or replaced");
}

td_status td_output_write(td_output *output, const char *data, size_t size, td_error *error)
{
    if (!make_room(output)) {
        return write_failed(output, error);
    }
    if (output->regular) {
        lseek(output->fd, 0, SEEK_END);
    }
    if (output->regular ? !td_pipe_put(output->fd, data, size)
                        : !put_patiently(output->fd, data, size)) {
        (void)(output->regular && cut_back(output));
        return write_failed(output, error);
    }
    output->end += (off_t)size;
    if (output->mode != TD_OUTPUT_WHOLE && !td_is_synced(fdatasync(output->fd))) {
        return write_failed(output, error);
    }
    return grows(output) ? find_again(output, error) : TD_OK;
}

static td_status finish(td_output *output, td_error *error)
{
    if (output->file.stream == NULL) {
        TRY(td_is_synced(fsync(output->fd)) ? TD_OK : write_failed(output, error));
        return grows(output) ? find_again(output, error) : TD_OK;
    }
    return output->regular && is_deleted(output)
               ? rescue(output, error)
               : td_name_option(error, td_new_file_commit(&output->file, error), "output");
}

td_status td_output_close(td_output *output, bool keep, td_error *error)
{
    const td_status status = keep ? finish(output, error) : TD_OK;
    char place[TD_PATH_SIZE]; /* a link stays */
    struct stat st;
    if (!keep && output->created && fstat(output->fd, &st) == 0 && st.st_size == 0 &&
        realpath(output->path, place) != NULL) {
        unlink(place);
    }
    release(output);
    return status;
}
