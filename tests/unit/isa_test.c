/* isa_test.c - the cpu engine's functions give the same bits with and without this processor's instruction set. */
#include "test.h"

/* The same functions again, for the instruction set that all processors have. */
#define TD_NO_CLONES
#define td_cpu_cells_of plain_cells_of
#define td_cpu_isa plain_isa
#include "engine/cpu/kernels/kernels.c"
#undef td_cpu_cells_of
#undef td_cpu_isa
const char *td_cpu_isa(void);

#include <string.h>

#include "engine/cpu/cpu.h"
#include "trial.h"
#include "variants.h"

enum { MOST_ROWS = 400, COLUMNS = 4 };

td_cpu_cells_fn *__real_td_cpu_cells_of(const td_workload *workload);
td_cpu_cells_fn *__wrap_td_cpu_cells_of(const td_workload *workload);

/* Which functions the engine uses. */
static bool is_plain;

td_cpu_cells_fn *__wrap_td_cpu_cells_of(const td_workload *workload)
{
    return is_plain ? plain_cells_of(workload) : __real_td_cpu_cells_of(workload);
}

/* Points whose sums of squares need rounding, so that a fused multiply-add would show; NULL: the workload takes no
 * table, or rejects this one. */
static const float *rounded_points(const td_workload *workload, uint32_t rows)
{
    static float points[MOST_ROWS * COLUMNS];
    const td_workload_input *input = workload->input;
    const td_problem problem = {0};
    td_unfit unfit;
    for (size_t i = 0; i < MOST_ROWS * COLUMNS; i++) {
        points[i] = (float)(i + 1) * 1.6180339f - (float)(i * i % 97) / 7.0f;
    }
    const bool takes = input != NULL && input->columns > 0 && input->columns <= COLUMNS &&
                       workload->dimension == 2;
    return takes && (input->unfit == NULL ||
                     !input->unfit(&problem, points, rows, input->columns, &unfit))
               ? points
               : NULL;
}

static void compare_with_plain(const td_run *run, const char *name)
{
    trial plain, other;
    is_plain = true;
    open_trial_of(run, &plain);
    is_plain = false;
    open_trial_of(run, &other);
    const uint64_t bytes = plain.buffers.output[0].bytes;
    /* `dummy` has one element, which any cell may write last */
    const bool same = bytes == 4 || memcmp(td_buffers_result(&plain.buffers),
                                           td_buffers_result(&other.buffers), bytes) == 0;
    if (!same) {
        print_message("%s, %s, N = %u, tile %u, %s\n", name, run->strategy->name, run->problem.n,
                      run->tile, td_cpu_isa());
    }
    const bool plain_is_right = close_trial(&plain), other_is_right = close_trial(&other);
    assert_true(plain_is_right && other_is_right && same);
}

/* Blocks of 16x16, or of 8x4x2 for a workload in 3D. */
static td_run run_of(const variant *v, const td_strategy *strategy, uint32_t n, uint32_t tile)
{
    td_run run = {.strategy = strategy, .workload = v->workload, .engine = &td_cpu_ops};
    const bool flat = strategy->dimension == 2;
    run.problem = v->problem;
    run.problem.n = flat || n < 40 ? n : 40;
    run.problem.seed = 7;
    run.problem.numbers = rounded_points(v->workload, run.problem.n);
    run.block = flat ? (td_dim3){16, 16, 1} : (td_dim3){8, 4, 2};
    run.tile = strategy->unit == TD_MAPS_THREADS ? 16
               : flat                            ? tile
                                                 : td_strategy_tile(strategy, run.block);
    run.problem.tile = run.tile;
    run.cutoff = strategy->uses_cutoff ? 32 : 0;
    run.tiled = td_workload_only_tiles(v->workload) != NULL;
    return run;
}

/* Trees, and maps of one thread per cell, need a workload with a cell function. */
static bool goes_with(const variant *v, const td_strategy *strategy)
{
    const bool plain = strategy->unit == TD_MAPS_BLOCKS && strategy->tree == NULL;
    return v->workload->dimension == strategy->dimension &&
           v->workload->traits.by_rows <= strategy->by_rows &&
           (plain || strategy->dimension == 3 || td_workload_only_tiles(v->workload) == NULL);
}

