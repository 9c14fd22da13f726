/* blocks.c - the maps of the headers, for report/tests/test_emit.py: the launches of a map, and the tiles of blocks. */
#include "strategies/strategies.h"

/* The map's launches on n tiles per side: of each its grid and its four numbers. Returns how many there are. */
size_t launches(const char *name, uint32_t n, uint32_t (*found)[7])
{
    const td_domain domain = {.cells = n, .tiles = n, .tile = 1, .block = {1, 1, 1}, .cutoff = 1};
    td_plan plan = {0};
    size_t count = 0;
    td_strategy_find(name)->plan(&domain, &plan);
    for (size_t i = 0; i < plan.count; i++) {
        const td_launch *one = &plan.launches[i];
        const uint32_t all[7] = {one->grid.x,   one->grid.y,   one->grid.z,  one->param[0],
                                 one->param[1], one->param[2], one->param[3]};
        /* where a grid is cut, its first piece has all that the others have */
        for (int k = 0; k < 7 && one->first.x + one->first.y + one->first.z == 0; k++) {
            found[count][k] = all[k];
        }
        count += one->first.x + one->first.y + one->first.z == 0;
    }
    td_plan_free(&plan);
    return count;
}

/* The table of a map for n. */
void fill(const char *name, uint32_t n, uint32_t *table)
{
    const td_domain domain = {0};
    td_strategy_find(name)->fill_table(&domain, n, table);
}

/* The tiles of blocks: x, y, z and whether there is one. The table is NULL if the map reads none. */
void tiles(const char *name, uint32_t n, const uint32_t *numbers, const uint32_t *table,
           size_t count, const uint32_t (*blocks)[3], uint32_t (*found)[4])
{
    const td_strategy *strategy = td_strategy_find(name);
    td_launch launch = {.n = n, .tile = 1, .width = 1};
    for (int k = 0; k < 4; k++) {
        launch.param[k] = numbers[k];
    }
    if (table != NULL) {
        launch.param[0] = (uint32_t)(uintptr_t)table;
        launch.param[1] = (uint32_t)((uint64_t)(uintptr_t)table >> 32);
    }
    for (size_t i = 0; i < count; i++) {
        const td_dim3 block = {blocks[i][0], blocks[i][1], blocks[i][2]};
        const td_tile tile = strategy->block_map(&launch, block);
        found[i][0] = tile.x;
        found[i][1] = tile.y;
        found[i][2] = tile.z;
        found[i][3] = tile.active;
    }
}
