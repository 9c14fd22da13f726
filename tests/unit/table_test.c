#include "files.h"

#include <math.h>

#include "engine/io/number_table.h"
#include "shown.h"

/* line: the number of columns that are expected, and the text */
static void put_table(const char *line, td_text *out)
{
    char text[512];
    td_table table;
    td_error error = {{0}};
    snprintf(text, sizeof text, "%s", strchr(line, ' ') != NULL ? strchr(line, ' ') + 1 : "");
    const size_t length = (size_t)(unescape(text) - text);
    const td_status status =
        td_csv_parse(text, length, "t.csv", (uint32_t)strtoul(line, NULL, 10), &table, &error);
    assert_true(status == TD_OK || (status == TD_USAGE && table.values == NULL));
    if (status == TD_OK) {
        td_text_print(out, "%u x %u:", table.rows, table.columns);
        for (uint32_t i = 0; i < table.rows * table.columns; i++) {
            td_text_print(out, " %.9g", (double)table.values[i]);
        }
        td_table_free(&table);
    }
    td_text_print(out, "%s\n", error.text);
}

TEST(text_is_read_or_rejected_as_shown)
{
    lines_are_as_shown(put_table, "tests/data/shown/csv.txt");
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
