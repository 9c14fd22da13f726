/* files.h - shared by the tests of files: scratch files, and damage that is the same every time. */
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

/* xorshift64: the same damage on every machine. */
static inline uint32_t dice(uint64_t *seed, uint32_t below)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 32) % below);
}

/*
 * Makes one to four changes: a changed, added or removed byte, a cut end, or a repeated piece.
 * Half of the bytes come from `alphabet`, so that the damage often makes sense.
 */
static inline size_t damage(uint64_t *seed, char *bytes, size_t length, size_t room,
                            const char *alphabet)
{
    for (uint32_t changes = 1 + dice(seed, 4); changes > 0 && length > 1 && length + 9 < room;
         changes--) {
        const size_t at = dice(seed, (uint32_t)length);
        const char byte = dice(seed, 2) == 0 ? (char)dice(seed, 256)
                                             : alphabet[dice(seed, (uint32_t)strlen(alphabet))];
        const size_t piece = 1 + dice(seed, length - at < 8 ? (uint32_t)(length - at) : 8);
        switch (dice(seed, 6)) {
        case 0:
            memmove(bytes + at + 1, bytes + at, length - at);
            bytes[at] = byte;
            length++;
            break;
        case 1:
            memmove(bytes + at, bytes + at + piece, length - at - piece);
            length -= piece;
            break;
        case 2:
            memmove(bytes + at + piece, bytes + at, length - at);
            length += piece;
            break;
        case 3:
            if (dice(seed, 8) == 0)
                length = at + 1;
            break;
        default:
            bytes[at] = byte;
        }
    }
    return length;
}

#endif
