/* tables_test.c - maps with lookup tables: the content of the table, and its place for an engine's kernels. */
#include "test.h"

#include <string.h>

#include "domains.h"
#include "engine/core/error.h"
#include "engine/cpu/row.h"
#include "engine/prepare/planning.h"

TEST(table_is_exact_up_to_its_range)
{
    const td_strategy *s = td_strategy_find("ltm-t");
    const td_domain domain = domain_of_tiles(s->exact_n);
    td_plan plan = {0};
    uint64_t wrong = 0;
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
    return is_full
               ? td_fail(error, TD_NO_MEMORY, "no room for %llu bytes", (unsigned long long)bytes)
               : td_cpu_ops.allocate(engine, bytes, memory, error);
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

TEST(a_device_reads_a_copy_if_the_map_has_a_table_and_there_is_room)
{
    static const struct {
        const char *strategy;
        bool on_device, is_full;
        td_status status;
        bool is_copied;
    } cases[] = {{"ltm-t", true, false, TD_OK, true},
                 {"ltm-t", true, true, TD_NO_MEMORY, false},
                 {"ltm-t", false, false, TD_OK, false},
                 {"ltm-i", true, false, TD_OK, false}};
    const td_domain domain = domain_of_tiles(10);
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_engine_ops ops = td_cpu_ops;
        td_engine engine = {.ops = &ops};
        td_plan plan = {0};
        td_error error = {""};
        ops.can.device_memory = cases[i].on_device;
        ops.allocate = noted_allocate;
        ops.upload = noted_upload;
        ops.release = noted_release;
        assert_int_equal(td_plan_make(td_strategy_find(cases[i].strategy), &domain, false, &plan),
                         TD_PLAN_MADE);
        is_full = cases[i].is_full;
        copied = released = NULL;
        const td_status status = td_plan_copy_table(&engine, &plan, &error);
        const void *const read = td_launch_table(&plan.launches[0]);
        const bool reads_copy = read == copied && read != plan.table;
        const bool is_same = copied == NULL || memcmp(copied, plan.table, plan.table_bytes) == 0;
        td_plan_release(&engine, &plan);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(copied != NULL, cases[i].is_copied);
        assert_true(is_same && reads_copy == cases[i].is_copied);
        assert_ptr_equal(released, copied);
        assert_string_equal(error.text, cases[i].is_full ? "no room for 220 bytes" : "");
    }
}