static bool has_layout(const td_workload *workload, const td_strategy *strategy, td_layout layout)
{
    const bool tiles = strategy->unit == TD_MAPS_BLOCKS && strategy->tree == NULL &&
                       !strategy->whole_rows && !strategy->by_rows;
    return td_workload_has_layout(workload, layout) && (tiles || layout != TD_BLOCKED);
}

/* Every variant under every map; in wide tiles, of many bands and groups with a short last band, only cells that these
 * could harm, under one map. */
static void compare_all(uint32_t n, uint32_t tile, td_layout layout)
{
    variant list[MOST_VARIANTS];
    const size_t count = all_variants(list);
    for (size_t v = 0; v < count; v++) {
        for (size_t s = 0; s < td_strategy_count; s++) {
            const bool chosen = tile < 256 || (list[v].workload->traits.own_element &&
                                               strncmp(td_strategies[s]->name, "bb", 2) == 0);
            const bool laid_out = has_layout(list[v].workload, td_strategies[s], layout);
            if (chosen && goes_with(&list[v], td_strategies[s]) && laid_out) {
                td_run run = run_of(&list[v], td_strategies[s], n, tile);
                run.problem.layout = layout;
                set_parameter(list[v].workload, &run.problem, "steps", "3");
                compare_with_plain(&run, list[v].name);
            }
        }
    }
}

TEST(both_sets_compute_the_same_bits)
{
    compare_all(1, 16, TD_PACKED);
    compare_all(17, 16, TD_FULL);
    compare_all(67, 32, TD_PACKED);
    compare_all(67, 32, TD_BLOCKED);
    compare_all(67, 32, TD_MIRRORED);
    compare_all(399, 256, TD_PACKED);
    compare_all(399, 256, TD_FULL);
    compare_all(399, 256, TD_BLOCKED);
}

TEST(whole_square_computes_the_same_bits)
{
    variant list[MOST_VARIANTS];
    const size_t count = all_variants(list);
    for (size_t v = 0; v < count; v++) {
        if (is_flat_automaton(list[v].workload)) {
            td_run run = run_of(&list[v], td_strategy_of_square(), 75, 32);
            set_parameter(list[v].workload, &run.problem, "domain", "square");
            set_parameter(list[v].workload, &run.problem, "steps", "3");
            compare_with_plain(&run, list[v].name);
        }
    }
}

/* Rounding up to the row below yields the tile to the left of the row's first. Its columns are outside of the domain,
 * in 32 bits, too. */
TEST(a_tile_outside_of_the_domain_has_no_cells)
{
    enum { N = 64, ELEMENTS = N * N };
    static const uint32_t sides[] = {4, 8, 16};
    static const td_tile outside[] = {{UINT32_MAX, 1, 0, true}, {UINT32_MAX, 3, 0, true},
                                      {3, 2, 0, true},          {UINT32_MAX, 0, 1, true},
                                      {0, N / 4, 0, true},      {1, UINT32_MAX, 0, true}};
    static float points[4 * N];
    static uint32_t output[ELEMENTS];
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_workload *workload = td_workloads[w];
        const td_data data = {.n = N, .row_offset = 4 * N, .input = points, .output = output};
        for (size_t k = 0; workload->traits.own_element && k < 2; k++) {
            is_plain = k == 0;
            const td_cpu_work work = {.strategy = td_strategy_of_square(),
                                      .cells = __wrap_td_cpu_cells_of(workload)};
            for (size_t t = 0; t < 18; t++) {
                const uint32_t side = sides[t % 3];
                const td_launch launch = {.n = N / side, .tile = side, .width = side, .rows = side};
                const td_box box = td_cpu_box_of(&launch, &data, &work, outside[t / 3]);
                work.cells(&data, &box, points, output);
            }
        }
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        assert_int_equal(output[i], 0);
    }
}

TEST(the_set_is_named)
{
    print_message("compared: %s to %s\n", plain_isa(), td_cpu_isa());
    assert_true(strlen(td_cpu_isa()) > 0);
}
