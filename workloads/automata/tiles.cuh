/* tiles.cuh - the tile kernel for each row of an automaton's table. */
#ifndef TD_WORKLOADS_AUTOMATA_TILES_CUH
#define TD_WORKLOADS_AUTOMATA_TILES_CUH

#include "variants.cuh"
#include "workloads/automata/stages/stages.cuh"
#include "workloads/automata/strips/float_lanes.cuh"
#include "workloads/automata/strips/strips.cuh"
#include "workloads/automata/strips/word_lanes.cuh"
#include "workloads/automata/water_strip.cuh"

/* ---- rows of elements, or of words of bits ---- */

template <td_storage Storage, uint32_t LineCells, uint32_t Ring>
__device__ inline uint64_t td_row_of(const td_data *data, uint32_t row)
{
    return Storage == TD_STORED_WITH_HALO ? td_halo_row(data, row, Ring)
                                          : td_aligned_row(data, row, LineCells, Ring);
}

template <uint32_t Planes>
__device__ inline uint64_t td_word_row_of(const td_data *data, uint32_t row)
{
    return td_word_row(data, row, Planes);
}

/* ---- the memory of a stage ---- */

template <typename Row>
constexpr auto td_stage_memory_of()
{
    typedef typename Row::width width;
    typedef typename width::element element;
    constexpr td_kind kind = td_facts_of<typename Row::automaton>::cells.kind;
    constexpr int ring = Row::is_float ? kind.ring : 1;
    constexpr td_row_fn *row = td_row_of<Row::facts.storage, width::line_cells, ring>;
    if constexpr (width::value == TD_WIDTH_f32x2) {
        return std::type_identity<td_pairs<row>>();
    } else if constexpr (Row::is_float) {
        typedef typename Row::automaton::last::next saved;
        return std::type_identity<
            td_planes<element, row, kind.planes, saved, ring, kind.outside != 0>>();
    } else {
        return std::type_identity<td_planes<element, row>>();
    }
}

template <typename Row>
using td_stage_memory = typename decltype(td_stage_memory_of<Row>())::type;

/* ---- strips ---- */

/* A pass of an automaton on words of bits. */
template <typename Automaton, int Words>
struct td_words_pass {
    static constexpr int reach = 1;
    static constexpr bool has_rule = requires
    {
        Automaton::usual;
    };
    typedef td_word_state<td_facts_of<Automaton>::cells.planes, Words> state;
    struct sums {
        typename Automaton::word_sums of[Words];
    };

    static constexpr uint32_t usual_rule()
    {
        if constexpr (has_rule) {
            return Automaton::usual;
        } else {
            return 0;
        }
    }
    static constexpr uint32_t usual = usual_rule();

    __device__ static sums sum(const td_data &, const state &left, const state &here,
                               const state &right)
    {
        sums all;
        for (int w = 0; w < Words; w++) {
            all.of[w] = Automaton::sum_words(left.word[w], here.word[w], right.word[w]);
        }
        return all;
    }

    template <typename Rule>
    __device__ static state add(const td_data &, Rule rule, const sums &above, const sums &here,
                                const sums &below, const state &alive, int32_t, int32_t)
    {
        state next;
        for (int w = 0; w < Words; w++) {
            Automaton::add_words(rule, &above.of[w], &here.of[w], &below.of[w], alive.word[w],
                                 next.word[w]);
        }
        return next;
    }
};

/* Beside: for bits, the number of lanes side by side. */
template <typename Row, int Beside>
constexpr auto td_lanes_of()
{
    typedef typename Row::width width;
    constexpr td_cells cells = td_facts_of<typename Row::automaton>::cells;
    constexpr td_variant own = Row::own;
    if constexpr (Row::is_float) {
        return std::type_identity<td_float_lanes<
            typename Row::automaton, cells.kind.planes, width::value == TD_WIDTH_f32x2, own.ahead,
            cells.kind.ring, cells.kind.outside != 0, own.rows>>();
    } else if constexpr (width::value == TD_WIDTH_bit) {
        return std::type_identity<
            td_bit_lanes<cells.planes, own.words, Beside, own.ahead, own.rows>>();
    } else {
        return std::type_identity<
            td_element_lanes<typename width::element, cells.planes, own.rows>>();
    }
}

template <typename Row, int Beside>
__device__ inline void td_strips_of(const td_data &data, td_work_tile tile)
{
    typedef typename Row::automaton automaton;
    typedef typename Row::width width;
    typedef typename decltype(td_lanes_of<Row, Beside>())::type lanes;
    constexpr int generations = Row::facts.generations;
    if constexpr (Row::is_float) {
        constexpr int ring = lanes::in::ring;
        td_strips<td_lane_pass<automaton, lanes>, lanes,
                  td_row_of<TD_STORED_IN_LINES, width::line_cells, ring>, generations>(data, tile);
    } else if constexpr (width::value == TD_WIDTH_bit) {
        td_strips<td_words_pass<automaton, lanes::words>, lanes, td_word_row_of<lanes::planes>,
                  generations>(data, tile);
    } else {
        td_strips<td_words_pass<automaton, lanes::words>, lanes,
                  td_row_of<TD_STORED_IN_LINES, width::line_cells, 1>, generations>(data, tile);
    }
}

/* ---- any technique ---- */

template <typename Technique>
inline constexpr int td_cells_at_once = Technique::value == TD_TECHNIQUE_two_cell ? 2 : 1;

template <typename Automaton, typename Technique, typename Width>
__device__ inline void td_automaton_tile(const td_data &data, td_work_tile tile)
{
    typedef td_row<Automaton, Technique, Width> row;
    constexpr td_technique technique = row::like;
    if constexpr (technique == TD_TECHNIQUE_strip || technique == TD_TECHNIQUE_four_generation) {
        constexpr td_variant own = row::own;
        if constexpr (own.narrow > 0) {
            typedef typename decltype(td_lanes_of<row, own.narrow>())::type lanes;
            if (tile.width <= (own.narrow - 2 * lanes::halo) * lanes::cells) {
                td_strips_of<row, own.narrow>(data, tile);
                return;
            }
        }
        td_strips_of<row, own.lanes>(data, tile);
    } else if constexpr (technique == TD_TECHNIQUE_two_generation) {
        td_staged_twice<Automaton, td_stage_memory<row>>(data, tile);
    } else {
        td_staged<Automaton, td_stage_memory<row>, td_cells_at_once<Technique>>(data, tile);
    }
}

template <typename Automaton, typename Technique, typename Width>
__device__ inline void td_automaton_flat(const td_data &data, td_work_tile tile)
{
    typedef td_row<Automaton, Technique, Width> row;
    td_staged_flat<Automaton, td_stage_memory<row>, td_cells_at_once<Technique>>(data, tile);
}

#endif
