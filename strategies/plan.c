/* plan.c - collects a strategy's grids, cuts them to the hardware's limits, and counts blocks and threads; and which
 * tiles fit a block. */
#include <stdlib.h>

#include "strategy.h"

/* CUDA's limits on a grid, compute capability 3.0 and later (CUDA C++ Programming Guide, technical specifications). */
static const td_dim3 largest_grid = {2147483647u, 65535u, 65535u};

td_launch td_launch_over(const td_domain *domain, uint32_t x, uint32_t y, uint32_t z)
{
    td_launch launch = {0};
    launch.grid.x = x;
    launch.grid.y = y;
    launch.grid.z = z;
    launch.block = domain->block;
    launch.tile = domain->tile;
    launch.width = domain->width != 0 ? domain->width : domain->tile;
    launch.bands = domain->bands > 0 ? domain->bands : 1;
    launch.rows = domain->tile / launch.bands;
    return launch;
}

uint64_t td_domain_bands(const td_domain *domain, uint32_t first, uint32_t end)
{
    const uint64_t bands = domain->bands > 0 ? domain->bands : 1, rows = domain->tile / bands;
    const uint64_t all = td_ceil_div(domain->cells, (uint32_t)rows);
    return (end < domain->tiles ? end * bands : all) - first * bands;
}

void td_plan_append(td_plan *plan, const td_launch *launch)
{
    if (plan->count == TD_MOST_LAUNCHES) {
        plan->failed = true;
        return;
    }
    if (plan->count == plan->capacity) {
        const size_t capacity = plan->capacity > 0 ? 2 * plan->capacity : 8;
        td_launch *grown = realloc(plan->launches, capacity * sizeof *grown);
        if (grown == NULL) {
            plan->failed = true;
            return;
        }
        plan->launches = grown;
        plan->capacity = capacity;
    }
    plan->launches[plan->count++] = *launch;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void td_plan_add(td_plan *plan, td_launch launch)
{
    const td_dim3 grid = launch.grid;
    /* with bands in x, a grid's x and y move to y and z */
    const uint32_t most_x = launch.bands > 1 ? largest_grid.y : largest_grid.x;
    for (uint32_t z = 0; z < grid.z; z += launch.grid.z) {
        launch.first.z = z;
        launch.grid.z = least(grid.z - z, largest_grid.z);
        for (uint32_t y = 0; y < grid.y; y += launch.grid.y) {
            launch.first.y = y;
            launch.grid.y = least(grid.y - y, largest_grid.y);
            for (uint32_t x = 0; x < grid.x; x += launch.grid.x) {
                launch.first.x = x;
                launch.grid.x = least(grid.x - x, most_x);
                td_plan_append(plan, &launch);
                if (plan->failed) {
                    return;
                }
            }
        }
    }
}

uint32_t td_strategy_n(const td_strategy *strategy, const td_domain *domain)
{
    return strategy->unit == TD_MAPS_THREADS ? domain->cells : domain->tiles;
}

bool td_plan_is_in_range(const td_strategy *strategy, const td_domain *domain)
{
    return td_strategy_n(strategy, domain) <= strategy->exact_n;
}

uint32_t td_strategy_group(const td_strategy *strategy, uint32_t asked, uint32_t batch)
{
    const uint32_t group = asked > 0 ? asked : strategy->usual_group;
    const uint32_t most = batch > 1 ? batch : 0; /* a single triangle has no sections */
    return strategy->by_rows && group > most ? most : group;
}

static uint64_t threads_of(const td_domain *domain)
{
    return (uint64_t)domain->block.x * domain->block.y * domain->block.z;
}

void td_plan_count_blocks(const td_domain *domain, td_plan *plan)
{
    plan->blocks = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const td_dim3 grid = plan->launches[i].grid;
        plan->blocks += (uint64_t)grid.x * grid.y * grid.z * plan->launches[i].bands;
    }
    plan->threads = plan->blocks * threads_of(domain);
}

/* Of the blocks of each tile of a triangle, those with cells. */
static uint64_t blocks_of_triangle(const td_domain *domain)
{
    const uint32_t n = domain->tiles;
    return n == 0 ? 0
                  : td_domain_bands(domain, 0, 1) * td_triangle(n - 1) +
                        td_domain_bands(domain, n - 1, n) * n;
}

