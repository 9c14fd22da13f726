/* own_file.h - a user's file with a workload or a map: found, preprocessed, compiled for the host and loaded. */
#pragma once

#include <limits.h>
#include <regex.h>

#include "source.h"

typedef struct td_own_file {
    char path[PATH_MAX], headers[PATH_MAX]; /* absolute */
    td_compiler compiler;
    td_source source;
    const char *after; /* of td_own_file_read */
    char lines[4096];  /* after these, in what is compiled */
} td_own_file;

/*
 * td_own_file_read - find and preprocess a file.
 *
 * Input   what: "a workload", for messages; after: lines to append, which must outlive `file`
 * Output  file: release with td_own_file_close, even after an error
 * Errors  TD_USAGE: not readable, does not compile (the compiler has said why); TD_UNAVAILABLE: no compiler, no
 *         headers; TD_NO_MEMORY, TD_FAILED
 */
td_status td_own_file_read(const char *path, const char *what, const char *after, td_own_file *file,
                           td_error *error);

/*
 * td_own_file_load - compile the file with its lines, if it has not changed, and load the library, which stays.
 *
 * Input   also: the digest of what the lines include
 * Errors  as above, and TD_FAILED: the library ends the program, or hangs, while it is loaded
 */
td_status td_own_file_load(td_own_file *file, td_digest also, void **library, td_error *error);

void td_own_file_close(td_own_file *file);

/*
 * td_own_file_check - check that a loaded file, with all that it includes, is still what its digest describes.
 *
 * Errors  TD_USAGE: it has changed; those of td_own_file_read
 */
td_status td_own_file_check(const char *path, td_digest digest, td_error *error);

/* Search a text for the first match of an extended regular expression. */
enum { TD_MATCHES = 4 };
bool td_matches(const char *text, const char *pattern, regmatch_t parts[TD_MATCHES]);
