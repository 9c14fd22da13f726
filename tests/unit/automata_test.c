/*
 * automata_test.c - the cellular automata against references that share nothing with them: tiles as sets
 * of vertices,
 * patterns whose fate is known, digits of rules.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/dump/automaton_state.h"
#include "engine/dump/snapshots.h"
#include "engine/plan/execution.h"
#include "engine/plan/planning.h"
#include "engine/sweep/sweep.h"
#include "engine/verify/verification.h"
#include "variants.h"
#include "workloads/workloads.h"

/* ---- the rule ---- */

static void rule_is_what_its_digits_say(void **state)
{
    size_t wrong = 0;
    (void)state;
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

/* ---- gol: tiles as sets of lattice points V(r, c), 0 <= c <= r <= N ---- */

typedef struct tile {
    uint32_t vertex[3];
} tile;

static uint32_t vertex(uint32_t r, uint32_t c)
{
    return r * (r + 1) / 2 + c;
}

/* which: 0 up, 1 down. */
static tile tile_of(uint32_t i, uint32_t j, int which)
{
    const tile up = {{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)}};
    const tile down = {{vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1)}};
    return which == 0 ? up : down;
}

static bool share_a_vertex(tile a, tile b)
{
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++) {
            if (a.vertex[x] == b.vertex[y]) {
                return true;
            }
        }
    }
    return false;
}

static bool exists(uint32_t i, uint32_t j, int which)
{
    return j + (uint32_t)which <= i;
}

/* Live tiles, of all there are, that share a vertex with this one. */
static uint32_t live_neighbours(uint32_t n, const uint8_t *cells, uint32_t i, uint32_t j, int which)
{
    uint32_t count = 0;
    for (uint32_t r = i > 2 ? i - 2 : 0; r < n && r <= i + 2; r++) {
        for (uint32_t c = 0; c <= r; c++) {
            for (int k = 0; k < 2; k++) {
                const bool itself = r == i && c == j && k == which;
                count += exists(r, c, k) && !itself &&
                         share_a_vertex(tile_of(i, j, which), tile_of(r, c, k)) &&
                         (cells[td_triangle(r) + c] >> k & 1) != 0;
            }
        }
    }
    return count;
}

static void advance_by_vertices(uint32_t n, uint32_t rule, const uint8_t *from, uint8_t *to)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            uint8_t next = 0;
            for (int which = 0; which < 2; which++) {
                const uint32_t live = live_neighbours(n, from, i, j, which);
                const bool alive = (from[td_triangle(i) + j] >> which & 1) != 0;
                const uint32_t low = alive ? rule / 1000 : rule / 10 % 10;
                const uint32_t high = alive ? rule / 100 % 10 : rule % 10;
                if (exists(i, j, which) && live >= low && live <= high) {
                    next |= (uint8_t)(1 << which);
                }
            }
            to[td_triangle(i) + j] = next;
        }
    }
}

/* Conditional, in bytes. */
static td_problem gol_problem(uint32_t n, uint32_t rule)
{
    td_problem problem = {.n = n};
    char digits[8];
    snprintf(digits, sizeof digits, "%04u", rule);
    td_parameters_preset(&td_gol_workload, problem.parameters);
    set_parameter(&td_gol_workload, &problem, "memory", "conditional");
    set_parameter(&td_gol_workload, &problem, "cell", "u8");
    set_parameter(&td_gol_workload, &problem, "rule", digits);
    return problem;
}

static void advance_with(td_cell_fn *cell, uint32_t n, uint32_t rule, const uint8_t *from,
                         uint8_t *to)
{
    td_problem problem = gol_problem(n, rule);
    td_data data = td_empty_data();
    td_gol_workload.setup(&problem, &data);
    data.input = from;
    data.output = to;
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            cell(&data, row, col);
        }
    }
}

enum { GOL_MOST = 17, GOL_CELLS = GOL_MOST * (GOL_MOST + 1) / 2 };