static void count(const td_strategy *strategy, const td_domain *domain, td_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        plan->launches[i].n = td_strategy_n(strategy, domain);
    }
    td_plan_count_blocks(domain, plan);
    plan->cells =
        strategy->dimension == 3 ? td_tetrahedron(domain->cells) : td_triangle(domain->cells);
    if (domain->no_diagonal) {
        plan->cells -= domain->cells;
    }
    if (strategy->unit == TD_MAPS_BLOCKS && plan->blocks_needed == 0) {
        plan->blocks_needed =
            strategy->dimension == 3 ? td_tetrahedron(domain->tiles) : blocks_of_triangle(domain);
    }
    if (plan->blocks_needed == 0) { /* a map of threads that does not say: as few as can be */
        plan->blocks_needed = (plan->cells + threads_of(domain) - 1) / threads_of(domain);
    }
    if (plan->blocks_needed > plan->blocks) { /* a wrong plan from a file */
        plan->blocks_needed = plan->blocks;
    }
}

static void point_to(td_plan *plan, const void *table)
{
    for (size_t i = 0; i < plan->count; i++) {
        plan->launches[i].param[0] = (uint32_t)(uintptr_t)table;
        plan->launches[i].param[1] = (uint32_t)((uint64_t)(uintptr_t)table >> 32);
    }
}

void td_plan_add_table(const td_strategy *strategy, const td_domain *domain, td_plan *plan)
{
    uint32_t n = 0;
    for (size_t i = 0; i < plan->count; i++) {
        n = plan->launches[i].n > n ? plan->launches[i].n : n;
    }
    if (strategy->fill_table == NULL || n == 0) {
        return;
    }
    plan->table_bytes = (strategy->by_rows ? plan->blocks : td_triangle(n)) * sizeof *plan->table;
    plan->table = malloc(plan->table_bytes);
    plan->failed = plan->table == NULL;
    if (!plan->failed) {
        strategy->fill_table(domain, n, plan->table);
        point_to(plan, plan->table);
    }
}

void td_plan_use_copy(td_plan *plan, void *copy)
{
    plan->table_copy = copy;
    point_to(plan, copy);
}

td_plan_status td_plan_make(const td_strategy *strategy, const td_domain *domain, bool inexact,
                            td_plan *plan)
{
    if (!inexact && !td_plan_is_in_range(strategy, domain)) {
        return TD_PLAN_BEYOND_RANGE;
    }
    strategy->plan(domain, plan);
    if (!plan->failed) {
        count(strategy, domain, plan);
        td_plan_add_table(strategy, domain, plan);
    }
    if (plan->failed) {
        const bool too_many = plan->count == TD_MOST_LAUNCHES;
        td_plan_free(plan);
        return too_many ? TD_PLAN_TOO_MANY_LAUNCHES : TD_PLAN_NO_MEMORY;
    }
    return TD_PLAN_MADE;
}

void td_plan_free(td_plan *plan)
{
    free(plan->table);
    free(plan->launches);
    *plan = (td_plan){0};
}

/* ---- tiles that fit a block ---- */

static uint32_t common_multiple(uint32_t a, uint32_t b)
{
    uint32_t x = a, y = b;
    while (y != 0) {
        const uint32_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b; /* NOLINT(clang-analyzer-core.DivideZero): sides of blocks are not 0 */
}

uint32_t td_strategy_tile(const td_strategy *strategy, td_dim3 block)
{
    if (strategy->unit == TD_MAPS_THREADS) {
        return block.x;
    }
    const uint32_t along_yz = common_multiple(block.y, block.z);
    return strategy->whole_rows ? along_yz : common_multiple(block.x, along_yz);
}

bool td_strategy_takes_tile(const td_strategy *strategy, uint32_t tile, uint32_t width,
                            td_dim3 block)
{
    if (strategy->unit == TD_MAPS_THREADS) {
        return true;
    }
    const bool across = strategy->whole_rows || (width != 0 ? width : tile) % block.x == 0;
    return across && tile % block.y == 0 && tile % block.z == 0;
}

bool td_strategy_tile_is_block(const td_strategy *strategy, uint32_t tile, uint32_t width,
                               td_dim3 block)
{
    if (strategy->unit == TD_MAPS_THREADS) {
        return true;
    }
    const bool deep = strategy->dimension == 2 || tile == block.z;
    const bool wide = (width != 0 ? width : tile) == block.x;
    return !strategy->whole_rows && wide && tile == block.y && deep;
}
