#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t text_limit_bytes = (uint64_t)1 << 30;

static bool same_inode(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* The index where the last part of a name begins. */
static size_t last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

void td_folder_of(const char *path, char folder[TD_PATH_SIZE])
{
    const int length = (int)last_part(path);
    snprintf(folder, TD_PATH_SIZE, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
}

/* Replace the link `path` by the name that it holds; false with a reason in errno. */
static bool step(char path[TD_PATH_SIZE], const char *held)
{
    char name[TD_PATH_SIZE];
    const int folder = held[0] == '/' ? 0 : (int)last_part(path);
    const int length = snprintf(name, sizeof name, "%.*s%s", folder, path, held);
    errno = ENAMETOOLONG;
    if (length >= TD_PATH_SIZE) {
        return false;
    }
    memcpy(path, name, (size_t)length + 1);
    return true;
}

bool td_file_follow_links(const char *path, char target[TD_PATH_SIZE])
{
    enum { MOST_LINKS = 40 }; /* as many as the kernel follows */
    const size_t length = strlen(path);
    errno = ENAMETOOLONG;
    if (length >= TD_PATH_SIZE) {
        return false;
    }
    memcpy(target, path, length + 1);
    for (int links = 0; links < MOST_LINKS; links++) {
        char next[TD_PATH_SIZE];
        const ssize_t size = readlink(target, next, sizeof next - 1);
        if (size < 0) { /* not a link, or nothing is there */
            return true;
        }
        next[size] = '\0';
        if (!step(target, next)) {
            return false;
        }
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
    char folder_a[TD_PATH_SIZE];
    char folder_b[TD_PATH_SIZE];
    td_folder_of(a, folder_a);
    td_folder_of(b, folder_b);
    return strcmp(a + last_part(a), b + last_part(b)) == 0 && same_inode(folder_a, folder_b);
}

bool td_same_file(const char *a, const char *b)
{
    char target_a[TD_PATH_SIZE];
    char target_b[TD_PATH_SIZE];
    if (a == NULL || b == NULL) {
        return false;
    }
    if (strcmp(a, b) == 0 || same_inode(a, b) || (td_path_is_stdout(a) && td_path_is_stdout(b))) {
        return true;
    }
    return td_file_follow_links(a, target_a) && td_file_follow_links(b, target_b) &&
           same_place(target_a, target_b);
}

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
    *taken = (td_file_content){0};
    TRY(td_allocate(&taken->bytes, want + 1, 1, error, "%.240s", path)); /* 1: the NUL */
    taken->length = fread(taken->bytes, 1, want, stream);
    if (ferror(stream)) {
        free(taken->bytes);
        *taken = (td_file_content){0};
        return td_fail(error, TD_FAILED, "%.240s: reading failed: %s", path, strerror(errno));
    }
    return TD_OK;
}

td_status td_file_text(const char *path, td_file_content *text, td_error *error)
{
    FILE *stream;
    uint64_t bytes = 0;
    *text = (td_file_content){0};
    TRY(td_file_open(path, &stream, &bytes, error));
    const td_status status =
        bytes > text_limit_bytes
            ? td_fail(error, TD_USAGE, "%.240s: expected a text of at most 1 GiB, got more", path)
            : td_file_take(stream, path, bytes, text, error);
    fclose(stream);
    return status;
}