static void gol_agrees_with_shared_vertices(void **state)
{
    static const uint32_t rules[] = {4644, 2333, 3502, 3956};
    static const char *const densities[] = {"0", "0.15", "0.3", "0.45", "0.6", "0.75"};
    uint8_t from[GOL_CELLS], wanted[GOL_CELLS], by_cell[GOL_CELLS], by_reference[GOL_CELLS];
    size_t wrong = 0;
    (void)state;
    for (uint32_t n = 1; n <= GOL_MOST; n++) {
        for (uint32_t k = 0; k < 12; k++) {
            const uint32_t rule = rules[k % 4];
            td_problem problem = gol_problem(n, rule);
            problem.seed = k;
            set_parameter(&td_gol_workload, &problem, "density", densities[k % 6]);
            td_gol_workload.start(&problem, from);
            advance_by_vertices(n, rule, from, wanted);
            advance_with(td_gol_conditional_u8_cell, n, rule, from, by_cell);
            advance_with(td_gol_reference, n, rule, from, by_reference);
            wrong += memcmp(by_cell, wanted, td_triangle(n)) != 0;
            wrong += memcmp(by_reference, wanted, td_triangle(n)) != 0;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Rows that are added up once for three cells, as the kernels for tiles do it: every neighbourhood that there is. */
static void gol_by_rows_is_gol_by_cells(void **state)
{
    td_data data = td_empty_data();
    size_t wrong = 0;
    (void)state;
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

/* Every set of tiles among a tile and its twelve neighbours, until one stays as it is. */
static void gol_4644_has_a_still_life(void **state)
{
    enum { N = 12, I = 6, J = 3 };
    uint8_t from[GOL_CELLS], to[GOL_CELLS];
    uint32_t place[16], bit[16];
    uint32_t count = 0, found = 0;
    (void)state;
    for (uint32_t r = I - 2; r <= I + 2; r++) {
        for (uint32_t c = 0; c <= r; c++) {
            for (int k = 0; k < 2; k++) {
                if (exists(r, c, k) && share_a_vertex(tile_of(I, J, 0), tile_of(r, c, k))) {
                    place[count] = (uint32_t)td_triangle(r) + c;
                    bit[count++] = (uint32_t)k;
                }
            }
        }
    }
    assert_int_equal(count, 13); /* itself and twelve */
    for (uint32_t set = 1; set < 1u << 13 && found == 0; set++) {
        memset(from, 0, sizeof from);
        for (uint32_t k = 0; k < 13; k++) {
            from[place[k]] |= (uint8_t)((set >> k & 1u) << bit[k]);
        }
        advance_by_vertices(N, 4644, from, to);
        found = memcmp(from, to, td_triangle(N)) == 0 ? set : 0;
    }
    assert_true(found != 0);
    advance_with(td_gol_conditional_u8_cell, N, 4644, from, to);
    assert_memory_equal(from, to, td_triangle(N));
}

/* ---- life: patterns whose fate is known, through every variant ---- */

/* The state after `steps` generations from `start`; the caller frees it. NULL: the engine failed. */
static uint8_t *run_variant(const td_workload *workload, td_problem problem, const char *strategy)
{
    const td_engine_config config = {.threads = 2};
    td_error error = {""};
    td_engine *engine = NULL;
    td_buffers buffers = {0};
    td_plan plan = {0};
    td_result result = {0};
    td_run run = {
        .strategy = td_strategy_find(strategy), .workload = workload, .engine = &td_cpu_ops};
    run.problem = problem;
    run.block = (td_dim3){32, 32, 1};
    run.tile = 32;
    run.tiled = workload->only_tiles != NULL;
    uint8_t *state = malloc(td_workload_saved_bytes(workload, &problem));
    td_status status = td_cpu_ops.open(&config, &engine, &error);
    status = status == TD_OK ? td_run_plan(&run, false, &plan, &error) : status;
    status =
        status == TD_OK ? td_buffers_open(engine, workload, &problem, &buffers, &error) : status;
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, &run, &plan);
        status = td_verify(&buffers, &execution, &result, &error);
    }
    if (status == TD_OK) {
        status = td_state_download(&buffers, td_buffers_result(&buffers), state, &error);
    }
    if (status != TD_OK || result.verified != TD_VERIFIED_PASS) {
        print_message("%s %u N=%u: %s%s\n", workload->name, workload->id, problem.n, error.text,
                      result.reason);
        free(state);
        state = NULL;
    }
    td_buffers_close(&buffers);
    td_plan_free(&plan);
    td_cpu_ops.close(engine);
    return state;
}

/* Live cells as text, "row,col row,col", in a triangle of N = 40; steps later they must be the second text. */
static bool becomes(const variant *v, const char *before, const char *steps, const char *after)
{
    enum { N = 40 };
    uint8_t start[N * (N + 1) / 2] = {0}, wanted[N * (N + 1) / 2] = {0};
    const char *texts[2] = {before, after};
    uint8_t *const states[2] = {start, wanted};
    for (int k = 0; k < 2; k++) {
        unsigned row, col;
        int length;
        for (const char *at = texts[k]; sscanf(at, "%u,%u %n", &row, &col, &length) == 2;
             at += length) {
            states[k][td_triangle(row) + col] = 1;
        }
    }
    td_problem problem = v->problem;
    problem.n = N;
    problem.state = start;
    set_parameter(v->workload, &problem, "steps", steps);
    uint8_t *found = run_variant(v->workload, problem, "ltm-i");
    const bool same = found != NULL && memcmp(found, wanted, sizeof wanted) == 0;
    free(found);
    return same;
}

static void life_patterns_behave_in_every_variant(void **state)
{
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    size_t wrong = 0, variants = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const variant *life = &all[i];
        if (strcmp(life->workload->name, "life") != 0) {
            continue;
        }
        variants++;
        wrong += !becomes(life, "30,9 30,10 30,11 ", "1", "29,10 30,10 31,10 "); /* a blinker */
        wrong += !becomes(life, "30,9 30,10 30,11 ", "6", "30,9 30,10 30,11 ");
        wrong += !becomes(life, "20,6 21,7 22,5 22,6 22,7 ", "4",
                          "21,7 22,8 23,6 23,7 23,8 "); /* a glider */
        wrong +=
            !becomes(life, "20,6 21,7 22,5 22,6 22,7 ", "36", "29,15 30,16 31,14 31,15 31,16 ");
        wrong += !becomes(life, "38,0 38,1 39,0 39,1 ", "5",
                          "38,0 38,1 39,0 39,1 "); /* a block in the corner */
        /* Three at the tip would make a block, but its fourth cell is outside: each keeps two neighbours. */
        wrong += !becomes(life, "38,38 39,38 39,39 ", "5", "38,38 39,38 39,39 ");
    }
    assert_int_equal(variants, 20);
    assert_int_equal(wrong, 0);
}

static void gol_agrees_with_shared_vertices_in_every_variant(void **state)
{
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    uint8_t from[GOL_CELLS], once[GOL_CELLS], wanted[GOL_CELLS];
    size_t wrong = 0, variants = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        variants += strcmp(all[i].workload->name, "gol") == 0;
        for (uint32_t k = 0; strcmp(all[i].workload->name, "gol") == 0 && k < 8; k++) {
            td_problem problem = all[i].problem;
            problem.n = k == 0 ? 1 : GOL_MOST - k;
            problem.seed = k;
            set_parameter(all[i].workload, &problem, "steps", "2");
            set_parameter(all[i].workload, &problem, "rule", k % 2 == 0 ? "4644" : "3502");
            all[i].workload->start(&problem, from);
            advance_by_vertices(problem.n, k % 2 == 0 ? 4644 : 3502, from, once);
            advance_by_vertices(problem.n, k % 2 == 0 ? 4644 : 3502, once, wanted);
            uint8_t *found = run_variant(all[i].workload, problem, "ltm-i");
            wrong += found == NULL || memcmp(found, wanted, td_triangle(problem.n)) != 0;
            free(found);
        }
    }
    assert_int_equal(variants, 11);
    assert_int_equal(wrong, 0);
}

