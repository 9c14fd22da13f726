/* source.h - a workload's file, preprocessed by the host's compiler. */
#pragma once

#include "command.h"
#include "engine/core/digest.h"

/* A compiler's command line without files and actions. The words of $CC point into `cc`. */
typedef struct td_compiler {
    char cc[1024], folders[2][4096]; /* of the headers of workloads and of strategies */
    td_command command;
    td_digest digest; /* of $CC, where it names another compiler than cc */
} td_compiler;

typedef struct td_source {
    const char *path;    /* absolute, of the file */
    const char *headers; /* the folder that holds strategies/, workloads/ and engine/ */
    char *text;          /* preprocessed */
    td_digest digest;    /* of $CC and the user's files: neither the system's nor this program's */
    char *raw;           /* those files, concatenated */
} td_source;

/* $CC, or cc. */
const char *td_compiler_name(void);

/* Choose it, with the program's own compiler flags and the folders of the headers; TD_USAGE if it is too long. */
td_status td_compiler_choose(const char *headers, td_compiler *compiler, td_error *error);

/*
 * td_source_read - preprocess a file.
 *
 * Input   path, headers: kept, not copied; after: lines to append to the file, or ""
 * Output  source; release with td_source_free, even after an error
 * Errors  TD_USAGE: the compiler has said why; TD_UNAVAILABLE: there is none; TD_NO_MEMORY, TD_FAILED
 */
td_status td_source_read(const td_compiler *compiler, const char *path, const char *headers,
                         const char *after, td_source *source, td_error *error);

void td_source_free(td_source *source);
