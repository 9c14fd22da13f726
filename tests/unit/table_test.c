#include "files.h"

#include <math.h>

#include "engine/io/number_table.h"

typedef struct good_case {
    const char *text;
    uint32_t columns, rows;
    float values[6];
} good_case;

static const good_case good[] = {
    {"1,2\n3,4\n", 2, 2, {1, 2, 3, 4}},
    {"1,2\n3,4", 2, 2, {1, 2, 3, 4}},
    {"1,2\r\n3,4\r\n", 2, 2, {1, 2, 3, 4}},
    {"x,y\r1,2\r3,4\r", 2, 2, {1, 2, 3, 4}},
    {"\xef\xbb\xbf"
     "1,2\n",
     2,
     1,
     {1, 2}},
    {"\xef\xbb\xbfx,y\n1,2\n", 2, 1, {1, 2}},
    {"x,y\n1,2\n", 2, 1, {1, 2}},
    {"\"x\",\"y\"\n1,2\n", 2, 1, {1, 2}},
    {"# x y\n1,2\n", 2, 1, {1, 2}},
    {"\"x\",N\n1,2\n", 2, 1, {1, 2}},
    {"#,NAME\n1,2\n", 2, 1, {1, 2}},
    {"\xc3\xa9,\xce\xb1\n1,2\n", 2, 1, {1, 2}},
    {"\xc2\xb5m,\xe2\x88\x86x\n1,2\n", 2, 1, {1, 2}},
    {"1;2\n3;4\n", 2, 2, {1, 2, 3, 4}},
    {"1\t2\n3\t4\n", 2, 2, {1, 2, 3, 4}},
    {" 1 , 2 \n 3,\t4\n", 2, 2, {1, 2, 3, 4}},
    {"1,2\n\n \r\n\t\n", 2, 1, {1, 2}},
    {"-.5,+1.5e1,2E-1\n", 3, 1, {-0.5f, 15.0f, 0.2f}},
    {"1.\n", 1, 1, {1}},
    {"7", 1, 1, {7}},
    {"1e-60,3.4028235e38\n", 2, 1, {0.0f, 3.4028235e38f}},
    /* rounding to double first would give 1 */
    {"1.000000059604644775390626\n", 1, 1, {1.00000011920928955f}},
};

TEST(good_text_is_read)
{
    for (size_t i = 0; i < COUNT(good); i++) {
        td_table table;
        td_error error = {{0}};
        const td_status status = td_csv_parse(good[i].text, strlen(good[i].text), "t.csv",
                                              good[i].columns, &table, &error);
        if (status != TD_OK)
            fail_msg("'%s': %s", good[i].text, error.text);
        assert_int_equal(table.rows, good[i].rows);
        assert_int_equal(table.columns, good[i].columns);
        assert_memory_equal(table.values, good[i].values,
                            sizeof(float) * good[i].rows * good[i].columns);
        td_table_free(&table);
    }
}

typedef struct bad_case {
    const char *text;
    const char *error; /* a part of it */
} bad_case;

/* All are read with two columns. */
static const bad_case bad[] = {
    {"", "at least 1 row"},
    {"\n\n", "at least 1 row"},
    {"\xef\xbb\xbf", "at least 1 row"},
    {"x,y\n", "at least 1 row"},
    {"1,2\n3\n", "line 2: expected 2 numbers in the row, got 1"},
    {"1,2\n3,4,5\n", "line 2: expected 2 numbers in the row, got 3"},
    {"1,2,\n", "line 1: expected 2 numbers in the row, got 3"},
    {"1 2\n", "line 1: expected 2 numbers in the row, got 1"},
    {"1,\n", "line 1, column 2: expected a decimal number, got ''"},
    {",1\n", "line 1, column 1: expected a decimal number, got ''"},
    {"x,y\r\n1, \r\n", "line 2, column 2: expected a decimal number, got ''"},
    {"1,2\n\n3,4\n", "line 2: expected 2 numbers in the row, got 1"},
    {"\n1,2\n", "line 1: expected 2 numbers in the row, got 1"},
    {"1,nan\n", "line 1, column 2: expected a decimal number, got 'nan'"},
    {"nan,nan\n1,2\n", "line 1, column 1: expected a decimal number"},
    {"x,y\n1,-Inf\n", "line 2, column 2: expected a decimal number, got '-Inf'"},
    {"1,infinity\n", "line 1, column 2: expected a decimal number"},
    {"1,1e39\n", "line 1, column 2: expected a number in the range of float32, got '1e39'"},
    {"1,1e999999999999\n", "line 1, column 2: expected a number in the range of float32"},
    {"1,0x10\n", "line 1, column 2: expected a decimal number, got '0x10'"},
    {"x,y\n0x1p3,1\n", "line 2, column 1: expected a decimal number"},
    {"1,\"2\"\n", "line 1, column 2: expected a decimal number"},
    {"\"1\",\"2\"\n3,4\n", "line 1, column 1: expected a decimal number"},
    {"1,abc\n", "line 1, column 2: expected a decimal number, got 'abc'"},
    {"x,2\n3,4\n", "line 1, column 1: expected a decimal number, got 'x'"},
    {"x,y\nx,y\n1,2\n", "line 2, column 1"},
    {"1,2e\n", "line 1, column 2"},
    {"1,2e+\n", "line 1, column 2"},
    {"1,.\n", "line 1, column 2"},
    {"1,--2\n", "line 1, column 2"},
    {"1,2f\n", "line 1, column 2"},
    {"1,2 3\n", "line 1, column 2: expected a decimal number, got '2 3'"},
    {"1,5;2,5\n", "line 1, column 1: expected a decimal number, got '1,5'"},
    {"1,2\r3\r", "line 2: expected 2 numbers"},
    /* no headers: missing values, numbers that cannot be read, another number of names */
    {"NA,NA\n1,2\n", "line 1, column 1: expected a decimal number, got 'NA'"},
    {"x,null\n1,2\n", "line 1, column 1"},
    {"\"n/a\",y\n1,2\n", "line 1, column 1"},
    {"None,y\n1,2\n", "line 1, column 1"},
    {"#N/A,#DIV/0!\n1,2\n", "line 1, column 1"},
    {"\"nan\",y\n1,2\n", "line 1, column 1"},
    {"x,#NAME?\n1,2\n", "line 1, column 1"},
    {"\xe2\x88\x92"
     "1,y\n1,2\n",
     "line 1, column 1"},
    {"\xc2\xa0"
     ".5,y\n1,2\n",
     "line 1, column 1"},
    {"\xef\xbb\xbf\xef\xbb\xbf"
     "1,y\n1,2\n",
     "line 1, column 1"},
    {"x\n1,2\n", "line 1: expected 2 numbers in the row, got 1"},
    {"x,y,z\n1,2\n", "line 1: expected 2 numbers in the row, got 3"},
    {"1,\x01\xff\n", "line 1, column 2: expected a decimal number, got '\\x01\\xff'"},
};