static void every_variant_agrees_with_the_reference(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 31, 32, 33, 97};
    static const char *const steps[] = {"0", "1", "2", "5"};
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const td_workload *workload = all[i].workload;
        for (size_t k = 0; k < 7 * 4 * 2 && workload->generations > 0; k++) {
            const bool square = k % 2 != 0 && workload->is_square != NULL;
            td_problem problem = all[i].problem;
            problem.n = sizes[k / 8];
            problem.seed = k;
            set_parameter(workload, &problem, "steps", steps[k / 2 % 4]);
            set_parameter(workload, &problem, "density", "0.35");
            set_parameter(workload, &problem, "domain", square ? "square" : "triangle");
            uint8_t *found = run_variant(workload, problem, square ? "bb" : "rb-b");
            wrong += found == NULL;
            free(found);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Mismatches of what the first output holds, after one step. */
static uint64_t mismatches_of(td_buffers *b)
{
    td_check_counts counts = {0};
    td_error error;
    td_data data = b->data;
    data.output = b->output[0].output;
    data.expected = b->reference[1];
    b->engine->ops->check(b->engine, b->workload, &data, &counts, &error);
    return counts.mismatches;
}

/* What the verification is for: a cell that is not written, one too many, a step too few. */
static void verification_sees_a_wrong_cell(void **state)
{
    const td_engine_config config = {.threads = 1};
    td_error error;
    td_engine *engine;
    size_t blind = 0;
    (void)state;
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    for (size_t i = 0; i < count; i++) {
        td_run run = {.strategy = td_strategy_find("ltm-i"),
                      .workload = all[i].workload,
                      .engine = &td_cpu_ops,
                      .problem = all[i].problem,
                      .tile = 32};
        td_buffers b;
        td_plan plan = {0};
        td_result result = {0};
        run.block = (td_dim3){32, 32, 1};
        run.tiled = run.workload->only_tiles != NULL;
        run.problem.n = 40;
        set_parameter(run.workload, &run.problem, "steps", "1");
        set_parameter(run.workload, &run.problem, "density", "0.4");
        if (run.workload->generations == 0 ||
            td_buffers_open(engine, run.workload, &run.problem, &b, &error) != TD_OK) {
            continue;
        }
        td_run_plan(&run, false, &plan, &error);
        const td_execution execution = td_execution_of(&b, &run, &plan);
        td_verify(&b, &execution, &result, &error);
        blind += mismatches_of(&b) != 0;
        ((uint8_t *)b.output[0].output)[b.output[0].bytes / 2] ^= 1;
        const bool padding = run.workload->tile_multiple > 0; /* rows on lines, for some */
        blind += mismatches_of(&b) == 0 && !padding;
        td_buffers_poison(&b, &error);
        blind += mismatches_of(&b) != 820; /* every cell is poisoned */
        td_plan_free(&plan);
        td_buffers_close(&b);
    }
    td_cpu_ops.close(engine);
    assert_int_equal(blind, 0);
}

/* ---- storage ---- */

static size_t overlaps(td_row_fn *row_of, const td_data *data, uint32_t unit, uint32_t line,
                       uint32_t ring)
{
    size_t wrong = 0;
    for (uint32_t row = 0U - ring; row != data->n + ring - 1; row++) { /* from -ring on */
        const uint64_t start = row_of(data, row) * unit, next = row_of(data, row + 1) * unit;
        /* the columns before the next row follow */
        const uint64_t stored = td_is_square(data) ? data->n + ring : row + 1 + 2 * ring;
        wrong += next < start + stored + ring || start < ring || start % line != 0;
    }
    return wrong;
}

static td_data stored_as(const td_workload *workload, uint32_t n, bool square, const char *memory,
                         const char *cell)
{
    td_problem problem = {.n = n};
    td_data data = td_empty_data();
    td_parameters_preset(workload, problem.parameters);
    set_parameter(workload, &problem, "domain", square ? "square" : "triangle");
    set_parameter(workload, &problem, "memory", memory);
    set_parameter(workload, &problem, "cell", cell);
    workload->setup(&problem, &data);
    return data;
}

static void stored_rows_do_not_overlap(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (uint32_t k = 0; k < 2 * 1500; k++) {
        const uint32_t n = k / 2 + 1;
        const bool square = k % 2 != 0;
        const td_workload *life = &td_life_workload;
        const td_data halo = stored_as(life, n, square, "halo", "u8"),
                      u32 = stored_as(life, n, square, "strip", "u32"),
                      u8 = stored_as(life, n, square, "strip", "u8"),
                      bit = stored_as(life, n, square, "strip", "bit"),
                      planes = stored_as(&td_gol_workload, n, false, "strip", "bit");
        wrong += overlaps(td_near_row, &halo, 1, 1, 1) != 0;
        wrong += overlaps(td_u32_row, &u32, 1, TD_LINE_U32, 1) != 0;
        wrong += overlaps(td_u8_row, &u8, 1, TD_LINE_U8, 1) != 0;
        wrong += overlaps(td_one_plane_row, &bit, 32, TD_LINE_BITS, 1) != 0;
        wrong += overlaps(td_two_planes_row, &planes, 16, TD_LINE_BITS / 2, 1) != 0;
    }
    assert_int_equal(wrong, 0);
}

/* ---- first states ---- */

static void density_0_is_nobody_and_1_everybody(void **state)
{
    uint8_t cells[GOL_CELLS];
    const td_workload *gol = &td_gol_workload, *life = &td_life_workload;
    td_problem problem = {.n = GOL_MOST, .seed = 3}, other = problem;
    set_parameter(gol, &problem, "density", "0");
    set_parameter(life, &other, "density", "1");
    uint32_t sum = 0;
    (void)state;
    gol->start(&problem, cells);
    for (size_t i = 0; i < GOL_CELLS; i++) {
        sum += cells[i];
    }
    assert_int_equal(sum, 0);
    set_parameter(gol, &problem, "density", "1");
    gol->start(&problem, cells);
    for (uint32_t row = 0; row < GOL_MOST; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            sum += cells[td_triangle(row) + col] != (col < row ? 3 : 1);
        }
    }
    life->start(&other, cells);
    for (size_t i = 0; i < GOL_CELLS; i++) {
        sum += cells[i] != 1;
    }
    assert_int_equal(sum, 0);
}

