/* products.c - what a kernel of products may do wrong is seen by the check of whole products, and nothing else is. */
#include <math.h>
#include <string.h>

#include "both_engines.h"
#include "workloads/gram.h"

enum { N = 700, K = 256, TILE = 128 };

/* A result on the host, what it is made of, and where it goes wrong: in the tile from cell (Y, X) on. */
enum { Y = 384, X = 128 };
typedef struct product {
    td_data data; /* with pointers to the host's copies */
    uint8_t *right;
} product;

static double cell_of(const product *p, uint32_t row, uint32_t col, uint32_t from, uint32_t to)
{
    double sum = 0.0;
    for (uint32_t k = from; k < to; k++) {
        sum += (double)td_half_number(td_gram_row(&p->data, row)[k], false) *
               (double)td_half_number(td_gram_row(&p->data, col)[k], false);
    }
    return sum;
}

static void put_at(const product *p, uint64_t at, double value)
{
    if (p->data.params[TD_GRAM_RESULT] != 0) {
        ((float *)p->data.output)[at] = (float)value;
    } else {
        ((uint16_t *)p->data.output)[at] = td_bf16((float)value);
    }
}

static void put(const product *p, uint32_t row, uint32_t col, double value)
{
    put_at(p, td_place_2d(&p->data, row, col), value);
    if (p->data.full == 2) {
        put_at(p, td_place_2d(&p->data, col, row), value);
    }
}

/* ---- faults: each changes the cell (row, col) of a tile ---- */

typedef void fault(const product *p, uint32_t row, uint32_t col);

static void is_missing(const product *p, uint32_t row, uint32_t col)
{
    const uint64_t bytes = p->data.params[TD_GRAM_RESULT] != 0 ? 4 : 2;
    memset((uint8_t *)p->data.output + td_place_2d(&p->data, row, col) * bytes, 0xff, bytes);
}
static void is_zero(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, 0.0);
}
static void is_added_twice(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, 2.0 * cell_of(p, row, col, 0, K));
}
static void leaves_a_step_out(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, row, col, 0, K) - cell_of(p, row, col, 64, 128));
}
static void leaves_the_last_eight_out(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, row, col, 0, K - 8));
}
static void takes_a_step_twice(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, row, col, 0, K) + cell_of(p, row, col, 0, 64));
}
static void begins_with_old_sums(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, row, col, 0, K) + cell_of(p, row - TILE, col, 0, K));
}
static void is_the_other_half(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, row, col ^ 64, 0, K));
}
static void is_transposed(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, Y + (col - X), X + (row - Y), 0, K));
}
static void is_a_row_further(const product *p, uint32_t row, uint32_t col)
{
    put(p, row, col, cell_of(p, row + 1, col, 0, K));
}
static void is_zero_in_one_half(const product *p, uint32_t row, uint32_t col)
{
    put_at(p, td_place_2d(&p->data, row, col), 0.0);
}
static void is_of_one_cell_alone(const product *p, uint32_t row, uint32_t col)
{
    if (row == Y + 5 && col == X + 77) {
        put(p, row, col, cell_of(p, row, col, 0, K) + 40.0);
    }
}
/* By three times what rounding may do: too little for the sums of a segment. */
static void is_a_little_off(const product *p, uint32_t row, uint32_t col)
{
    const double cell = cell_of(p, row, col, 0, K);
    const float *const lengths = td_gram_lengths(&p->data);
    const float error = td_gram_error(&p->data, (float)cell, lengths[row] * lengths[col]);
    put(p, row, col, cell + 3.0 * (double)error);
}
/* One cell, in the last row of a tile on the diagonal, in columns that are not near the diagonal. */
static void is_a_little_off_at_the_edge(const product *p, uint32_t row, uint32_t col)
{
    if (row == Y && col == X) {
        is_a_little_off(p, Y + TILE - 1, Y - TILE + 3);
    }
}
static fault *const faults[] = {
    is_missing,
    is_zero,
    is_added_twice,
    leaves_a_step_out,
    leaves_the_last_eight_out,
    takes_a_step_twice,
    begins_with_old_sums,
    is_the_other_half,
    is_transposed,
    is_a_row_further,
    is_zero_in_one_half,
    is_of_one_cell_alone,
    is_a_little_off,
    is_a_little_off_at_the_edge,
};

/* Check what is on the host, on the GPU. */
static bool is_refused(const td_proven *v, const product *p)
{
    td_check_counts counts = {0};
    td_error error = {""};
    assert_int_equal(td_gpu->ops->upload(td_gpu, v->buffers.data.output, p->data.output,
                                         v->buffers.output[0].bytes, &error),
                     TD_OK);
    assert_int_equal(td_gpu->ops->check(td_gpu, v->run.workload, &v->buffers.data, &counts, &error),
                     TD_OK);
    assert_true(counts.checked == td_triangle(N) && counts.touched_outside == 0);
    return counts.mismatches > 0;
}

