/* cpu_coverage.c - determines the coverage of a map on the host's cores. */
#include "cpu_coverage.h"

/* The tile of one block, or the cell of one thread as a tile. */
static td_tile tile_of(const td_strategy *s, const td_launch *launch, td_dim3 block,
                       uint32_t thread)
{
    if (s->unit == TD_MAPS_BLOCKS) {
        return s->block_map(launch, block);
    }
    const td_thread t = {block, td_nth_thread(launch, thread)};
    const td_cell cell = s->thread_map(launch, t);
    return (td_tile){cell.col, cell.row, 0, cell.active};
}

/* Count the visit; false when it is outside the domain. */
static bool count_tile(const td_strategy *s, const td_launch *launch, td_tile tile,
                       uint32_t *visits)
{
    if (td_place(s->dimension, launch->n, tile) == UINT64_MAX) {
        return false;
    }
    const uint32_t end = tile.x + (s->dimension == 3 ? td_tile_columns(launch, tile) : 1);
    for (; tile.x < end; tile.x++) {
        __atomic_fetch_add(&visits[td_place(s->dimension, launch->n, tile)], 1, __ATOMIC_RELAXED);
    }
    return true;
}

static void cover_launch(const td_strategy *s, const td_launch *launch, uint32_t *visits,
                         td_coverage *coverage)
{
    const uint32_t threads =
        s->unit == TD_MAPS_BLOCKS ? 1 : launch->block.x * launch->block.y * launch->block.z;
    const uint64_t blocks = td_launch_blocks(launch);
    uint64_t outside = 0;
#pragma omp parallel for schedule(static) reduction(+ : outside)
    for (uint64_t b = 0; b < blocks; b++) {
        const td_dim3 block = td_nth_block(launch, b);
        for (uint32_t t = 0; t < threads; t++) {
            const td_tile tile = tile_of(s, launch, block, t);
            outside += tile.active && !count_tile(s, launch, tile, visits);
        }
    }
    coverage->outside += outside;
    coverage->asked += blocks * threads;
}

void td_cpu_coverage(const td_strategy *strategy, const td_plan *plan, uint32_t *visits,
                     uint64_t places, td_coverage *coverage)
{
    uint64_t wrong = 0, first = UINT64_MAX;
    *coverage = (td_coverage){0};
    for (size_t i = 0; i < plan->count; i++) {
        cover_launch(strategy, &plan->launches[i], visits, coverage);
    }
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first)
    for (uint64_t p = 0; p < places; p++) {
        if (visits[p] != 1) {
            wrong++;
            first = p < first ? p : first;
        }
    }
    coverage->wrong = wrong;
    coverage->first_wrong = first;
}