static void patterns_lie_inside_or_are_rejected(void **state)
{
    uint8_t cells[6] = {1, 1, 1, 1, 1, 1};
    const td_pattern pattern = {.width = 3, .height = 2, .cells = cells};
    td_error error = {""};
    uint8_t *placed = NULL;
    size_t wrong = 0;
    (void)state;
    assert_int_equal(td_state_place(&pattern, false, 3, &placed, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "--n 4"));
    for (uint32_t n = 4; n <= 30; n++) {
        uint32_t live = 0;
        assert_int_equal(td_state_place(&pattern, false, n, &placed, &error), TD_OK);
        for (uint64_t i = 0; i < td_triangle(n); i++) {
            live += placed[i];
        }
        wrong += live != 6;
        free(placed);
    }
    assert_int_equal(td_state_place(&pattern, true, 3, &placed, &error), TD_OK);
    free(placed);
    assert_int_equal(td_state_place(&pattern, true, 2, &placed, &error), TD_USAGE);
    assert_int_equal(wrong, 0);
}

static void states_that_mean_nothing_are_rejected(void **state)
{
    const uint8_t good[3] = {1, 3, 0}, down_on_the_diagonal[3] = {2, 0, 0}, four[3] = {0, 4, 0};
    const td_workload *gol = td_workload_find("gol", 2), *life = td_workload_find("life", 2);
    td_error error = {""};
    (void)state;
    assert_int_equal(td_state_check(gol, 2, good, &error), TD_OK);
    assert_int_equal(td_state_check(gol, 2, down_on_the_diagonal, &error), TD_USAGE);
    assert_int_equal(td_state_check(gol, 2, four, &error), TD_USAGE);
    assert_non_null(strstr(error.text, "the byte 4 in cell (1, 0)"));
    assert_int_equal(td_state_check(life, 2, good, &error), TD_USAGE);
}

