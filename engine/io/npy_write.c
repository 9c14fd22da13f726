/* npy_write.c - writes arrays. */
#include "npy.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 512 }; /* 8 dimensions of 20 digits and the words around them fit */

/* Bytes of one element according to the type's name; 0: unknown. */
static uint64_t element_bytes(const char *dtype)
{
    const bool known = (dtype[0] == '<' || dtype[0] == '|') && dtype[1] != '\0' &&
                       strchr("fiub", dtype[1]) != NULL && strlen(dtype) == 3;
    return known && dtype[2] >= '1' && dtype[2] <= '8' ? (uint64_t)(dtype[2] - '0') : 0;
}

static bool sizes_agree(const char *dtype, uint32_t ndim, const uint64_t *shape, uint64_t bytes)
{
    uint64_t product = element_bytes(dtype);
    bool empty = false;
    if (product == 0 || ndim > TD_NPY_DIMS) {
        return false;
    }
    for (uint32_t i = 0; i < ndim; i++) {
        empty = empty || shape[i] == 0;
        if (!empty && __builtin_mul_overflow(product, shape[i], &product)) {
            return false;
        }
    }
    return bytes == (empty ? 0 : product);
}

/* Make the header: magic, version, length and dictionary, padded so that the data starts on a multiple of 64 bytes. */
static size_t make_header(char *header, const char *dtype, uint32_t ndim, const uint64_t *shape)
{
    char dictionary[HEADER_BYTES];
    int at = snprintf(dictionary, sizeof dictionary,
                      "{'descr': '%s', 'fortran_order': False, 'shape': (", dtype);
    for (uint32_t i = 0; i < ndim; i++) {
        at += snprintf(dictionary + at, sizeof dictionary - (size_t)at, "%s%llu",
                       i == 0 ? "" : ", ", (unsigned long long)shape[i]);
    }
    at += snprintf(dictionary + at, sizeof dictionary - (size_t)at, "%s), }", ndim == 1 ? "," : "");
    const size_t size = (10 + (size_t)at + 1 + 63) / 64 * 64;
    memset(header, ' ', size);
    memcpy(header, "\x93NUMPY\x01", 8); /* version 1.0: the minor is the string's NUL */
    header[8] = (char)((size - 10) & 255);
    header[9] = (char)((size - 10) >> 8);
    memcpy(header + 10, dictionary, (size_t)at);
    header[size - 1] = '\n';
    return size;
}

uint64_t td_npy_begin(td_new_file *output, const char *dtype, uint32_t ndim, const uint64_t *shape)
{
    char header[HEADER_BYTES];
    const size_t size = make_header(header, dtype, ndim, shape);
    fwrite(header, 1, size, output->stream);
    return size;
}

td_status td_npy_finish(td_new_file *output, const char *dtype, uint32_t ndim,
                        const uint64_t *shape, const void *data, uint64_t bytes, td_error *error)
{
    if (!sizes_agree(dtype, ndim, shape, bytes)) {
        td_new_file_discard(output);
        return td_fail(error, TD_USAGE, "%.240s: %llu bytes are not an array of that shape of %.8s",
                       output->path, (unsigned long long)bytes, dtype);
    }
    /* a failure stays in the stream's error flag, which the commit checks */
    td_npy_begin(output, dtype, ndim, shape);
    if (bytes > 0) {
        fwrite(data, 1, bytes, output->stream);
    }
    return td_new_file_commit(output, error);
}
