/* life3_test.c - life on a tetrahedron, on the host: where rows in lines lie, and cells around the domain. */
#include "test.h"

#include "workloads/workloads.h"

/* The lines before a row, added up one by one; and each cell, with the cells around it, has a place of its own. */
TEST(rows_in_lines_follow_each_other)
{
    uint64_t lines = 0;
    for (uint32_t z = 0; z < 300; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            assert_int_equal(td_lines3_before(y, z), lines);
            lines += (z - y + 1 + 31) / 32;
        }
    }
    for (uint32_t z = UINT32_MAX; z != 200; z++) {
        for (uint32_t y = UINT32_MAX; y != z + 2; y++) {
            assert_true(td_lines3_row(y, z) + (z - y + 3) < td_lines3_row(y + 1, z));
        }
    }
}

/* True if a check of all cells accepts a state. */
static bool passes_as_life(const td_data *data)
{
    bool ok = true;
    for (uint32_t z = 0; z < data->n; z++) {
        for (uint32_t y = 0; y <= z; y++) {
            for (uint32_t x = 0; x <= z - y; x++) {
                ok &= td_life3_check(data, x, y, z).ok;
            }
        }
    }
    return ok;
}

/* Every cell outside of the domain that has a neighbour in it. */
TEST(living_border_of_life_is_noticed)
{
    enum { N = 5, SIDE = N + 2 };
    static const uint8_t dead[SIDE * SIDE * SIDE] = {0};
    size_t cells = 0, noticed = 0;
    for (uint32_t k = 0; k < SIDE * SIDE * SIDE; k++) {
        const uint32_t x = k % SIDE - 1, y = k / SIDE % SIDE - 1, z = k / SIDE / SIDE - 1;
        uint8_t output[1 << 13] = {0};
        td_data data = td_empty_data();
        bool beside = false;
        data.n = N; /* and row_scale 0: in lines */
        data.output = output;
        data.expected = dead;
        for (uint32_t i = 0; i < 27; i++) {
            beside |=
                x + i % 3 - 1 < td_life3_cells_of_row(&data, y + i / 3 % 3 - 1, z + i / 9 - 1);
        }
        if (beside && x >= td_life3_cells_of_row(&data, y, z)) {
            cells++;
            assert_true(passes_as_life(&data));
            output[td_stored_at3(&data, x, y, z)] = 1;
            noticed += !passes_as_life(&data);
        }
    }
    assert_true(cells > 100);
    assert_int_equal(noticed, cells);
}
