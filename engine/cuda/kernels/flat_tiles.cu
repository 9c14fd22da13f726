/* flat_tiles.cu - the automata's kernels for tiles of the whole square that are not square, one block per tile. */
#include "whole_tiles.cuh"

/* NULL where a technique has none. */
template <typename Row>
static const void *td_flat_kernel()
{
    if constexpr (Row::facts.flat.taken && !td_facts_of<typename Row::automaton>::cells.no_square) {
        constexpr td_tile_fn *tile =
            td_automaton_flat<typename Row::automaton, td_technique_of<Row>, typename Row::width>;
        return (const void *)td_kernel_of<td_flat_of<tile>::run, Row::own.registers>();
    } else {
        return NULL;
    }
}

template <typename None, typename... Rows>
static const void *td_flat_kernel_of(td_rows<None, Rows...>, uint32_t row)
{
    const void *const all[] = {td_flat_kernel<Rows>()...};
    return all[row];
}

const void *td_flat_tiles(uint32_t workload, uint32_t row)
{
    return td_pick<const void *, TD_WORKLOAD_COUNT>(workload, [=]<uint32_t Id>() -> const void * {
        if constexpr (td_is_automaton<Id>) {
            typedef typename td_facts_of<td_automaton_by_id<Id>>::rows rows;
            return td_flat_kernel_of(rows(), row);
        } else {
            return NULL;
        }
    });
}