TEST(bad_text_is_rejected_with_line_and_column)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        td_table table;
        td_error error = {{0}};
        const td_status status =
            td_csv_parse(bad[i].text, strlen(bad[i].text), "t.csv", 2, &table, &error);
        if (status != TD_USAGE || strstr(error.text, bad[i].error) == NULL)
            fail_msg("'%s': wanted '%s', got %d '%s'", bad[i].text, bad[i].error, (int)status,
                     error.text);
        assert_null(table.values);
    }
}

TEST(utf16_is_told_from_utf8)
{
    td_table table;
    td_error error = {{0}};
    assert_int_equal(td_csv_parse("1\0,\0002", 6, "t.csv", 2, &table, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "UTF-16"));
}

/* The largest number of rows, and one more. */
TEST(the_row_limit_is_exact)
{
    const size_t length = 2 * ((size_t)TD_TABLE_ROWS + 1);
    char *text = malloc(length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < length; i += 2)
        memcpy(text + i, "7\n", 3);
    td_table table;
    td_error error = {{0}};
    const td_status over = td_csv_parse(text, length, "t.csv", 1, &table, &error);
    text[length - 2] = '\0';
    const td_status most = td_csv_parse(text, length - 2, "t.csv", 1, &table, NULL);
    const uint32_t rows = table.rows;
    td_table_free(&table);
    free(text);
    assert_int_equal(over, TD_USAGE);
    assert_non_null(strstr(error.text, "line 1048577: expected at most 1048576 rows"));
    assert_int_equal(most, TD_OK);
    assert_int_equal(rows, TD_TABLE_ROWS);
}

TEST(files_are_chosen_by_their_ending)
{
    td_table table;
    td_error error = {{0}};
    const char *path = scratch_file("a.CSV", "1,2\n", 4);
    assert_int_equal(td_table_read(path, 2, false, &table, &error), TD_OK);
    assert_int_equal(table.rows, 1);
    td_table_free(&table);
    unlink(path);
    assert_int_equal(td_table_read(path, 2, false, &table, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "No such file"));
    assert_int_equal(td_table_read("a.txt", 2, false, &table, &error), TD_USAGE);
    assert_non_null(strstr(error.text, ".csv or .npy"));
    assert_int_equal(td_table_read(scratch_directory(), 2, false, &table, &error), TD_USAGE);
}

/* The sums of Fisher's original table. Runs in the root of the project. */
TEST(iris_is_fishers)
{
    static const double sums[] = {876.5, 458.6, 563.7, 179.9};
    td_table table;
    td_error error = {{0}};
    assert_int_equal(td_table_read("tests/data/iris.csv", 4, false, &table, &error), TD_OK);
    double found[4] = {0};
    for (uint32_t k = 0; k < table.rows * 4; k++)
        found[k % 4] += (double)table.values[k];
    const uint32_t rows = table.rows;
    td_table_free(&table);
    assert_int_equal(rows, 150);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(found[k] - sums[k]) < 1e-4);
}

int main(void)
{
    return td_tests_run(NULL, NULL) + scratch_remains();
}
