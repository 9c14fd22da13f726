/* tree_test.c - a tree runs the boxes that its plan counts, whatever the leaf, so the record is right. */
#include "test.h"

#include "engine/cpu/tree.h"
#include "engine/prepare/planning.h"
#include "files.h"

static uint64_t blocks; /* blocks that ran */

static void count_blocks(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                         uint64_t first, uint64_t end)
{
    (void)launch;
    (void)data;
    (void)work;
    __atomic_fetch_add(&blocks, end - first, __ATOMIC_RELAXED);
}

static void tree_runs_the_blocks_of_its_plan(void **state)
{
    static const uint32_t sizes[] = {1, 8, 9, 63, 64, 65, 130}, cutoffs[] = {1, 8, 16, 24, 64, 200};
    size_t trees = 0;
    (void)state;
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        trees += s->tree != NULL;
        for (size_t k = 0; k < COUNT(sizes) * COUNT(cutoffs) && s->tree != NULL; k++) {
            const uint32_t n = sizes[k % COUNT(sizes)], cutoff = cutoffs[k / COUNT(sizes)];
            const td_dim3 block = {8, 8, s->dimension == 3 ? 8 : 1};
            const td_domain domain = td_domain_of(n, 8, block, cutoff);
            td_plan plan = {0};
            td_error error;
            assert_int_equal(td_strategy_plan(s, &domain, false, &plan, &error), TD_OK);
            const td_execution execution = {.strategy = s, .plan = &plan, .cutoff = cutoff};
            const td_data data = {.n = n};
            blocks = 0;
            td_cpu_tree(&execution, &data, count_blocks, NULL, 2);
            const uint64_t planned = plan.blocks;
            td_plan_free(&plan);
            if (blocks != planned) {
                fail_msg("%s N=%u cutoff %u: %llu blocks, %llu planned", s->name, n, cutoff,
                         (unsigned long long)blocks, (unsigned long long)planned);
            }
        }
    }
    assert_true(trees >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tree_runs_the_blocks_of_its_plan)};
    return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