/* ---- collision ---- */

/* Coordinates are multiples of 2^-10, so integers decide exactly. */
static void collision_is_what_integers_say(void **state)
{
    enum { N = 600 };
    static td_sphere spheres[N];
    const td_problem problem = {.n = N, .seed = 5};
    td_data data = td_empty_data();
    static uint8_t output[N * (N - 1) / 2];
    size_t wrong = 0, pairs = 0;
    (void)state;
    td_collision_setup(&problem, &data);
    td_collision_fill(&problem, spheres);
    data.input = spheres;
    data.output = output;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            td_collision_cell(&data, i, j);
        }
    }
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const int64_t x = (int64_t)(1024 * spheres[i].x) - (int64_t)(1024 * spheres[j].x);
            const int64_t y = (int64_t)(1024 * spheres[i].y) - (int64_t)(1024 * spheres[j].y);
            const int64_t z = (int64_t)(1024 * spheres[i].z) - (int64_t)(1024 * spheres[j].z);
            const int64_t r = (int64_t)(1024 * spheres[i].r) + (int64_t)(1024 * spheres[j].r);
            const bool touch = x * x + y * y + z * z <= r * r;
            wrong += output[i * (i - 1) / 2 + j] != touch;
            pairs += touch;
        }
    }
    assert_int_equal(wrong, 0);
    /* about 8 for each sphere, less what the walls take */
    assert_in_range(2 * pairs / N, 4, 9);
}

