/* gol_test.c - rules by their digits and in short code, and the sums of the game of life on triangular tiles. The
 * oracle has its generations. */
#include "test.h"

#include "files.h"
#include "workloads/workloads.h"

/* ---- the rule ---- */

TEST(rule_is_what_its_digits_say)
{
    size_t wrong = 0;
    for (uint32_t rule = 1; rule <= 9999; rule++) {
        td_data data = td_empty_data();
        td_setup_rule(rule, &data);
        for (uint32_t neighbours = 0; neighbours <= 12; neighbours++) {
            const bool survives = neighbours >= rule / 1000 && neighbours <= rule / 100 % 10;
            const bool born = neighbours >= rule / 10 % 10 && neighbours <= rule % 10;
            wrong += td_rule_one(&data, neighbours + 1, 1) != survives;
            wrong += td_rule_one(&data, neighbours, 0) != born;
            /* cell 1 alive, cell 0 dead, all others dead without a neighbour */
            uint32_t n[4];
            for (uint32_t k = 0; k < 4; k++) {
                n[k] = (neighbours + 1) >> k << 1 & 2u;
                n[k] |= neighbours >> k & 1u;
            }
            wrong +=
                td_bits_rule(data.params[1], n, 2u) !=
                ((uint32_t)survives << 1 | (uint32_t)born | (0 >= (int)(rule / 10 % 10) ? ~3u : 0));
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- the usual rules: their short code against the code for any rule ---- */

enum { ROUNDS = 4000 }; /* 32 neighbourhoods each */

/* A word with few, many or half of its cells alive. */
static uint32_t word(uint64_t *seed)
{
    const uint32_t a = dice(seed, 1 << 16) | dice(seed, 1 << 16) << 16;
    const uint32_t b = dice(seed, 1 << 16) | dice(seed, 1 << 16) << 16;
    switch (dice(seed, 4)) {
    case 0:
        return a & b;
    case 1:
        return a | b;
    default:
        return a;
    }
}

static void words(uint64_t *seed, uint32_t *to)
{
    for (int p = 0; p < TD_PLANES; p++) {
        to[p] = word(seed);
    }
}

TEST(life_s_usual_rule_is_rule_2333)
{
    uint64_t seed = 1;
    for (int i = 0; i < ROUNDS; i++) {
        td_life_sums rows[3];
        uint32_t here[3], usual, any;
        for (int r = 0; r < 3; r++) {
            const uint32_t left = word(&seed), right = word(&seed);
            here[r] = word(&seed);
            rows[r] = td_life_sum_words(&left, &here[r], &right);
        }
        td_life_add_usual_words(&rows[0], &rows[1], &rows[2], &here[1], &usual);
        td_life_add_words(td_rule_limits(2333u), &rows[0], &rows[1], &rows[2], &here[1], &any);
        assert_int_equal(usual, any);
    }
}

TEST(gol_s_usual_rule_is_rule_4644)
{
    uint64_t seed = 2;
    for (int i = 0; i < ROUNDS; i++) {
        td_gol_sums rows[3];
        uint32_t here[3][TD_PLANES], usual[TD_PLANES], any[TD_PLANES];
        for (int r = 0; r < 3; r++) {
            uint32_t left[TD_PLANES], right[TD_PLANES];
            words(&seed, left);
            words(&seed, here[r]);
            words(&seed, right);
            rows[r] = td_gol_sum_words(left, here[r], right);
        }
        td_gol_add_usual_words(&rows[0], &rows[1], &rows[2], here[1], usual);
        td_gol_add_words(td_rule_limits(4644u), &rows[0], &rows[1], &rows[2], here[1], any);
        assert_memory_equal(usual, any, sizeof any);
    }
}

/* ---- gol ---- */

/* Every possible neighbourhood, with row sums shared by three cells, as in the tile kernels. */
TEST(gol_by_rows_is_gol_by_cells)
{
    td_data data = td_empty_data();
    size_t wrong = 0;
    td_setup_rule(4644, &data);
    for (uint32_t k = 0; k < 1u << 18; k++) {
        uint32_t w[9], sums[3];
        for (uint32_t i = 0; i < 9; i++) {
            w[i] = k >> 2 * i & 3u;
        }
        for (uint32_t r = 0; r < 3; r++) {
            sums[r] = td_gol_sum_cells(w[3 * r], w[3 * r + 1], w[3 * r + 2]);
        }
        for (uint32_t col = 4; col <= 5; col++) { /* inside, and on the diagonal */
            wrong += td_gol_add_cells(&data, sums[0], sums[1], sums[2], w[4], col < 5) !=
                     td_gol_next(&data, w, 5, col);
        }
    }
    assert_int_equal(wrong, 0);
}
