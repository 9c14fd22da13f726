/*
 * strips.cuh - automata that stage nothing: a warp slides down the rows of a strip, what it needs in registers.
 *
 * A lane holds the cells of a few columns as bits, one word per plane; its neighbours' words come by shuffles. The
 * outermost lanes of a warp are a halo that two warps load, so that no second load reaches for neighbours, and more
 * than one generation can be advanced before anything is stored: each follows the one before it one row behind.
 *
 * How a lane holds its cells is a class, the lanes: `cells` of a row, of `strips` rows at once, in a `state`, of what
 * is `loaded`; beside() has the neighbours of each cell, cut() and store() what becomes of it. `width` lanes are beside
 * each other, and the lanes of a warp as many times below each other, each time in strips of their own. `halo` lanes
 * at each end of the width belong to the next one, too; without them the outermost lanes load one cell more.
 *
 * An automaton is a class as well: `sums`, sum(data, left, here, right), what a row adds to a neighbourhood, and
 * add(data, rule, above, here, below, state, row, col). `reach` is the radius of its neighbourhood, 1 or 0. Where it
 * has a rule, `usual` are the limits of the one that it is known for, whose add() is another one: of a rule that is
 * known while compiling a few instructions are left.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_STRIPS_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_STRIPS_CUH

#include "strip_walk.cuh"

template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations, typename Rule>
__device__ inline void td_run_strip(const td_data &data, const td_strip<Lanes> &strip, Rule rule,
                                    bool inside)
{
    if (inside) {
        td_strip_walk<Automaton, Lanes, Row, Generations, true, Rule>(data, strip, rule).run();
    } else {
        td_strip_walk<Automaton, Lanes, Row, Generations, false, Rule>(data, strip, rule).run();
    }
}

/*
 * A tile: warps beside each other, as many as its columns take, and below each other, as many as there are.
 *
 * Input   tile.side is a multiple of Lanes::cells, the block has a multiple of 32 threads
 */
template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations>
__device__ inline void td_strips(const td_data &data, td_work_tile tile)
{
    constexpr int32_t cells = Lanes::cells, halo = Lanes::halo, width = Lanes::width;
    constexpr int32_t strips = Lanes::strips * (32 / width); /* of a warp, below each other */
    static_assert(32 % width == 0);
    constexpr int32_t inner_most = width - 2 * halo, reach = Generations * Automaton::reach;
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int32_t lane = (int32_t)(thread % width);
    const int32_t first_strip = (int32_t)(thread % 32) / width * Lanes::strips;
    const int32_t warp =
        __shfl_sync(~0u, (int32_t)(thread / 32), 0); /* so nvcc knows it is uniform */
    const int32_t warps = (int32_t)(blockDim.x * blockDim.y / 32);
    const int32_t across = (int32_t)tile.side / cells; /* lanes with cells */
    const int32_t beside = (across + inner_most - 1) / inner_most;
    const int32_t inner = (across + beside - 1) / beside; /* lanes of a warp that are no halo */
    const int32_t below = max(warps / beside, 1);
    const int32_t rows = ((int32_t)tile.side + below * strips - 1) / (below * strips);
    const bool is_square = td_is_square(&data);
    for (int32_t item = warp; item < beside * below; item += warps) {
        const int32_t from = item % beside * inner;
        const int32_t left = (int32_t)(tile.x * tile.side) + from * cells;
        const int32_t top = (int32_t)(tile.y * tile.side) + item / beside * strips * rows;
        const int32_t bottom = top + strips * rows;
        td_strip<Lanes> strip;
        strip.lane = lane;
        strip.col = left + (lane - halo) * cells;
        strip.lives = strip.col >= 0 && (!is_square || strip.col < (int32_t)data.n);
        strip.stores = lane >= halo && lane - halo < inner && from + lane - halo < across &&
                       (!is_square || strip.col < (int32_t)data.n);
        strip.end = (int32_t)min((tile.y + 1) * tile.side, data.n);
        if (left >= (is_square ? (int32_t)data.n : min(bottom, strip.end))) {
            continue;
        }
        /* rows above the first cell of the last strip */
        const int32_t skip = is_square ? 0 : max(0, left - (bottom - rows));
        strip.rows = rows - skip;
        for (int s = 0; s < Lanes::strips; s++) {
            strip.first[s] = top + (first_strip + s) * rows + skip;
        }
        /* A dead cell outside of the domain counts like any other; a wall does not, so where there are walls no row
         * or column that the strip reads may lie outside. */
        const bool inside =
            top >= 2 * reach && bottom <= strip.end && (!Lanes::walled || left >= halo * cells) &&
            bottom + (Generations - 1 + Lanes::walled) * Automaton::reach <= (int32_t)data.n &&
            left + (width - halo) * cells <= (is_square ? (int32_t)data.n : top - 2 * reach) &&
            data.generations == (uint32_t)Generations;
        if (!Automaton::has_rule || data.params[1] == Automaton::usual) {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, td_usual_rule(), inside);
        } else {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, data.params[1], inside);
        }
    }
}

#endif
