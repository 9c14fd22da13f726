/* files.h - shared by the tests of files: scratch files, and draws that are the same every time. */
#ifndef TD_TESTS_UNIT_FILES_H
#define TD_TESTS_UNIT_FILES_H

#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A scratch directory of this process, made at its first use. */
static inline const char *scratch_directory(void)
{
    static char directory[64];
    const char *folder = getenv("TMPDIR");
    const bool is_short = folder != NULL && strlen(folder) <= 40;
    if (directory[0] == '\0') {
        snprintf(directory, sizeof directory, "%s/tribench-test-XXXXXX",
                 is_short ? folder : "/tmp");
        if (mkdtemp(directory) == NULL)
            abort();
    }
    return directory;
}

/* The last four results stay valid. */
static inline const char *scratch(const char *name)
{
    static char paths[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", scratch_directory(), name);
    return paths[turn];
}

static inline const char *scratch_file(const char *name, const void *bytes, size_t length)
{
    const char *path = scratch(name);
    FILE *stream = fopen(path, "wb");
    if (stream == NULL || fwrite(bytes, 1, length, stream) != length || fclose(stream) != 0)
        abort();
    return path;
}

/* Call last. Returns 1, for the exit status, if a test left a file behind. cmocka ignores teardowns. */
static inline int scratch_remains(void)
{
    if (rmdir(scratch_directory()) == 0)
        return 0;
    fprintf(stderr, "%s: a test left a file behind\n", scratch_directory());
    return 1;
}

/* xorshift64: the same draws on every machine. */
static inline uint32_t dice(uint64_t *seed, uint32_t below)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 32) % below);
}

#endif
