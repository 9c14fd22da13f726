/* parts_test.c - what each part of a domain that is cut computes, keeps and exchanges, word for word. */
#include "test.h"

#include "command.h"
#include "engine/prepare/planning.h"
#include "shown.h"

static td_text shown;

static void add_halo(const char *of, const td_halo *halo)
{
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        if (rows->with >= 0) {
            td_text_print(&shown, "  %s: with %d, give %llu at %llu, take %llu at %llu\n", of,
                          rows->with, (unsigned long long)rows->give_bytes,
                          (unsigned long long)rows->give, (unsigned long long)rows->take_bytes,
                          (unsigned long long)rows->take);
        }
    }
}

static void add_part(const td_run *run)
{
    const td_share share = td_run_share(run);
    const td_problem problem = td_run_problem(run);
    const td_buffers none = {.workload = run->workload, .problem = problem};
    td_result result = {0};
    td_plan plan = {0};
    assert_int_equal(td_run_plan(run, false, &plan, NULL), TD_OK);
    td_run_counts(run, &plan, &result);
    const td_execution execution = td_execution_of(&none, run, &plan);
    td_text_print(&shown, "%u of %u: rows %u..%u, %llu blocks, %llu needed, %llu cells, %llu kept;",
                  run->part, run->parts, share.first_row, share.end_row,
                  (unsigned long long)result.blocks, (unsigned long long)result.blocks_needed,
                  (unsigned long long)plan.cells, (unsigned long long)result.working_set_bytes);
    for (size_t l = 0; l < plan.count; l++) {
        const td_launch *launch = &plan.launches[l];
        td_text_print(&shown, " %ux%u+%u+%u", launch->grid.x, launch->grid.y, launch->origin_x,
                      launch->origin_y);
    }
    td_text_print(&shown, "; the first %zu at the edges\n", plan.edges);
    if (execution.per_launch > 0) {
        add_halo("output", &execution.halo);
        add_halo("state", &execution.state_halo);
    }
    td_plan_free(&plan);
}

TEST(parts_are_as_shown)
{
    static const char *const lines[] = {
        "-s bb,ltm-i,rb-b,hmap,rec -w edm1 -n 300 -b 16 --baseline none",
        "-s bb -w edm2 -n 100 -b 8 --tile 16,24 --layout full",
        "-s ltm-i -w collision,dummy,cover -n 33 -b 16 --baseline none",
        "-s bb -w life,blur,water -n 200 -b 16 --memory halo,aligned --steps 5",
        "-s ltm-i -w life -n 300 --memory two-generation,strip --cell u8,bit --steps 5 --baseline "
        "none"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        command c;
        make_ok(lines[i], &c);
        for (size_t r = 0; r < c.sweep.run_count; r++) {
            td_run *run = &c.sweep.runs[r];
            run->partition = r % 2 == 0 ? TD_BY_CELLS : TD_BY_ROWS;
            run->parts = run->skip[0] != '\0' ? 0 : i == 2 ? 4 : 3;
            td_text_print(&shown, "%s\n", run->key);
            for (run->part = 0; run->part < run->parts; run->part++) {
                add_part(run);
            }
        }
        done(&c);
    }
    is_as_shown(&shown, "tests/data/shown/parts.txt");
}
