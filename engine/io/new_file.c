/* new_file.c - files that are either complete or not there. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWN_NAME = 64 /* bytes that a temporary name may have */ };

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
static int open_temporary(td_new_file *output)
{
    static atomic_uint serial;
    const char *slash = strrchr(output->path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - output->path) + 1;
    int descriptor = -1;
    do { /* a name may be taken by a process of another host, or left by one that was killed */
        snprintf(output->temporary, sizeof output->temporary, "%.*s.tribench-%ld-%u.tmp", folder,
                 output->path, (long)getpid(), atomic_fetch_add(&serial, 1U));
        descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor;
}

static td_status open_beside(const char *path, td_new_file *output, td_error *error)
{
    const char *end = path + strlen(path);
    if (end == path || end[-1] == '/') {
        return cannot_write(path, EISDIR, error);
    }
    const int descriptor = open_temporary(output);
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

td_status td_new_file_open(const char *path, td_new_file *output, td_error *error)
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
    if (!td_file_follow_links(path, output->path)) {
        return cannot_write(path, errno, error);
    }
    if (strlen(output->path) + OWN_NAME >= sizeof output->path) {
        return cannot_write(path, ENAMETOOLONG, error);
    }
    /* a rename would not ask for write permission */
    if (exists && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0) {
        return cannot_write(path, errno, error);
    }
    const td_status status = open_beside(path, output, error);
    if (status == TD_OK && exists) {
        (void)!fchmod(fileno(output->stream), about.st_mode & 07777); /* as if written in place */
    }
    return status;
}

/* Flush to the disk. Devices and pipes cannot be synchronised; the errors by which they say so are ignored. */
static bool flush_to_disk(FILE *stream)
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
    bool done = flush_to_disk(output->stream);
    int reason = errno;
    if (fclose(output->stream) != 0 && done) {
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
    if (!output->straight) {
        sync_folder(output->path);
    }
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
