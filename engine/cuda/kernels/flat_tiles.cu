/* flat_tiles.cu - the automata's kernels for tiles of the whole square that are not square, one block per tile. */
#include "whole_tiles.cuh"

void td_add_flat_tiles(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_is_automaton<Id>) {
            td_for_rows<Id>([&]<typename Row>(uint32_t row) {
                if constexpr (Row::facts.flat.taken &&
                              !td_facts_of<typename Row::automaton>::cells.no_square) {
                    constexpr td_tile_fn *tile =
                        td_automaton_flat<typename Row::automaton, td_technique_of<Row>,
                                          typename Row::width>;
                    to->rows[Id][row].of[TD_FLAT_TILES][0] =
                        td_kernel_of<td_run_flat<tile>, Row::own.registers>();
                }
            });
        }
    });
}
