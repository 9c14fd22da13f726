/* fuzz.h - shared by the fuzz targets: an input as a file, and claims that hold for every answer. */
#ifndef TD_TESTS_FUZZ_FUZZ_H
#define TD_TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/core/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts if the claim is false; the fuzzer then keeps the input. */
static inline void expect(bool claim, const char *words)
{
    if (!claim) {
        fprintf(stderr, "not so: %s\n", words);
        abort();
    }
}

/* A rejected input has an error of one line, short enough to be shown in full. */
static inline void expect_sentence(td_status status, const td_error *error)
{
    if (status == TD_OK) {
        return;
    }
    const size_t length = strnlen(error->text, sizeof error->text);
    expect(length > 0 && length < sizeof error->text, "a failure says why");
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)error->text[i];
        expect(c >= ' ' && c != 127, "a sentence has no control characters");
    }
}

/* The path of a file with this content, the same path in every call; NULL if the file cannot be made. */
static inline const char *as_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    const bool written =
        fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size;
    return written ? path : NULL;
}

#endif
