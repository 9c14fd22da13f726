/* usual_rule_test.c - the short code of an automaton's usual rule, against the code for any rule. */
#include "test.h"

#include "files.h"
#include "workloads/automata/gol.h"
#include "workloads/automata/life.h"

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

static void life_s_usual_rule_is_rule_2333(void **state)
{
    uint64_t seed = 1;
    (void)state;
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

static void gol_s_usual_rule_is_rule_4644(void **state)
{
    uint64_t seed = 2;
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(life_s_usual_rule_is_rule_2333),
        cmocka_unit_test(gol_s_usual_rule_is_rule_4644),
    };
    return cmocka_run_group_tests_name("usual_rule", tests, NULL, NULL);
}