/* Two that just touch, and two that are one rounding apart. */
/* r = (6 / (pi (n - 1)))^(1/3) / 2, by hand. */
static void radius_leaves_a_sphere_about_eight_others(void **state)
{
    (void)state;
    assert_true(td_collision_radius(1) == 512.0f / 1024.0f); /* as many as there are */
    assert_true(td_collision_radius(9) == 318.0f / 1024.0f);
    assert_true(td_collision_radius(1048576) == 6.0f / 1024.0f);
}

static void spheres_that_just_touch_do(void **state)
{
    const td_sphere a = {0.0f, 0.0f, 0.0f, 0.25f}, b = {0.5f, 0.0f, 0.0f, 0.25f};
    const td_sphere c = {0.50000006f, 0.0f, 0.0f, 0.25f};
    (void)state;
    assert_true(td_spheres_touch(&a, &b));
    assert_false(td_spheres_touch(&a, &c));
}

/* ---- snapshots ---- */

static void whatever_has_steps_is_drawn(void **state)
{
    size_t wrong = 0, drawn = 0;
    (void)state;
    for (size_t w = 0; w < td_workload_count; w++) {
        const bool has_steps = td_workload_parameter(td_workloads[w], "steps") != NULL;
        wrong += has_steps != (td_workloads[w]->colour != NULL);
        drawn += has_steps;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(drawn, 4);
}

/* ---- the command line ---- */

static void rejections_say_why_and_what_to_take(void **state)
{
    static const struct {
        const char *line, *reason;
    } cases[] = {
        {"-w life --memory shared -s utm",
         "maps threads, whose cells make no tile: use --memory halo"},
        {"-w life --memory strip -s dp", "cell by cell: use --memory halo"},
        {"-w life --cell bit -s rb", "use --cell u8 --memory halo"},
        {"-w life --cell bit --memory halo -s bb", "--cell bit goes with --memory strip"},
        {"-w life --memory shared -s bb --block 32 --tile 128",
         "needs a multiple of 1, at most 64"},
        {"-w life --cell bit -s bb --block 16 --tile 48", "needs a multiple of 32"},
        {"-w life --domain square -s rec --baseline none", "only bb covers the whole square"},
        {"-w edm1 --domain square -s bb", "edm1 works on triangles only"},
        {"-w write --kernel tile -s bb", "no tile kernel of its own"},
        {"-w life --memory shared --kernel cell -s bb", "use --memory halo"},
        {"-w collision --kernel tile -s utm", "use --kernel cell"},
        {"-w life --memory halo --domain square -s bb --schedule persistent", "grid of its own"},
        {"-w edm4 --kernel tile -s bb --block 8", "needs a multiple of 256 threads, at most 1024"},
        {"-w edm4 --kernel tile -s bb --tile 64", "needs a multiple of 128, at most 128"},
        {"-w triplet --kernel tile -s dp-tetra", "use --kernel cell"},
        {"-w triplet --kernel tile -s bb-tetra --tile 64", "needs a multiple of 32, at most 32"},
        {"-w triplet --kernel tile -s bb-tetra --block 4",
         "needs a multiple of 128 threads, at most 512, got 64"},
        {"-w write --kernel tile -s bb-tetra --tile 64", "needs a multiple of 4, at most 32"},
        {"-w edm1 --kernel loop -s bb", "give a larger --tile"},
        {"-w edm1 --kernel cell -s bb --tile 64", "use --kernel loop"},
        {"-w edm1 --frames x -s bb", "no states to draw"},
        {"-w dog --frames x -s bb", "dog does not advance in steps and has no states to draw"},
        {"-w extrema --frames x -s bb", "no states to draw"},
        {"-w gol --domain square --frames x -s bb", "gol works on triangles only"},
        {"-w life --memory alined", "did you mean 'aligned'"},
        {"-w gol --steps 1000001", "--steps: expected a whole number in 0..1000000"},
    };
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        char *argv[32];
        int argc = 0;
        td_options options;
        td_sweep sweep = {0};
        td_error error = {""};
        snprintf(text, sizeof text, "tribench %s", cases[i].line);
        for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
            argv[argc++] = word;
        }
        argv[argc] = NULL;
        td_status status = td_options_parse(argc, argv, &options, &error);
        if (status == TD_OK) {
            status = td_sweep_make(&options, &td_cpu_ops, &sweep, &error);
            td_sweep_free(&sweep);
            td_options_free(&options);
        }
        if (status != TD_USAGE || strstr(error.text, cases[i].reason) == NULL) {
            print_message("'%s': %d '%s'\n", cases[i].line, status, error.text);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_is_what_its_digits_say),
        cmocka_unit_test(gol_agrees_with_shared_vertices),
        cmocka_unit_test(gol_by_rows_is_gol_by_cells),
        cmocka_unit_test(gol_agrees_with_shared_vertices_in_every_variant),
        cmocka_unit_test(gol_4644_has_a_still_life),
        cmocka_unit_test(life_patterns_behave_in_every_variant),
        cmocka_unit_test(every_variant_agrees_with_the_reference),
        cmocka_unit_test(verification_sees_a_wrong_cell),
        cmocka_unit_test(stored_rows_do_not_overlap),
        cmocka_unit_test(density_0_is_nobody_and_1_everybody),
        cmocka_unit_test(patterns_lie_inside_or_are_rejected),
        cmocka_unit_test(states_that_mean_nothing_are_rejected),
        cmocka_unit_test(collision_is_what_integers_say),
        cmocka_unit_test(radius_leaves_a_sphere_about_eight_others),
        cmocka_unit_test(spheres_that_just_touch_do),
        cmocka_unit_test(whatever_has_steps_is_drawn),
        cmocka_unit_test(rejections_say_why_and_what_to_take),
    };
    return cmocka_run_group_tests_name("automata", tests, NULL, NULL);
}
