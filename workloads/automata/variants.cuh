/*
 * variants.cuh - the rows of the automata's tables as types: kernels are templates over them, and a profiler shows them
 * in a kernel's name.
 */
#ifndef TD_WORKLOADS_AUTOMATA_VARIANTS_CUH
#define TD_WORKLOADS_AUTOMATA_VARIANTS_CUH

#include <type_traits>

#include "workloads/workloads.h"

#define TD_TECHNIQUE_TYPE(id, ...)                                                                 \
    struct td_by_##id {                                                                            \
        static constexpr td_technique value = TD_TECHNIQUE_##id;                                   \
    };
TD_TECHNIQUE_LIST(TD_TECHNIQUE_TYPE)

/* The width of a cell, and the type of a row's elements. */
template <td_width Width, typename Element, uint32_t LineCells>
struct td_width_type {
    typedef Element element;
    static constexpr td_width value = Width;
    static constexpr uint32_t line_cells = LineCells;
};
struct td_cell_u32 : td_width_type<TD_WIDTH_u32, uint32_t, TD_LINE_U32> {
};
struct td_cell_u8 : td_width_type<TD_WIDTH_u8, uint8_t, TD_LINE_U8> {
};
struct td_cell_bit : td_width_type<TD_WIDTH_bit, uint32_t, TD_LINE_BITS> {
};
struct td_cell_f32 : td_width_type<TD_WIDTH_f32, float, TD_LINE_U32> {
};
struct td_cell_f32x2 : td_width_type<TD_WIDTH_f32x2, float, TD_LINE_U32> {
};

/* The facts that an automaton's header states in C, by its class. */
template <typename Automaton>
struct td_facts_of;

/* The class of an automaton; void: the workload is not an automaton. */
template <uint32_t Workload>
struct td_automaton_of : std::type_identity<void> {
};
template <uint32_t Workload>
using td_automaton_by_id = typename td_automaton_of<Workload>::type;

/* A row of an automaton's table. */
template <typename Automaton, typename Technique, typename Width>
struct td_row {
    typedef Automaton automaton;
    typedef Technique technique;
    typedef Width width;
    static constexpr td_technique_facts facts = td_techniques[Technique::value];
    static constexpr bool is_tiled = facts.generations > 0;
    static constexpr bool is_float = std::is_same_v<typename Width::element, float>;

    static constexpr td_variant find()
    {
        for (const td_variant &row : td_facts_of<Automaton>::variants) {
            if (row.technique == Technique::value && row.cell == Width::value) {
                return row;
            }
        }
        return {};
    }

    static constexpr td_variant own = find();
    static constexpr td_technique like =
        own.like != TD_TECHNIQUE_auto ? own.like : Technique::value;
};

/* All rows of a table; the first type is only a placeholder. */
template <typename, typename... Rows>
struct td_row_list {
    static constexpr uint32_t count = sizeof...(Rows);
};

#define TD_ROW_TYPE(name, technique, width, ...)                                                   \
    , td_row<td_##name, td_by_##technique, td_cell_##width>
#define TD_FACTS_OF(name, A)                                                                       \
    template <>                                                                                    \
    struct td_facts_of<td_##name> {                                                                \
        static constexpr td_cells cells = td_##name##_cells;                                       \
        static constexpr const td_variant (                                                        \
            &variants)[sizeof td_##name##_variants / sizeof(td_variant)] = td_##name##_variants;   \
        typedef td_row_list<void td_##name##_table(TD_ROW_TYPE)> rows;                             \
    };                                                                                             \
    template <>                                                                                    \
    struct td_automaton_of<TD_WORKLOAD_##name> : std::type_identity<td_##name> {                   \
    };
TD_AUTOMATA(TD_FACTS_OF, )

template <typename Automaton, typename Width>
inline constexpr td_kind td_constant_kind = td_kind_of_width(&td_facts_of<Automaton>::cells,
                                                             Width::value);

/* Member by member: in relocatable code nvcc would read a whole constant from memory, at run time, and unroll no loop
 * that depends on it. */
template <typename Automaton, typename Width>
TD_FN td_kind td_copy_kind()
{
    constexpr td_kind from = td_constant_kind<Automaton, Width>;
    td_kind kind;
    kind.bytes = from.bytes;
    kind.planes = from.planes;
    kind.interleaved = from.interleaved;
    kind.saved_bytes = from.saved_bytes;
    kind.ring = from.ring;
    kind.outside = from.outside;
    kind.is_float = from.is_float;
    return kind;
}

/* The next state of one cell and, further down, its poison for a verification and its check. */
template <typename Automaton, typename Technique, typename Width>
TD_FN void td_cell_of(const td_data *data, uint32_t row, uint32_t col)
{
    constexpr td_cells cells = td_facts_of<Automaton>::cells;
    constexpr td_storage storage = td_techniques[Technique::value].storage;
    const td_kind kind = td_copy_kind<Automaton, Width>();
    if constexpr (Width::value == TD_WIDTH_bit) {
        td_in_words(data, row, col, cells.planes, cells.next_words);
    } else if constexpr (storage == TD_STORED_PACKED) {
        td_conditional(data, row, col, kind, cells.next);
    } else if constexpr (storage == TD_STORED_WITH_HALO) {
        td_with_halo(data, row, col, kind, cells.next);
    } else {
        td_in_lines(data, row, col, kind, cells.next);
    }
}

template <typename Automaton, typename Technique, typename Width>
TD_FN void td_paint_of(const td_data *data, uint32_t row, uint32_t col)
{
    constexpr td_cells cells = td_facts_of<Automaton>::cells;
    constexpr td_storage storage = td_techniques[Technique::value].storage;
    td_paint(data, row, col, &cells, storage, Width::value);
}

template <typename Automaton, typename Technique, typename Width>
TD_FN td_verdict td_check_of(const td_data *data, uint32_t row, uint32_t col)
{
    constexpr td_cells cells = td_facts_of<Automaton>::cells;
    constexpr td_storage storage = td_techniques[Technique::value].storage;
    return td_check(data, row, col, &cells, storage, Width::value);
}

#endif