static size_t unseen_faults(const td_proven *v, const product *p)
{
    const uint64_t bytes = v->buffers.output[0].bytes;
    size_t unseen = is_refused(v, p);
    for (size_t f = 0; f < COUNT(faults); f++) {
        for (uint32_t row = Y; row < Y + TILE; row++) {
            for (uint32_t col = X; col < X + TILE; col++) {
                faults[f](p, row, col);
            }
        }
        if (!is_refused(v, p)) {
            print_message("fault %zu is not seen\n", f);
            unseen++;
        }
        memcpy(p->data.output, p->right, bytes);
    }
    return unseen;
}

static size_t unseen_of(uint64_t result, td_layout layout)
{
    const td_workload *gram = td_workload_find("gram", 2);
    variant v = {.workload = gram};
    td_proven proven;
    td_error error = {""};
    td_parameters_preset(gram, v.problem.parameters);
    v.problem.parameters[TD_GRAM_RESULT].count = result;
    const char *why = NULL;
    v.workload = td_workload_variant(gram, &v.problem, &why);
    td_run run = td_make_variant_run(td_strategy_find("bb"), &v, N, (shape){{16, 16, 1}, 16});
    run.problem.layout = layout;
    run.problem.parameters[TD_GRAM_COLUMNS].count = K;
    assert_int_equal(td_verify_on(td_gpu, &run, &proven), TD_OK);
    assert_int_equal(proven.result.verified, TD_VERIFIED_PASS);
    const uint64_t bytes = proven.buffers.output[0].bytes;
    product p = {.data = proven.buffers.data, .right = malloc(bytes)};
    void *output = malloc(bytes), *input = malloc(proven.buffers.input_bytes);
    td_gpu->ops->download(td_gpu, p.right, p.data.output, bytes, &error);
    td_gpu->ops->download(td_gpu, input, p.data.input, proven.buffers.input_bytes, &error);
    p.data.output = memcpy(output, p.right, bytes);
    p.data.input = input;
    const size_t unseen = unseen_faults(&proven, &p);
    free(input);
    free(output);
    free(p.right);
    td_proven_close(&proven);
    return unseen;
}

TEST(faults_of_products_are_seen)
{
    size_t unseen = 0;
    td_need_device();
    for (uint64_t result = 0; result < 2; result++) {
        unseen += unseen_of(result, TD_PACKED) + unseen_of(result, TD_FULL) +
                  unseen_of(result, TD_MIRRORED);
    }
    assert_int_equal(unseen, 0);
}

/* ---- kernels for tiles: for clusters, where the GPU and the build have them ---- */

static bool is_right(const char *strategy, uint32_t n, td_layout layout, td_schedule schedule)
{
    variant v = {.workload = td_workload_find("gram", 2)};
    td_proven proven;
    td_parameters_preset(v.workload, v.problem.parameters);
    td_run run =
        td_make_variant_run(td_strategy_find(strategy), &v, n, (shape){{32, 8, 1}, TD_GRAM_ROWS});
    run.problem.layout = layout;
    run.problem.parameters[TD_GRAM_COLUMNS].count = 8 + n % 5 * 64;
    run.schedule = schedule;
    run.width = TD_GRAM_SIDE;
    run.tiled = true;
    const td_status status = td_verify_on(td_gpu, &run, &proven);
    td_proven_close(&proven);
    if (strstr(proven.error.text, "only clusters take tiles in a row") != NULL) {
        return true;
    }
    if (status != TD_OK || proven.result.verified != TD_VERIFIED_PASS) {
        print_message("%s N=%u: %s %s\n", strategy, n, proven.error.text, proven.result.reason);
        return false;
    }
    return true;
}

TEST(tiles_of_products_are_right_under_every_map)
{
    static const uint32_t sizes[] = {1, 127, 128, 129, 256, 300, 1111, 2049};
    size_t wrong = 0;
    td_need_device();
    for (size_t s = 0; s < td_strategy_count; s++) {
        const td_strategy *strategy = td_strategies[s];
        for (size_t i = 0; i < COUNT(sizes) && strategy->dimension == 2 && strategy->tree == NULL &&
                           strategy->unit == TD_MAPS_BLOCKS && !strategy->by_rows;
             i++) {
            wrong += !is_right(strategy->name, sizes[i], TD_PACKED, TD_SCHEDULE_GRID);
            wrong += !is_right(strategy->name, sizes[i], TD_FULL, TD_SCHEDULE_PERSISTENT);
            wrong += !is_right(strategy->name, sizes[i], TD_MIRRORED, TD_SCHEDULE_PERSISTENT);
            wrong += !is_right(strategy->name, sizes[i], TD_FULL, TD_SCHEDULE_CONTIGUOUS);
        }
    }
    assert_int_equal(wrong, 0);
}
