/* npy_test.c - tables, images and states from .npy files, and back; other files are rejected with the reason. */
#include "npy_file.h"

#include <math.h>
#include <sys/stat.h>

#include "engine/host.h"
#include "engine/io/number_table.h"
#include "engine/io/npy.h"
#include "engine/io/dump.h"
#include "shown.h"
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

static void put_table(const char *path, uint32_t columns, td_text *out)
{
    td_table table;
    td_error error = {{0}};
    assert_int_equal(td_npy_table(path, columns, false, &table, &error), TD_USAGE);
    assert_null(table.values);
    td_text_print(out, "%s\n", strstr(error.text, "a.npy"));
}

static void put_state(const char *path, const char *form, td_text *out)
{
    td_state found;
    td_error error = {{0}};
    const td_status status = td_npy_state(path,
                                          form[0] == 's'   ? TD_STATE_SQUARE
                                          : form[1] == 'r' ? TD_STATE_TRIANGLE
                                                           : TD_STATE_TETRAHEDRON,
                                          &found, &error);
    assert_true(status == TD_OK || (status == TD_USAGE && found.cells == NULL && found.n == 0));
    td_text_print(out, "%s", status == TD_OK ? "N = " : strstr(error.text, "a.npy"));
    if (status == TD_OK) {
        td_text_print(out, "%u:", found.n);
    }
    for (size_t i = 0; status == TD_OK && i < found.bytes; i++) {
        td_text_print(out, " %d", found.cells[i]);
    }
    td_text_print(out, "\n");
    free(found.cells);
}

/* line: what is read, the version of the file, the columns of a table (0: an image), the bytes of data, the header */
static void put_file(const char *line, td_text *out)
{
    char form[16], header[512] = "";
    int major = 0;
    unsigned columns = 0, bytes = 0;
    assert_true(sscanf(line, "%15s %d %u %u %511[^\n]", form, &major, &columns, &bytes, header) >=
                4);
    (void)unescape(header);
    const bool is_table = strcmp(form, "table") == 0;
    const char *path = npy_file(major, header, is_table ? (const void *)six : TWICE, bytes);
    is_table ? put_table(path, columns, out) : put_state(path, form, out);
    unlink(path);
}

TEST(files_are_read_or_rejected_as_shown)
{
    lines_are_as_shown(put_file, "tests/data/shown/npy.txt");
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
