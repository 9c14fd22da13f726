/* npy_test.c - tables, images and states from .npy files, and back; other files are rejected with the reason. */
#include "npy_file.h"

#include <math.h>
#include <sys/stat.h>

#include "engine/host.h"
#include "engine/io/number_table.h"
#include "engine/io/npy.h"
#include "engine/io/dump.h"
#include "strategies/numbers.h"

#define FORTRAN(dtype, shape)                                                                      \
    "{'descr': '" dtype "', 'fortran_order': True, 'shape': " shape ", }\n"
#define TWICE "\1\2\3\0\1\2\3\0\1\2"

/* 1, -2, the least number above 0, and the largest one or 3, by the definition of the formats. */
static const uint16_t float16[] = {0x3c00, 0xc000, 0x0001, 0x7bff};
static const uint16_t bfloat16[] = {0x3f80, 0xc000, 0x0001, 0x4040};
#define F2(shape) "{'descr': '<f2', 'fortran_order': False, 'shape': " shape ", }\n"
#define U2(shape) "{'descr': '<u2', 'fortran_order': False, 'shape': " shape ", }\n"

typedef struct good_case {
    int major;
    const char *dictionary;
    const void *data;
    size_t bytes;
    uint32_t columns; /* 0: an image */
    float values[6];
} good_case;

static const good_case good[] = {
    {1, F4("(3, 2)"), six, sizeof six, 2, {1, 2, 3, 4, 5, 6}},
    {2, F4("(3, 2)"), six, sizeof six, 2, {1, 2, 3, 4, 5, 6}},
    {3, F8("(2, 3)"), wide_six, sizeof wide_six, 3, {1, 2, 3, 4, 5, 6}},
    {1, U1("(3, 2)"), TWICE, 6, 2, {1, 2, 3, 0, 1, 2}},
    {1, F4("(6,)"), six, sizeof six, 1, {1, 2, 3, 4, 5, 6}},
    {1, F4("(6, 1)"), six, sizeof six, 1, {1, 2, 3, 4, 5, 6}},
    {1, F4("(1, 6,)"), six, sizeof six, 6, {1, 2, 3, 4, 5, 6}},
    {1, F4("( 6 , )"), six, sizeof six, 1, {1, 2, 3, 4, 5, 6}},
    {1, F4("( 3 ,\n\t2 , )"), six, sizeof six, 2, {1, 2, 3, 4, 5, 6}},
    {1, FORTRAN("<f4", "(3, 2)"), six, sizeof six, 2, {1, 4, 2, 5, 3, 6}},
    {1, FORTRAN("<f8", "(2, 3)"), wide_six, sizeof wide_six, 3, {1, 3, 5, 2, 4, 6}},
    {1,
     " { \"shape\":(3,2),\"fortran_order\":False,\"descr\":\"<f4\"}",
     six,
     sizeof six,
     2,
     {1, 2, 3, 4, 5, 6}},
    {1, F4("(2, 2)"), six, 16, 0, {1, 2, 3, 4}},
    {1, U1("(2, 2)"), TWICE, 4, 0, {1, 2, 3, 0}},
    {1, FORTRAN("|u1", "(2, 2)"), TWICE, 4, 0, {1, 3, 2, 0}},
    {1, FORTRAN("<u1", "(2, 2)"), TWICE, 4, 0, {1, 3, 2, 0}},
    {1, FORTRAN("=f4", "(2, 2)"), six, 16, 0, {1, 3, 2, 4}},
    {1, F2("(2, 2)"), float16, 8, 2, {1, -2, 0x1p-24f, 65504}},
    {1, U2("(2, 2)"), bfloat16, 8, 2, {1, -2, 0x1p-133f, 3}},
};

TEST(good_tables_are_read)
{
    for (size_t i = 0; i < COUNT(good); i++) {
        const good_case *c = &good[i];
        const uint32_t columns = c->columns > 0 ? c->columns : 2;
        const uint32_t rows = c->columns > 0 && c->bytes != 8 ? 6 / columns : 2;
        const char *path = npy_file(c->major, c->dictionary, c->data, c->bytes);
        td_table table;
        td_error error = {{0}};
        const td_status status =
            td_npy_table(path, c->columns, strstr(c->dictionary, "<u2"), &table, &error);
        unlink(path);
        if (status != TD_OK)
            fail_msg("%s: %s", c->dictionary, error.text);
        assert_int_equal(table.rows, rows);
        assert_int_equal(table.columns, columns);
        assert_memory_equal(table.values, c->values, sizeof(float) * rows * columns);
        td_table_free(&table);
    }
}

