#include "usual.h"

/* Whether a block covers a tile, and no thread of it has less than a store of eight cells or two of four. */
static bool goes_with(td_dim3 block, td_dim3 tile)
{
    const uint32_t width = tile.x > 0 ? tile.x : tile.y;
    return width % block.x == 0 && tile.y % block.y == 0 && 8 * block.x * block.y <= width * tile.y;
}

/* The default of small problems: the first that is compatible with the block given. */
static const td_flat *small_of(const td_tiles *tiles, uint32_t n, const td_dim3 *block)
{
    for (size_t i = 0; i < sizeof tiles->small / sizeof tiles->small[0]; i++) {
        const td_flat *usual = &tiles->small[i].usual;
        if (n < tiles->small[i].below && (block == NULL || goes_with(*block, usual->tile))) {
            return usual;
        }
    }
    return NULL;
}

const td_flat *td_usual(const td_workload *workload, const td_problem *problem,
                        const td_dim3 *block, bool tile_is_given)
{
    const bool square = td_workload_is_square(workload, problem);
    const td_flat *usual = square ? &workload->tiles->flat : &workload->tiles->packed;
    if (usual->block.x > 0 && (square || problem->layout == TD_PACKED)) {
        return usual;
    }
    return tile_is_given ? NULL : small_of(workload->tiles, problem->n, block);
}

td_dim3 td_usual_block(const td_workload *workload, const td_problem *problem, bool tiled,
                       bool tile_is_given)
{
    const td_dim3 square = {16, 16, 1}, cube = {8, 8, 8};
    const td_flat *usual = tiled ? td_usual(workload, problem, NULL, tile_is_given) : NULL;
    if (usual != NULL) {
        return usual->block;
    }
    if (tiled && workload->tiles->block.x > 0) {
        return workload->tiles->block;
    }
    return workload->dimension == 3 ? cube : square;
}
