/*
 * file.h - bytes in and bytes out: sizes are not trusted, files are never half written.
 *
 * io/ reads and writes files in the formats of others (CSV, NPY, RLE, PNG) and knows nothing of runs.
 */
#ifndef TD_ENGINE_IO_FILE_H
#define TD_ENGINE_IO_FILE_H

#include <stdio.h>

#include "engine/core/error.h"

enum { TD_PATH_SIZE = 4096 };

/* A file as text. length does not count the NUL behind the last byte; the text may hold others. */
typedef struct td_file_content {
    char *bytes;
    size_t length;
} td_file_content;

/* A file that gets its name when it is whole. Zeroed when there is none. */
typedef struct td_new_file {
    FILE *stream;
    bool straight;           /* the bytes go straight to path: devices and pipes */
    char path[TD_PATH_SIZE]; /* final name, symbolic links followed */
    /* Name until then; empty for a file without one, which is gone with the last process that has it open. */
    char temporary[TD_PATH_SIZE];
} td_new_file;

/*
 * td_file_open - open a file to read.
 *
 * Errors  TD_USAGE: no such file, not readable, a directory
 */
td_status td_file_open(const char *path, FILE **stream, td_error *error);

/*
 * td_file_take - the next `want` bytes of a stream, or fewer where it ends sooner.
 *
 * Input   path names the stream in errors; want [bytes] may be absurd: memory grows with the data
 * Output  *data of *got bytes and a NUL behind them; release with free()
 * Errors  TD_FAILED: the read failed; TD_NO_MEMORY
 */
td_status td_file_take(FILE *stream, const char *path, uint64_t want, char **data, uint64_t *got,
                       td_error *error);

/*
 * td_file_text - a whole file.
 *
 * Output  text; release text->bytes with free()
 * Errors  TD_USAGE: cannot be opened, or larger than 1 GiB; TD_FAILED; TD_NO_MEMORY
 */
td_status td_file_text(const char *path, td_file_content *text, td_error *error);

/*
 * td_file_behind_links - what a name stands for: the end of a chain of symbolic links, be it there or still to be made.
 *
 * Errors  false with a reason in errno: links in a circle, a name that is too long
 */
bool td_file_behind_links(const char *path, char behind[TD_PATH_SIZE]);

/*
 * td_new_file_open - start a file that appears under its name only when td_new_file_commit is called.
 *
 * The bytes go to a file without a name in the same directory, so that a process that is killed leaves nothing behind;
 * where the file system has no such files (NFS), as td_new_file_open_named. A device or a pipe is written directly.
 *
 * Errors  TD_USAGE: cannot be written; nothing was created then
 */
td_status td_new_file_open(const char *path, td_new_file *output, td_error *error);

/*
 * td_new_file_open_named - the same with a temporary name.
 *
 * Files left in the directory by killed processes are removed first: such a file is locked as long as somebody
 * writes it.
 */
td_status td_new_file_open_named(const char *path, td_new_file *output, td_error *error);

/*
 * td_new_file_commit - flush, name and close. The output is closed whatever the answer.
 *
 * Errors  TD_FAILED: a write failed; a file that was there before is untouched
 */
td_status td_new_file_commit(td_new_file *output, td_error *error);

/* td_new_file_discard - close and leave no trace. Fine on a zeroed, committed or discarded output. */
void td_new_file_discard(td_new_file *output);

/* td_folder_of - the folder that a name is in, with the slash at its end, or ".". */
void td_folder_of(const char *path, char folder[TD_PATH_SIZE]);

/* td_path_is_stdout - whether the name stands for standard output. /dev/stdout may lead to a regular file that the
 * shell opened: opening it anew would start at its beginning. */
bool td_path_is_stdout(const char *path);

/* td_same_file - whether both names mean the same file, be it there or still to be made, behind whatever links. NULL is
 * none. */
bool td_same_file(const char *a, const char *b);

#endif
