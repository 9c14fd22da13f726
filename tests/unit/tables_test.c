/* tables_test.c - maps with lookup tables: the content of the table, and its place for an engine's kernels. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "domains.h"
#include "engine/core/error.h"
#include "engine/cpu/row.h"
#include "engine/prepare/planning.h"

static void table_is_exact_up_to_its_range(void **state)
{
    const td_strategy *s = td_strategy_find("ltm-t");
    const td_domain domain = domain_of_tiles(s->exact_n);
    td_plan plan = {0};
    uint64_t wrong = 0;
    (void)state;
    assert_int_equal(td_plan_make(s, &domain, false, &plan), TD_PLAN_MADE);
    const uint64_t bytes = plan.table_bytes;
    td_dim3 block = {0, 0, 0};
    for (uint32_t row = 0; row < domain.tiles; row++) {
        for (uint32_t col = 0; col <= row; col++, block.x++) {
            const td_tile tile = s->block_map(&plan.launches[0], block);
            wrong += tile.x != col || tile.y != row;
        }
    }
    td_plan_free(&plan);
    assert_int_equal(wrong, 0);
    assert_int_equal(bytes, 4 * td_triangle(domain.tiles));
}

/* ---- an engine whose kernels cannot read host memory ---- */

static const void *copied, *released;
static bool is_full;

static td_status noted_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    if (is_full) {
        return td_fail(error, TD_NO_MEMORY, "no room for %llu bytes", (unsigned long long)bytes);
    }
    return td_cpu_ops.allocate(engine, bytes, memory, error);
}

static td_status noted_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                              td_error *error)
{
    copied = to;
    return td_cpu_ops.upload(engine, to, from, bytes, error);
}

static void noted_release(td_engine *engine, void *memory)
{
    released = memory;
    td_cpu_ops.release(engine, memory);
}

static td_engine_ops device_ops(void)
{
    td_engine_ops ops = td_cpu_ops;
    ops.can.device_memory = true;
    ops.allocate = noted_allocate;
    ops.upload = noted_upload;
    ops.release = noted_release;
    return ops;
}

static td_plan plan_of_ten(const char *strategy)
{
    const td_domain domain = domain_of_tiles(10);
    td_plan plan = {0};
    assert_int_equal(td_plan_make(td_strategy_find(strategy), &domain, false, &plan), TD_PLAN_MADE);
    copied = released = NULL;
    return plan;
}

static void launches_read_a_copy_in_the_memory_of_a_device(void **state)
{
    const td_engine_ops ops = device_ops();
    td_engine device = {.ops = &ops};
    td_error error = {""};
    td_plan plan = plan_of_ten("ltm-t");
    (void)state;
    assert_int_equal(td_plan_copy_table(&device, &plan, &error), TD_OK);
    const void *const read = td_launch_table(&plan.launches[0]);
    const bool is_other = read == copied && read != plan.table;
    const bool is_same = memcmp(copied, plan.table, plan.table_bytes) == 0;
    td_plan_release(&device, &plan);
    assert_true(is_other && is_same);
    assert_ptr_equal(released, copied);
}

static void where_there_is_no_room_for_it_a_run_fails(void **state)
{
    const td_engine_ops ops = device_ops();
    td_engine device = {.ops = &ops};
    td_error error = {""};
    td_plan plan = plan_of_ten("ltm-t");
    (void)state;
    is_full = true;
    const td_status status = td_plan_copy_table(&device, &plan, &error);
    is_full = false;
    td_plan_release(&device, &plan);
    assert_int_equal(status, TD_NO_MEMORY);
    assert_string_equal(error.text, "no room for 220 bytes");
    assert_null(released);
}

static void nothing_is_copied_where_the_kernels_read_it_or_the_map_computes(void **state)
{
    const td_engine_ops ops = device_ops();
    td_engine host = {.ops = &td_cpu_ops}, device = {.ops = &ops};
    td_error error = {""};
    td_plan table = plan_of_ten("ltm-t");
    (void)state;
    assert_int_equal(td_plan_copy_table(&host, &table, &error), TD_OK);
    const bool is_its_own = td_launch_table(&table.launches[0]) == table.table;
    td_plan_release(&host, &table);
    td_plan computed = plan_of_ten("ltm-i");
    assert_int_equal(td_plan_copy_table(&device, &computed, &error), TD_OK);
    td_plan_release(&device, &computed);
    assert_true(is_its_own);
    assert_null(copied);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_exact_up_to_its_range),
        cmocka_unit_test(launches_read_a_copy_in_the_memory_of_a_device),
        cmocka_unit_test(where_there_is_no_room_for_it_a_run_fails),
        cmocka_unit_test(nothing_is_copied_where_the_kernels_read_it_or_the_map_computes),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
