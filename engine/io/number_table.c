#include "number_table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv_table.h"
#include "npy.h"

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path);
    return length > strlen(ending) && strcasecmp(path + length - strlen(ending), ending) == 0;
}

td_status td_table_read(const char *path, uint32_t columns, td_table *table, td_error *error)
{
    memset(table, 0, sizeof *table);
    if (columns < 1 || columns > TD_TABLE_COLUMNS) {
        return td_fail(error, TD_USAGE, "expected a table of 1..%d columns, got %u",
                       TD_TABLE_COLUMNS, columns);
    }
    if (ends_with(path, ".csv")) {
        return td_csv_table(path, columns, table, error);
    }
    if (ends_with(path, ".npy")) {
        return td_npy_table(path, columns, table, error);
    }
    return td_fail(error, TD_USAGE, "%.240s: expected a name that ends in .csv or .npy", path);
}

void td_table_free(td_table *table)
{
    free(table->values);
    memset(table, 0, sizeof *table);
}
