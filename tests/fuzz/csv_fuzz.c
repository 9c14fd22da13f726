/* csv_fuzz.c - any bytes as a table of decimal numbers. */
#include <math.h>

#include "engine/io/number_table.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const uint32_t columns = 1 + data[0] % 4; /* the first byte chooses */
    char *text = malloc(size);
    td_table table = {0};
    td_error error = {""};
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const td_status status = td_csv_parse(text, size - 1, "fuzz.csv", columns, &table, &error);
    expect_sentence(status, &error);
    expect(status == TD_OK || table.values == NULL, "what is rejected leaves no table");
    if (status == TD_OK) {
        expect(table.rows >= 1 && table.columns == columns, "a table has rows");
        for (size_t i = 0; i < (size_t)table.rows * columns; i++) {
            expect(isfinite(table.values[i]), "numbers are finite");
        }
    }
    td_table_free(&table);
    free(text);
    return 0;
}
