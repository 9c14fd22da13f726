/* spoiled.c - the check on the GPU sees the same errors as the check on the host, in rows of more than one block. */
#include <stdio.h>
#include <string.h>

#include "both_engines.h"
#include "tests/unit/files.h"

/* In 2D, rows of more columns than a block of the check looks at together. */
enum { N = 1100, N_3D = 40, BYTES = 40 };

/* Invert a bit of the first byte, of the last one and of others between them, the same ones on both engines. */
static td_status spoil(const td_buffers *b, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    uint8_t *output = (uint8_t *)(uintptr_t)td_buffers_result(b);
    uint64_t seed = 3;
    for (uint32_t i = 0; i < BYTES; i++) {
        const uint64_t last = b->output[0].bytes - 1;
        uint8_t *at = output + (i == 0 ? 0 : i == 1 ? last : (uint64_t)dice(&seed, (uint32_t)last));
        uint8_t byte = 0;
        TRY(ops->download(b->engine, &byte, at, 1, error));
        byte ^= 4;
        TRY(ops->upload(b->engine, at, &byte, 1, error));
    }
    return TD_OK;
}

/* Verify a run, spoil its output and check it again. */
static td_status count_errors(td_engine *engine, const td_run *run, td_check_counts *counts,
                              td_error *error)
{
    td_proven v;
    td_status status = td_verify_on(engine, run, &v);
    if (status == TD_OK) {
        status = spoil(&v.buffers, &v.error);
    }
    if (status == TD_OK) {
        td_data data = v.buffers.data;
        data.expected = v.buffers.last;
        data.output = (void *)(uintptr_t)td_buffers_result(&v.buffers);
        status = engine->ops->check(engine, run->workload, &data, counts, &v.error);
    }
    td_proven_close(&v);
    *error = v.error;
    return status;
}

static bool counts_agree(const td_run *run)
{
    td_check_counts gpu = {0}, host = {0};
    td_error error = {""};
    const bool ended = count_errors(td_gpu, run, &gpu, &error) == TD_OK &&
                       count_errors(td_host, run, &host, &error) == TD_OK;
    const bool same = ended && gpu.mismatches > 0 &&
                      (run->workload->traits.is_rounded /* that check looks at samples */
                           ? gpu.checked == host.checked && gpu.mismatches <= host.mismatches
                           : memcmp(&gpu, &host, sizeof gpu) == 0);
    if (!same) {
        print_message("%s/%u %s: %llu and %llu of %llu and %llu cells are wrong, %g and %g %s\n",
                      run->workload->name, td_workload_id(run->workload),
                      run->problem.layout == TD_FULL ? "full" : "packed",
                      (unsigned long long)gpu.mismatches, (unsigned long long)host.mismatches,
                      (unsigned long long)gpu.checked, (unsigned long long)host.checked,
                      gpu.max_abs_error, host.max_abs_error, error.text);
    }
    return same;
}

/* A run of a variant, with the first of these shapes that its kernel for tiles takes, if it has no other kernel. */
static td_run run_of(const variant *v)
{
    static const shape shapes[] = {{{16, 16, 1}, 16},
                                   {{32, 4, 1}, 64},
                                   {{32, 8, 1}, 128},
                                   {{32, 8, 1}, 256},
                                   {{32, 4, 1}, 960}};
    static const shape cube = {{8, 8, 8}, 8};
    const bool tiled = td_workload_only_tiles(v->workload) != NULL;
    size_t s = 0;
    if (v->workload->dimension == 3) {
        return td_make_variant_run(td_strategy_find("bb-tetra"), v, N_3D, cube);
    }
    while (tiled && s + 1 < COUNT(shapes) &&
           !td_workload_takes_tile(v->workload, shapes[s].tile, shapes[s].block)) {
        s++;
    }
    const char *map = v->workload->traits.by_rows ? "rows" : "bb";
    td_run run = td_make_variant_run(td_strategy_find(map), v, N, shapes[s]);
    run.tiled = tiled;
    return run;
}

/* The number of workloads with an error that only one of the checks sees. */
static size_t unseen(bool automata)
{
    size_t wrong = 0;
    for (size_t w = 0; w < td_variant_count; w++) {
        const td_workload *workload = td_variants[w].workload;
        const bool only_tiles = workload->dimension == 3 && td_workload_only_tiles(workload);
        if ((workload->automaton != NULL) == automata && !workload->traits.proven_by_count &&
            !only_tiles) {
            td_run run = run_of(&td_variants[w]);
            wrong += !counts_agree(&run);
            run.problem.layout = TD_FULL;
            wrong += workload->traits.has_layouts && !counts_agree(&run);
        }
    }
    return wrong;
}

TEST(check_of_cells_sees_what_the_host_sees)
{
    td_need_device();
    assert_int_equal(unseen(false), 0);
}

TEST(check_of_states_sees_what_the_host_sees)
{
    td_need_device();
    assert_int_equal(unseen(true), 0);
}
