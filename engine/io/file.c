#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t text_limit_bytes = (uint64_t)1 << 30;

static bool same_inode(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Where the last part of a name begins. */
static size_t last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static void folder_of(const char *path, char folder[TD_PATH_SIZE])
{
    const int length = (int)last_part(path);
    snprintf(folder, TD_PATH_SIZE, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
}

bool td_same_file(const char *a, const char *b)
{
    char folder_a[TD_PATH_SIZE];
    char folder_b[TD_PATH_SIZE];
    if (a == NULL || b == NULL) {
        return false;
    }
    if (strcmp(a, b) == 0 || same_inode(a, b)) {
        return true;
    }
    folder_of(a, folder_a);
    folder_of(b, folder_b);
    return strcmp(a + last_part(a), b + last_part(b)) == 0 && same_inode(folder_a, folder_b);
}

td_status td_file_open(const char *path, FILE **stream, td_error *error)
{
    struct stat about;
    *stream = NULL;
    FILE *opened = fopen(path, "rbe");
    if (opened == NULL) {
        return td_fail(error, TD_USAGE, "%.240s: cannot be read: %s", path, strerror(errno));
    }
    /* fopen takes a directory, and only the first read would tell */
    if (fstat(fileno(opened), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(opened);
        return td_fail(error, TD_USAGE, "%.240s: cannot be read: it is a directory", path);
    }
    *stream = opened;
    return TD_OK;
}

/* Room for at least one more byte, and never more than want + 1 bytes in all. */
static bool grow(char **data, uint64_t *room, uint64_t want)
{
    const uint64_t wider = *room == 0 ? 65536 : *room * 2;
    const uint64_t next = wider < want ? wider : want;
    char *larger = realloc(*data, next + 1); /* 1: the NUL */
    if (larger == NULL) {
        return false;
    }
    *data = larger;
    *room = next;
    return true;
}

td_status td_file_take(FILE *stream, const char *path, uint64_t want, char **data, uint64_t *got,
                       td_error *error)
{
    char *bytes = NULL;
    uint64_t room = 0;
    uint64_t length = 0;
    bool more = true;
    *data = NULL;
    *got = 0;
    if (want >= UINT64_MAX / 4) {
        want = UINT64_MAX / 4; /* nothing that large arrives, and doubling stays exact */
    }
    while (more && (length < want || bytes == NULL)) {
        if (!grow(&bytes, &room, want)) {
            free(bytes);
            return td_fail(error, TD_NO_MEMORY,
                           "%.240s: not enough memory for more than %llu bytes of it", path,
                           (unsigned long long)length);
        }
        const size_t part = fread(bytes + length, 1, room - length, stream);
        length += part;
        more = length == room;
    }
    if (ferror(stream)) {
        free(bytes);
        return td_fail(error, TD_FAILED, "%.240s: reading failed: %s", path, strerror(errno));
    }
    bytes[length] = '\0';
    *data = bytes;
    *got = length;
    return TD_OK;
}

td_status td_file_text(const char *path, td_file_content *text, td_error *error)
{
    FILE *stream;
    uint64_t length;
    text->bytes = NULL;
    text->length = 0;
    TRY(td_file_open(path, &stream, error));
    const td_status status =
        td_file_take(stream, path, text_limit_bytes + 1, &text->bytes, &length, error);
    fclose(stream);
    TRY(status);
    if (length > text_limit_bytes) {
        free(text->bytes);
        text->bytes = NULL;
        return td_fail(error, TD_USAGE, "%.240s: expected a text of at most 1 GiB, got more", path);
    }
    text->length = (size_t)length;
    return TD_OK;
}

static td_status cannot_write(const char *path, int reason, td_error *error)
{
    return td_fail(error, TD_USAGE, "'%.240s' cannot be written: %s", path, strerror(reason));
}

/* Devices, pipes, terminals. The name as it is given: what /dev/fd/3 resolves to may have none to open. */
static td_status open_special(const char *path, td_new_file *output, td_error *error)
{
    snprintf(output->path, sizeof output->path, "%s", path);
    output->stream = fopen(path, "wbe");
    return output->stream != NULL ? TD_OK : cannot_write(path, errno, error);
}

/* The name behind symbolic links: renaming onto a link would replace the link. */
static bool resolve(const char *path, td_new_file *output)
{
    char *real = realpath(path, NULL);
    const char *name = real != NULL ? real : path;
    const bool fits = strlen(name) + 64 < sizeof output->path; /* 64: the temporary's own name */
    if (fits) {
        snprintf(output->path, sizeof output->path, "%s", name);
    }
    free(real);
    return fits;
}

/* Not derived from the final name, which may already be as long as a name can be. The time: a process that was killed
 * may have left a file of this number behind. */
static void name_temporary(td_new_file *output)
{
    static atomic_uint serial;
    const char *slash = strrchr(output->path, '/');
    const int directory = slash == NULL ? 0 : (int)(slash - output->path) + 1;
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(output->temporary, sizeof output->temporary, "%.*s.tribench-%ld-%lx-%u.tmp", directory,
             output->path, (long)getpid(), now.tv_nsec, atomic_fetch_add(&serial, 1U));
}

static td_status open_beside(const char *path, td_new_file *output, td_error *error)
{
    const char *name = path + strlen(path);
    if (name == path || name[-1] == '/') {
        return cannot_write(path, EISDIR, error);
    }
    name_temporary(output);
    /* not mkstemp: the file keeps the permissions that the user's umask gives */
    const int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return cannot_write(path, errno, error);
    }
    output->stream = fdopen(descriptor, "wb");
    if (output->stream == NULL) {
        close(descriptor);
        unlink(output->temporary);
        return cannot_write(path, ENOMEM, error);
    }
    return TD_OK;
}

td_status td_new_file_open(const char *path, td_new_file *output, td_error *error)
{
    struct stat about;
    memset(output, 0, sizeof *output);
    const bool exists = stat(path, &about) == 0;
    /* a name too long, say: only the rename at the end would notice */
    if (!exists && errno != ENOENT) {
        return cannot_write(path, errno, error);
    }
    if (exists && S_ISDIR(about.st_mode)) {
        return cannot_write(path, EISDIR, error);
    }
    if (exists && !S_ISREG(about.st_mode)) {
        return open_special(path, output, error);
    }
    if (!resolve(path, output)) {
        return cannot_write(path, ENAMETOOLONG, error);
    }
    if (exists &&
        faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0) { /* a rename would not ask */
        return cannot_write(path, errno, error);
    }
    const td_status status = open_beside(path, output, error);
    if (status == TD_OK && exists) {
        (void)!fchmod(fileno(output->stream), about.st_mode & 07777); /* as if written in place */
    }
    return status;
}

/* Devices and pipes have nothing to synchronise and say so. */
static bool settle(FILE *stream)
{
    if (fflush(stream) != 0 || ferror(stream)) {
        return false;
    }
    return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* Makes the rename itself last through a power cut. Best effort: not every file system allows it. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[TD_PATH_SIZE] = ".";
    if (slash != NULL) {
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

td_status td_new_file_commit(td_new_file *output, td_error *error)
{
    errno = 0;
    const bool settled = settle(output->stream);
    int reason = errno;
    const bool closed = fclose(output->stream) == 0;
    output->stream = NULL;
    bool done = settled && closed;
    if (settled && !closed) {
        reason = errno;
    }
    if (done && output->temporary[0] != '\0') {
        done = rename(output->temporary, output->path) == 0;
        reason = errno;
    }
    if (done) {
        if (output->temporary[0] != '\0') {
            sync_folder(output->path);
        }
        output->temporary[0] = '\0';
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
