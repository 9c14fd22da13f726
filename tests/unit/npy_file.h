/* npy_file.h - hand-made .npy files, valid and invalid, for tests. */
#ifndef TD_TESTS_UNIT_NPY_FILE_H
#define TD_TESTS_UNIT_NPY_FILE_H

#include "files.h"

/* A .npy file of version `major` in memory; returns its length. */
static inline size_t make_npy(char *bytes, int major, const char *dictionary, const void *data,
                              size_t size)
{
    const size_t length = strlen(dictionary);
    const size_t start = major == 1 ? 10 : 12;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (char)major;
    memset(bytes + 7, 0, start - 7);
    bytes[8] = (char)(length & 255);
    bytes[9] = (char)(length >> 8);
    memcpy(bytes + start, dictionary, length);
    memcpy(bytes + start + length, data, size);
    return start + length + size;
}

static inline const char *npy_file(int major, const char *dictionary, const void *data, size_t size)
{
    char bytes[4096];
    return scratch_file("a.npy", bytes, make_npy(bytes, major, dictionary, data, size));
}

static const float six[] = {1, 2, 3, 4, 5, 6};
static const double wide_six[] = {1, 2, 3, 4, 5, 6};

#define F4(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }\n"
#define F8(shape) "{'descr': '<f8', 'fortran_order': False, 'shape': " shape ", }   \n"
#define U1(shape) "{'descr': '|u1', 'fortran_order': False, 'shape': " shape ", }\n"

#endif
