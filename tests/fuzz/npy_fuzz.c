/* npy_fuzz.c - any bytes as an array of numpy: a table, an image and states. */
#include <math.h>

#include "engine/io/npy.h"
#include "fuzz.h"

static void try_table(const char *path, uint32_t columns)
{
    td_table table = {0};
    td_error error = {""};
    const td_status status = td_npy_table(path, columns, false, &table, &error);
    expect_sentence(status, &error);
    expect(status == TD_OK || table.values == NULL, "what is rejected leaves no table");
    if (status == TD_OK) {
        expect(table.rows >= 1 && table.columns == columns, "a table has rows");
        for (size_t i = 0; i < (size_t)table.rows * columns; i++) {
            expect(isfinite(table.values[i]), "numbers are finite");
        }
    }
    td_table_free(&table);
}

static void try_state(const char *path, td_state_form form)
{
    td_state state = {0};
    td_error error = {""};
    const td_status status = td_npy_state(path, form, &state, &error);
    unsigned sum = 0;
    expect_sentence(status, &error);
    expect(status == TD_OK ? state.n >= 1 : state.cells == NULL, "a state has cells");
    for (size_t i = 0; status == TD_OK && i < state.bytes; i++) {
        sum += state.cells[i]; /* all of them are there to be read */
    }
    expect(sum <= UINT32_MAX, "bytes add up");
    free(state.cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = as_file(data, size);
    if (path == NULL) {
        return 0;
    }
    for (uint32_t columns = 1; columns <= 4; columns++) {
        try_table(path, columns);
    }
    for (td_state_form form = TD_STATE_TRIANGLE; form <= TD_STATE_TETRAHEDRON; form++) {
        try_state(path, form);
    }
    return 0;
}
