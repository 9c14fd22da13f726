/* source.h - a workload's file as the host's compiler sees it. */
#ifndef TD_ENGINE_COMPILE_SOURCE_H
#define TD_ENGINE_COMPILE_SOURCE_H

#include "command.h"
#include "engine/core/digest.h"

/* A compiler's command line without what it is to do. The words lead into `cc`. */
typedef struct td_compiler {
    char cc[1024], workloads[4096];
    td_command command;
} td_compiler;

typedef struct td_source {
    const char *path;    /* absolute, of the file */
    const char *headers; /* see headers.h */
    char *text;          /* preprocessed */
    char *own;           /* of that what is neither the system's nor this program's */
    td_digest digest;    /* of the files that `own` is from */
    char *raw;           /* those files, one behind the other */
} td_source;

/* $CC, or cc, with the flags that the program was compiled with, and the headers. */
void td_compiler_choose(const char *headers, td_compiler *compiler);

/*
 * td_source_read - preprocess a file.
 *
 * Input   path, headers: kept, not copied; behind: lines that come behind the file, or ""
 * Output  source; release with td_source_free, after an error, too
 * Errors  TD_USAGE: the compiler has said why; TD_UNAVAILABLE: there is none; TD_NO_MEMORY, TD_FAILED
 */
td_status td_source_read(const td_compiler *compiler, const char *path, const char *headers,
                         const char *behind, td_source *source, td_error *error);

void td_source_free(td_source *source);

/* A file without a name that holds this text, from its start; -1 and errno. */
int td_source_file(const char *text, size_t bytes);

/* The next td_ID_workload that is defined at or behind `at`: its ID, not ended by NUL; NULL: there is none. */
const char *td_source_next(const char *at, size_t *length);

/* Where td_ID_<what> is followed by "(" in `text`, NULL: nowhere. */
const char *td_source_function(const char *text, const char *id, const char *what);

#endif
