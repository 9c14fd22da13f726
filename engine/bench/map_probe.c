#include "map_probe.h"

#include <stdlib.h>

#include "workloads/generate.h"

enum { RANDOM = 4096, RANDOM_FEW = 32, FEW = 8 };

/* A list of numbers that grows. */
typedef struct list {
    td_probes *to;
    size_t capacity;
    uint64_t end; /* numbers are below */
    bool full;    /* memory ran out */
} list;

static void add(list *l, uint64_t number)
{
    if (number >= l->end || l->full) {
        return;
    }
    if (l->to->count == l->capacity) {
        const size_t capacity = 2 * l->capacity + 1024;
        uint64_t *grown = realloc(l->to->numbers, capacity * sizeof *grown);
        if (grown == NULL) {
            l->full = true;
            return;
        }
        l->to->numbers = grown;
        l->capacity = capacity;
    }
    l->to->numbers[l->to->count++] = number;
}

/* The last two before `number` and the first two from it on, from either end. */
static void add_around(list *l, uint64_t number)
{
    for (uint64_t i = number - 2; i != number + 2; i++) {
        add(l, i);
        add(l, l->end - 1 - i);
    }
}

/* The rows of a triangle that is numbered row by row, and their middles. */
static void add_rows(list *l)
{
    for (uint64_t row = 0; td_triangle(row) <= l->end; row++) {
        add_around(l, td_triangle(row));
        add(l, td_triangle(row) + row / 2);
    }
}

/* Likewise the layers of a tetrahedron, and some rows of each. */
static void add_layers(list *l)
{
    for (uint64_t z = 0; td_tetrahedron(z) <= l->end; z++) {
        add_around(l, td_tetrahedron(z));
        for (uint64_t i = 0; i < FEW; i++) {
            add_around(l, td_tetrahedron(z) + td_triangle(z * i / FEW));
        }
    }
}

/* The first rows, and the last of those that a triangle of n rows has. */
static void add_ends(list *l, uint64_t n)
{
    for (uint64_t row = 0; row < FEW && row <= n; row++) {
        add_around(l, td_triangle(row));
        add_around(l, td_triangle(n - row));
    }
}

/* The number of the block at a place of the grid; for a map of threads, of the thread. */
static uint64_t number_at(const td_launch *launch, bool threads, uint64_t x, uint64_t y, uint64_t z)
{
    const td_dim3 one = {1, 1, 1}, block = threads ? launch->block : one;
    const uint64_t of_block = (z * launch->grid.y + y / block.y) * launch->grid.x + x / block.x;
    return of_block * block.x * block.y + y % block.y * block.x + x % block.x;
}

/* Both ends of each row of the grid, its middle, and where it meets a diagonal. */
static void add_grid(list *l, const td_launch *launch, bool threads)
{
    const uint64_t width = (uint64_t)launch->grid.x * (threads ? launch->block.x : 1);
    const uint64_t height = (uint64_t)launch->grid.y * (threads ? launch->block.y : 1);
    const uint64_t slices = launch->grid.z;
    for (uint64_t s = 0; s < slices && s < FEW; s++) {
        const uint64_t z = slices > FEW ? (slices - 1) * s / (FEW - 1) : s;
        for (uint64_t y = 0; y < height; y++) {
            const uint64_t columns[] = {0, 1, width / 2, width - 2, width - 1, y - 1, y, y + 1};
            for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
                if (columns[c] < width) {
                    add(l, number_at(launch, threads, columns[c], y, z));
                }
            }
        }
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void keep_each_once(td_probes *probes)
{
    size_t kept = 0;
    for (size_t i = 0; i < probes->count; i++) {
        if (kept == 0 || probes->numbers[kept - 1] != probes->numbers[i]) {
            probes->numbers[kept++] = probes->numbers[i];
        }
    }
    probes->count = kept;
}

td_status td_probes_of(const td_strategy *strategy, const td_launch *launch, bool few,
                       td_probes *probes, td_error *error)
{
    const bool threads = strategy->unit == TD_MAPS_THREADS;
    list l = {.to = probes, .end = td_asked_count(threads, launch)};
    *probes = (td_probes){0};
    if (!few && strategy->dimension == 3) {
        add_layers(&l);
    } else if (!few) {
        add_rows(&l);
    }
    if (!few) {
        add_grid(&l, launch, threads);
    }
    add_ends(&l, launch->n);
    for (uint64_t i = 0; i < (few ? RANDOM_FEW : RANDOM); i++) {
        add(&l, td_random_bits(1, 0, i) % l.end);
    }
    if (l.full) {
        free(probes->numbers);
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the blocks to ask about");
    }
    qsort(probes->numbers, probes->count, sizeof *probes->numbers, compare);
    keep_each_once(probes);
    return TD_OK;
}
