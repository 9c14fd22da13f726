/*
 * file.h - reads and writes bytes: sizes are not trusted, and files are never half written.
 *
 * io/ reads and writes files in established formats (CSV and NPY) and knows nothing of runs.
 */
#pragma once

#include <stdio.h>

#include "engine/core/error.h"

enum { TD_PATH_SIZE = 4096 };

/* A file as text. length does not count the NUL after the last byte; the text may contain others. */
typedef struct td_file_content {
    char *bytes;
    size_t length;
} td_file_content;

/* A file that gets its name when it is complete. Zeroed when there is none. */
typedef struct td_new_file {
    FILE *stream;
    bool straight;                /* the bytes go straight to path: devices and pipes */
    char path[TD_PATH_SIZE];      /* final name, symbolic links followed */
    char temporary[TD_PATH_SIZE]; /* name until then; empty: none */
} td_new_file;

/*
 * td_file_open - open a regular file to read.
 *
 * Output  bytes: its size
 * Errors  TD_USAGE: no such file, not readable, a directory, a device or a pipe
 */
td_status td_file_open(const char *path, FILE **stream, uint64_t *bytes, td_error *error);

/*
 * td_file_take - read the next `want` bytes of a stream, or fewer if it ends sooner.
 *
 * Input   path names the stream in errors
 * Output  taken; release taken->bytes with free()
 * Errors  TD_FAILED: the read failed; TD_NO_MEMORY
 */
td_status td_file_take(FILE *stream, const char *path, uint64_t want, td_file_content *taken,
                       td_error *error);

/* Whether fsync or fdatasync, which returned `result`, worked, or said that there is nothing to synchronise, as in a
 * pipe. Else errno has the reason. */
bool td_is_synced(int result);

/*
 * td_new_file_open - start a file that appears under its name only when td_new_file_commit is called.
 *
 * The bytes go to .tribench-PID-K.tmp in the same folder, which a killed process leaves behind. A device or a pipe is
 * written directly.
 *
 * Errors  TD_USAGE: cannot be written; nothing was created
 */
td_status td_new_file_open(const char *path, td_new_file *output, td_error *error);

/*
 * td_new_file_commit - flush, close and rename the output. It is closed whatever the result.
 *
 * Errors  TD_FAILED: a write failed; a file that existed before is untouched
 */
td_status td_new_file_commit(td_new_file *output, td_error *error);

/* td_new_file_discard - close and leave no trace. Fine on a zeroed, committed or discarded output. */
void td_new_file_discard(td_new_file *output);

/* td_path_is_stdout - whether the name stands for standard output. /dev/stdout may lead to a regular file that the
 * shell opened: opening it again would start at its beginning. */
bool td_path_is_stdout(const char *path);

/* td_same_file - whether both names lead to the same file, through any links; it need not exist. NULL names no file. */
bool td_same_file(const char *a, const char *b);