typedef struct bad_case {
    int major;
    uint32_t columns; /* 0: an image */
    const char *dictionary;
    size_t bytes;      /* of data */
    const char *error; /* a part of it */
} bad_case;

static const bad_case bad[] = {
    {4, 2, F4("(3, 2)"), 24, "expected .npy version 1.0, 2.0 or 3.0, got 4.0"},
    {0, 2, F4("(3, 2)"), 24, "got 0.0"},
    {1, 2, F4("(3, 2)"), 23, "expected 24 bytes of data, got 23"},
    {1, 2, F4("(3, 2)"), 0, "expected 24 bytes of data, got 0"},
    {1, 2, F4("(2, 2)"), 24, "expected 16 bytes of data, got 24"},
    {1, 2, F4("(2, 3)"), 24, "expected shape (rows, 2), got (2, 3)"},
    {1, 2, F4("(6,)"), 24, "expected shape (rows, 2), got (6,)"},
    {1, 2, F4("()"), 4, "got ()"},
    {1, 2, F4("(3, 2, 1)"), 24, "got (3, 2, 1)"},
    {1, 2, F4("(0, 2)"), 0, "expected 1..1048576 rows, got 0"},
    {1, 2, F4("(1048577, 2)"), 24, "got 1048577"},
    {1, 2, F4("(1099511627776, 2)"), 24, "got 1099511627776"},
    {1, 2, F4("(18446744073709551615, 2)"), 24, "got 18446744073709551615"},
    {1, 2, F4("(18446744073709551616, 2)"), 24, "expected a header"},
    {1, 2, F4("(-3, 2)"), 24, "expected a header"},
    {1, 2, F4("(3L, 2)"), 24, "expected a header"},
    {1, 2, F4("(3 2)"), 24, "expected a header"},
    {1, 2, F4("(6)"), 24, "expected a header"},
    {1, 2, F4("(,)"), 24, "expected a header"},
    {1, 2, F4("( )"), 4, "got ()"},
    {1, 2, F4("[3, 2]"), 24, "expected a header"},
    {1, 2, F4("(1, 1, 1, 1, 1, 1, 1, 3, 2)"), 24, "expected a header"},
    {1, 2, "{'descr': '>f4', 'fortran_order': False, 'shape': (3, 2), }\n", 24,
     "expected dtype |u1, <f2, <f4 or <f8, got '>f4': save array.astype('float32')"},
    {1, 2, "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 2), }\n", 24, "got '<i4'"},
    {1, 2, U2("(3, 2)"), 12, "astype('float32')"},
    {1, 2, "{'descr': '|O', 'fortran_order': False, 'shape': (3, 2), }\n", 24, "got '|O'"},
    {1, 2, "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3, 2), }\n", 24,
     "plain dtype"},
    {1, 2, "{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 2), }\n", 24, "expected a header"},
    {1, 2, "{'descr': '<f4', 'shape': (3, 2), }\n", 24, "expected a header"},
    {1, 2, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), 'x': 1}\n", 24,
     "expected a header"},
    {1, 2, "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}\n", 24,
     "expected a header"},
    {1, 2, "{'descr': '<f4' 'fortran_order': False, 'shape': (3, 2)}\n", 24, "expected a header"},
    {1, 2, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)} x\n", 24,
     "expected a header"},
    {1, 2, "{'descr': '<f4", 24, "expected a header"},
    {1, 2, "{", 24, "expected a header"},
    {1, 2, "", 24, "expected a header"},
    /* images */
    {1, 0, U1("(1, 9)"), 9, "expected shape (N, N), got (1, 9)"},
    {1, 0, U1("(9,)"), 9, "expected shape (N, N)"},
    {1, 0, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }\n", 16,
     "|u1, <f2, <f4 or <f8"},
    {1, 0, U1("(3, 3)"), 8, "expected 9 bytes of data, got 8"},
};

