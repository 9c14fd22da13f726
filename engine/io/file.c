/* file.c - files that are read, names that lead to the same file, and files that are either complete or not there. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWN_NAME = 64 /* bytes that a temporary name may have */ };

/* ---- reading ---- */

td_status td_file_open(const char *path, FILE **stream, uint64_t *bytes, td_error *error)
{
    struct stat about;
    *stream = NULL;
    /* fopen would wait for somebody who writes to a pipe, and only the first read of a directory fails */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        return td_fail(error, TD_USAGE, "%.240s: cannot be read: it is a %s", path,
                       S_ISDIR(about.st_mode) ? "directory" : "device or a pipe");
    }
    FILE *opened = fopen(path, "rbe");
    if (opened == NULL || fstat(fileno(opened), &about) != 0) {
        return td_fail(error, TD_USAGE, "%.240s: cannot be read: %s", path, strerror(errno));
    }
    *stream = opened;
    *bytes = (uint64_t)about.st_size;
    return TD_OK;
}

td_status td_file_take(FILE *stream, const char *path, uint64_t want, td_file_content *taken,
                       td_error *error)
{
    /* a signal ends the process between two pieces: in memory, one call reads all that it is asked for */
    enum { PIECE = 1 << 24 };
    size_t piece = 1;
    *taken = (td_file_content){0};
    TRY(td_allocate(&taken->bytes, want + 1, 1, error, "%.240s", path)); /* 1: the NUL */
    while (taken->length < want && piece > 0) {
        const uint64_t rest = want - taken->length;
        piece = fread(taken->bytes + taken->length, 1, rest < PIECE ? rest : PIECE, stream);
        taken->length += piece;
    }
    if (ferror(stream)) {
        free(taken->bytes);
        *taken = (td_file_content){0};
        return td_fail(error, TD_FAILED, "%.240s: reading failed: %s", path, strerror(errno));
    }
    return TD_OK;
}

/* ---- names ---- */

static bool same_inode(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Follow a chain of symbolic links to its end, which need not exist; false with a reason in errno: links in a circle, a
 * name that is too long. */
static bool follow_links(const char *path, char target[TD_PATH_SIZE])
{
    enum { MOST_LINKS = 40 }; /* as many as the kernel follows */
    char held[TD_PATH_SIZE];
    const char *name = path; /* then what each link holds, in place of the link's own name */
    char *at = target;
    for (int links = 0; links < MOST_LINKS; links++) {
        const size_t room = TD_PATH_SIZE - (size_t)(at - target);
        if (strlen(name) >= room) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(at, name, strlen(name) + 1);
        const ssize_t size = readlink(target, held, sizeof held - 1);
        if (size < 0) { /* not a link, or nothing is there */
            return true;
        }
        held[size] = '\0';
        name = held;
        at = held[0] == '/' ? target : basename(target);
    }
    errno = ELOOP;
    return false;
}

bool td_path_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* Whether two names, which may not exist yet, are the same name in the same folder. */
static bool same_place(const char *a, const char *b)
{
    char folders[2][TD_PATH_SIZE + 2];
    snprintf(folders[0], sizeof folders[0], "%.*s.", (int)(basename(a) - a), a);
    snprintf(folders[1], sizeof folders[1], "%.*s.", (int)(basename(b) - b), b);
    return strcmp(basename(a), basename(b)) == 0 && same_inode(folders[0], folders[1]);
}

bool td_same_file(const char *a, const char *b)
{
    char target_a[TD_PATH_SIZE], target_b[TD_PATH_SIZE];
    if (a == NULL || b == NULL) {
        return false;
    }
    if (strcmp(a, b) == 0 || same_inode(a, b) || (td_path_is_stdout(a) && td_path_is_stdout(b))) {
        return true;
    }
    return follow_links(a, target_a) && follow_links(b, target_b) && same_place(target_a, target_b);
}

/* ---- writing ---- */

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

/* Create a file under a temporary name in the folder of the final one. It is not derived from the final name, which may
 * already be as long as a name can be. Not mkstemp: the file gets the permissions that the user's umask allows. */
static bool open_temporary(td_new_file *output)
{
    static atomic_uint serial;
    const int folder = (int)(basename(output->path) - output->path);
    do { /* a name may be taken by a process of another host, or left by one that was killed */
        snprintf(output->temporary, sizeof output->temporary, "%.*s.tribench-%ld-%u.tmp", folder,
                 output->path, (long)getpid(), atomic_fetch_add(&serial, 1U));
        output->stream = fopen(output->temporary, "wbxe");
    } while (output->stream == NULL && errno == EEXIST);
    if (output->stream == NULL) {
        output->temporary[0] = '\0';
    }
    return output->stream != NULL;
}

td_status td_new_file_open(const char *path, td_new_file *output, td_error *error)
{
    struct stat about;
    const size_t length = strlen(path);
    memset(output, 0, sizeof *output);
    const bool exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        return open_special(path, output, error);
    }
    if ((exists && S_ISDIR(about.st_mode)) || length == 0 || path[length - 1] == '/') {
        return cannot_write(path, EISDIR, error);
    }
    /* What only the rename at the end would notice, such as a name that is too long, and what it would not ask for. A
     * link is followed, or it would be replaced. */
    if ((!exists && errno != ENOENT) || !follow_links(path, output->path) ||
        (exists && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0)) {
        return cannot_write(path, errno, error);
    }
    if (strlen(output->path) + OWN_NAME >= sizeof output->path) {
        return cannot_write(path, ENAMETOOLONG, error);
    }
    if (!open_temporary(output)) {
        return cannot_write(path, errno, error);
    }
    if (exists) {
        (void)!fchmod(fileno(output->stream), about.st_mode & 07777); /* as if written in place */
    }
    return TD_OK;
}

bool td_is_synced(int result)
{
    return result == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

td_status td_new_file_commit(td_new_file *output, td_error *error)
{
    FILE *stream = output->stream;
    errno = 0;
    bool done = fflush(stream) == 0 && !ferror(stream) && td_is_synced(fsync(fileno(stream)));
    int reason = errno;
    if (fclose(stream) != 0 && done) {
        done = false;
        reason = errno;
    }
    output->stream = NULL;
    if (done && !output->straight) {
        done = rename(output->temporary, output->path) == 0;
        reason = errno;
    }
    if (!done) {
        td_new_file_discard(output);
        return td_fail(error, TD_FAILED, "%.240s: writing failed: %s", output->path,
                       reason != 0 ? strerror(reason) : "an earlier write failed");
    }
    output->temporary[0] = '\0';
    return TD_OK;
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
