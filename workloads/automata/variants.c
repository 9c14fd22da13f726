/* variants.c - the rows of the automata's tables as descriptors. */
#include "family.h"
#include "workloads/workloads.h"

/* The descriptor of a row of a table, with its parts; each is made once. */
typedef struct made {
    td_workload workload;
    td_automaton automaton;
    td_tiles tiles;
} made;

static uint32_t lane_cells(const td_variant *v)
{
    return v->cell == TD_WIDTH_bit ? 32 * (uint32_t)v->words : v->cell == TD_WIDTH_u8 ? 16 : 4;
}

static uint32_t either(uint32_t own, uint32_t usual)
{
    return own > 0 ? own : usual;
}

static td_tiles tiles_of(const td_workload *of, const td_variant *v)
{
    const td_technique_facts *facts = &td_techniques[either(v->like, v->technique)];
    return (td_tiles){
        .only = td_techniques[v->technique].option,
        .instead = v->cell == TD_WIDTH_bit ? "--cell u8 --memory halo"
                   : of->dimension == 3    ? "--memory conditional"
                                           : "--memory halo",
        .multiple = either(facts->multiple, lane_cells(v)),
        .most = either(v->most, facts->most),
        .side = either(v->side, facts->side),
        .threads_multiple = facts->threads_multiple,
        .threads_most = either(v->threads_most, facts->threads_most),
        .block = v->block.x > 0 ? v->block : facts->block,
        .flat = facts->flat,
        .banded = facts->banded && of->dimension == 2,
        .band = v->band,
        .small = {v->small[0], v->small[1], v->small[2], v->small[3]},
        .registers = v->registers,
    };
}

static td_element element_of(const td_cells *cells, td_width width)
{
    const bool is_byte = td_kind_of_width(cells, width).saved_bytes == 1;
    return is_byte ? TD_U8 : cells->kind.is_float ? TD_F32 : TD_U32;
}

static const td_workload *make(made *m, const td_workload *of, uint32_t row)
{
    const td_cells *cells = of->automaton->cells;
    const td_variant *v = &of->automaton->variants[row];
    const td_technique_facts *facts = &td_techniques[v->technique];
    m->automaton = *of->automaton;
    m->automaton.variant = v;
    m->automaton.row = row;
    m->automaton.generations = either(facts->generations, 1);
    m->automaton.dead_halo = facts->storage != TD_STORED_PACKED;
    m->automaton.state_bytes = cells->kind.bytes * cells->kind.planes;
    m->automaton.saved = cells->kind.is_float ? TD_F32 : TD_U8;
    m->tiles = tiles_of(of, v);
    m->workload = *of;
    m->workload.element = element_of(cells, v->cell);
    m->workload.traits.has_layouts = of->traits.has_layouts && facts->storage == TD_STORED_PACKED;
    m->workload.traits.from_zero = facts->storage != TD_STORED_PACKED;
    m->workload.automaton = &m->automaton;
    m->workload.tiles = facts->generations > 0 ? &m->tiles : NULL;
    return &m->workload;
}

/* Replaces "auto" by its meaning. */
static void resolve_auto(const td_automaton *automaton, td_problem *problem)
{
    td_value *memory = &problem->parameters[TD_MEMORY], *cell = &problem->parameters[TD_CELL];
    for (uint64_t word = 1; cell->count == 0; word++) {
        cell->count = automaton->widths[word] == automaton->widths[0] ? word : 0;
    }
    if (memory->count == TD_TECHNIQUE_auto) {
        memory->count = td_automaton_width(automaton, problem) == TD_WIDTH_bit ? TD_TECHNIQUE_strip
                                                                               : automaton->usual;
    }
}

const td_workload *td_automaton_variant(const td_workload *workload, uint32_t id,
                                        td_problem *problem, const char **why)
{
    static made all[TD_WORKLOAD_COUNT][TD_TECHNIQUES][TD_WIDTHS];
    const td_automaton *automaton = workload->automaton;
    resolve_auto(automaton, problem);
    const uint64_t technique = problem->parameters[TD_MEMORY].count;
    const td_width width = td_automaton_width(automaton, problem);
    made *m = &all[id][technique][width];
    for (uint32_t row = 0; m->workload.name == NULL && row < automaton->variant_count; row++) {
        const td_variant *v = &automaton->variants[row];
        if (v->technique == technique && v->cell == width) {
            return make(m, workload, row);
        }
    }
    *why = workload->dimension == 3 ? "--memory is conditional or strip on a tetrahedron"
           : automaton->cells->next_words != NULL
               ? "--cell bit goes with --memory strip and --memory four-generation"
               : "no kernel of it has this --memory with this --cell";
    return m->workload.name != NULL ? &m->workload : NULL;
}