/* Read a file as a table, remove it, and look for a part of the error. */
static void rejects(const char *path, uint32_t columns, const char *part)
{
    td_table table;
    td_error error = {{0}};
    const td_status status = td_npy_table(path, columns, false, &table, &error);
    unlink(path);
    if (status != TD_USAGE || strstr(error.text, part) == NULL)
        fail_msg("wanted '%s', got %d '%s'", part, (int)status, error.text);
    assert_null(table.values);
}

TEST(bad_tables_and_images_are_rejected_with_the_reason)
{
    for (size_t i = 0; i < COUNT(bad); i++)
        rejects(npy_file(bad[i].major, bad[i].dictionary, six, bad[i].bytes), bad[i].columns,
                bad[i].error);
}

TEST(values_that_are_not_finite_are_rejected_with_their_place)
{
    static const struct {
        double values[6];
        const char *error;
    } cases[] = {
        {{1, 2, 3, 4, 5, (double)NAN}, "row 2, column 1: expected a finite float32"},
        {{1, 2, 3, (double)-INFINITY, 5, 6}, "row 1, column 1: expected a finite float32"},
        {{1, 2, -1e39, 4, 5, 6}, "row 1, column 0: expected a finite float32, got -1e+39"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        rejects(npy_file(1, F8("(3, 2)"), cases[i].values, sizeof cases[i].values), 2,
                cases[i].error);
}

/* Files that end anywhere in the header or the data, and one that claims a header of 2^32 - 1 bytes. */
TEST(a_header_is_not_believed_beyond_the_file)
{
    char bytes[256];
    const size_t length = make_npy(bytes, 2, F4("(3, 2)"), six, sizeof six);
    for (size_t cut = 0; cut < length; cut++)
        rejects(scratch_file("cut.npy", bytes, cut), 2,
                cut < length - sizeof six ? "expected a .npy file" : "bytes of data, got");
    memset(bytes + 8, 255, 4);
    rejects(scratch_file("giant.npy", bytes, length), 2,
            "expected a header of at most 65536 bytes, got 4294967295");
}

typedef struct state_case {
    td_state_form form;
    const char *dictionary;
    size_t bytes;       /* of TWICE in the file */
    uint32_t n;         /* 0: it is rejected */
    const char *expect; /* its cells, or a part of the reason */
} state_case;

static const state_case states[] = {
    {TD_STATE_TRIANGLE, U1("(6,)"), 6, 3, TWICE},
    {TD_STATE_TRIANGLE, U1("(1,)"), 1, 1, TWICE},
    {TD_STATE_TRIANGLE, U1("(7,)"), 7, 0, "expected N(N+1)/2 bytes for an N in 1..1048576, got 7"},
    {TD_STATE_TRIANGLE, U1("(0,)"), 0, 0, "got 0"},
    {TD_STATE_TRIANGLE, U1("(6,)"), 5, 0, "expected 6 bytes of data, got 5"},
    {TD_STATE_TRIANGLE, U1("(6,)"), 7, 0, "expected 6 bytes of data, got 7"},
    {TD_STATE_TRIANGLE, U1("(3, 2)"), 6, 0, "expected shape (N(N+1)/2,), got (3, 2)"},
    {TD_STATE_TRIANGLE, F4("(1,)"), 4, 0,
     "expected dtype |u1, got '<f4': save array.astype('uint8')"},
    /* N = 2^20: half a terabyte that must not be allocated */
    {TD_STATE_TRIANGLE, U1("(549756338176,)"), 6, 0, "expected 549756338176 bytes of data, got 6"},
    {TD_STATE_TRIANGLE, U1("(549757386753,)"), 6, 0, "N in 1..1048576"},
    {TD_STATE_TRIANGLE, U1("(18446744073709551615,)"), 6, 0, "N in 1..1048576"},
    {TD_STATE_TETRAHEDRON, U1("(1,)"), 1, 1, TWICE},
    {TD_STATE_TETRAHEDRON, U1("(4,)"), 4, 2, TWICE},
    {TD_STATE_TETRAHEDRON, U1("(10,)"), 10, 3, TWICE},
    {TD_STATE_TETRAHEDRON, U1("(3,)"), 3, 0, "N(N+1)(N+2)/6 bytes for an N in 1..65535"},
    {TD_STATE_TETRAHEDRON, U1("(0,)"), 0, 0, "for an N in 1..65535"},
    {TD_STATE_TETRAHEDRON, U1("(18446744073709551615,)"), 6, 0, "for an N in 1..65535"},
    {TD_STATE_SQUARE, U1("(2, 2)"), 4, 2, TWICE},
    {TD_STATE_SQUARE, FORTRAN("|u1", "(2, 2)"), 4, 2, "\1\3\2\0"},
    {TD_STATE_SQUARE, FORTRAN("<u1", "(2, 2)"), 4, 2, "\1\3\2\0"},
    {TD_STATE_SQUARE, FORTRAN(">u1", "(2, 2)"), 4, 2, "\1\3\2\0"},
    {TD_STATE_SQUARE, FORTRAN("=u1", "(2, 2)"), 4, 2, "\1\3\2\0"},
    {TD_STATE_SQUARE, U1("(3,)"), 3, 0, "expected shape (N, N), got (3,)"},
};

TEST(states_are_read_or_rejected_with_the_reason)
{
    for (size_t i = 0; i < COUNT(states); i++) {
        const state_case *c = &states[i];
        const char *path = npy_file(1, c->dictionary, TWICE, c->bytes);
        td_state found;
        td_error error = {{0}};
        const td_status status = td_npy_state(path, c->form, &found, &error);
        unlink(path);
        const bool right = c->n > 0 ? status == TD_OK && found.bytes == c->bytes &&
                                          memcmp(found.cells, c->expect, c->bytes) == 0
                                    : status == TD_USAGE && found.cells == NULL &&
                                          strstr(error.text, c->expect) != NULL;
        if (!right || found.n != c->n)
            fail_msg("%s: N = %u, %d '%s'", c->dictionary, found.n, (int)status, error.text);
        td_state_free(&found);
    }
}

/* A file of a header and a hole. Its size decides before any data is read. */
TEST(giant_state_is_compared_with_its_file_and_the_memory)
{
    const uint64_t cells = 549756338176; /* N = 2^20 */
    const char *path = npy_file(1, U1("(549756338176,)"), "", 0);
    uint64_t available = 0;
    td_error error = {{0}}, short_error = {{0}};
    td_state triangle;
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    if (truncate(path, about.st_size + (off_t)cells - 1) != 0) {
        unlink(path);
        skip(); /* this file system has no files of that size */
    }
    const td_status one_short = td_npy_state(path, TD_STATE_TRIANGLE, &triangle, &short_error);
    (void)!truncate(path, about.st_size + (off_t)cells);
    assert_int_equal(td_host_free_memory(NULL, &available, &error), TD_OK);
    const td_status whole =
        available < cells ? td_npy_state(path, TD_STATE_TRIANGLE, &triangle, &error) : TD_NO_MEMORY;
    unlink(path);
    assert_int_equal(one_short, TD_USAGE);
    assert_non_null(strstr(short_error.text, "got 549756338175"));
    assert_int_equal(whole, TD_NO_MEMORY);
}

TEST(what_is_written_is_read_back)
{
    const char *path = scratch("out.npy");
    td_table table;
    td_error error = {{0}};
    td_new_file output;
    struct stat about;
    assert_int_equal(td_new_file_open(path, &output, &error), TD_OK);
    td_npy_begin(&output, "<f4", 2, (const uint64_t[]){3, 2});
    fwrite(six, 1, sizeof six, output.stream);
    assert_int_equal(td_new_file_commit(&output, &error), TD_OK);
    assert_int_equal(td_npy_table(path, 2, false, &table, &error), TD_OK);
    const int same = memcmp(table.values, six, sizeof six);
    stat(path, &about);
    td_table_free(&table);
    unlink(path);
    assert_int_equal(same, 0);
    assert_int_equal(about.st_size, 128 + sizeof six); /* data on a multiple of 64 */
}

int main(void)
{
    return td_tests_run(NULL, NULL) + scratch_remains();
}
