/*
 * strips.cuh - automata that stage nothing: a warp slides down the rows of a strip and keeps all it needs in registers.
 *
 * A lane holds the cells of a few columns as bits, one word per plane; its neighbours' words come by shuffles. The
 * outermost lanes of a warp are a halo that two warps load, so that neighbours need no second load, and several
 * generations can be advanced before anything is stored: each lags one row behind the one before it.
 *
 * A class, the lanes, says how a lane holds its cells: `cells` of a row, of `strips` rows at once, in a `state` that is
 * made of what is `loaded`. beside() gives the neighbours of each cell; cut() and store() take the next cells. `width`
 * lanes are beside each other; the 32 lanes of a warp make 32 / width such groups, one below the other, each in strips
 * of its own. `halo` lanes at each end of the width belong to the lanes of the next strip, too; without them the
 * outermost lanes load one cell more. unchanged() gives the next cells if no generation is due. With `rows` > 0 strips
 * are short: all of their rows are loaded at once, and blocks write closer to each other, which memory takes faster.
 *
 * An automaton is a class as well: `sums`; sum(data, left, here, right), the part of a neighbourhood that comes from
 * one row; and add(data, rule, above, here, below, state, row, col), the next state. `reach` is the radius of its
 * neighbourhood. If it has a rule, `usual` holds the limits of the rule that it is known for, which has an add() of its
 * own: for a rule known at compile time only a few instructions are left.
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
 * Works on a flat tile: as many warps side by side as its columns take, and the others below them. Long strips share
 * out the tile's rows among the warps of a block, short ones have `rows` each.
 *
 * Input   tile.width is a multiple of Lanes::cells, the block has a multiple of 32 threads
 */
template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations>
__device__ inline void td_strips(const td_data &data, td_work_tile tile)
{
    constexpr int32_t cells = Lanes::cells, halo = Lanes::halo, width = Lanes::width;
    constexpr int32_t strips = Lanes::strips * (32 / width); /* of a warp, one below the other */
    static_assert(32 % width == 0);
    constexpr int32_t inner_most = width - 2 * halo, reach = Generations * Automaton::reach;
    static_assert(Generations == 1 || reach <= halo * cells);
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int32_t lane = (int32_t)(thread % width);
    const int32_t first_strip = (int32_t)(thread % 32) / width * Lanes::strips;
    const int32_t warp =
        __shfl_sync(~0u, (int32_t)(thread / 32), 0); /* so nvcc knows it is uniform */
    const int32_t warps = (int32_t)(blockDim.x * blockDim.y / 32);
    const int32_t across = (int32_t)tile.width / cells; /* lanes with cells */
    const int32_t beside = (across + inner_most - 1) / inner_most;
    const int32_t inner = (across + beside - 1) / beside; /* lanes of a warp without the halo */
    constexpr bool is_short = Lanes::rows > 0;
    const int32_t side = (int32_t)tile.side;
    const int32_t short_rows = max(Lanes::rows * strips, 1);
    const int32_t below = is_short ? (side + short_rows - 1) / short_rows : max(warps / beside, 1);
    const int32_t rows = is_short ? Lanes::rows : (side + below * strips - 1) / (below * strips);
    const bool is_square = td_is_square(&data);
    for (int32_t item = warp; item < beside * below; item += warps) {
        const int32_t from = item % beside * inner;
        const int32_t left = (int32_t)(tile.x * tile.width) + from * cells;
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
        /* the rows of the last strip above its first cell */
        const int32_t skip = is_square || is_short ? 0 : max(0, left - (bottom - rows));
        strip.rows = rows - skip;
        for (int s = 0; s < Lanes::strips; s++) {
            strip.first[s] = top + (first_strip + s) * rows + skip;
        }
        /* A strip counts as inside if it needs no test of its cells. Dead cells outside of the domain may be read, but
         * walls may not, nor may cells that would come alive in a first generation: with walls, or several generations,
         * no column that the strip reads may lie outside. */
        const bool inside =
            top >= 2 * reach && bottom <= strip.end &&
            (!(Lanes::walled || Generations > 1) || left >= halo * cells) &&
            bottom + (Generations - 1 + Lanes::walled) * Automaton::reach <= (int32_t)data.n &&
            left + (width - halo) * cells <= (is_square ? (int32_t)data.n : top - 2 * reach) &&
            data.generations == (uint32_t)Generations;
        /* A launch of fewer generations, the last of a run, always works with the limits of the rule. */
        if (!Automaton::has_rule ||
            (data.params[1] == Automaton::usual && data.generations == (uint32_t)Generations)) {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, td_usual_rule(), inside);
        } else {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, data.params[1], inside);
        }
    }
}

#endif
