/* registry.c - the strategies as a table, made from the lists. */
#include <string.h>

#include "strategies.h"

#define ROW(id_, name_, alias_, exact_, summary_, source_, dimension_, unit_, rows_, tree_,        \
            cutoff_)                                                                               \
    {.name = name_,                                                                                \
     .alias = alias_,                                                                              \
     .summary = summary_,                                                                          \
     .source = source_,                                                                            \
     .exact_n = exact_,                                                                            \
     .id = TD_STRATEGY_##id_,                                                                      \
     .dimension = dimension_,                                                                      \
     .unit = unit_,                                                                                \
     .rows = rows_,                                                                                \
     .tree = tree_,                                                                                \
     .uses_cutoff = cutoff_,                                                                       \
     .plan = td_##id_##_plan},
#define BLOCK_ROW(id, name, alias, exact, summary, source, A)                                      \
    ROW(id, name, alias, exact, summary, source, 2, TD_MAPS_BLOCKS, false, false, false)
#define THREAD_ROW(id, name, alias, exact, summary, source, A)                                     \
    ROW(id, name, alias, exact, summary, source, 2, TD_MAPS_THREADS, false, false, false)
#define TREE_ROW(id, name, alias, exact, summary, source, A)                                       \
    ROW(id, name, alias, exact, summary, source, 2, TD_MAPS_BLOCKS, false, true, true)
#define BLOCK_ROW_3D(id, name, alias, exact, summary, source, A)                                   \
    ROW(id, name, alias, exact, summary, source, 3, TD_MAPS_BLOCKS, false, false, false)
#define ROWS_ROW_3D(id, name, alias, exact, summary, source, A)                                    \
    ROW(id, name, alias, exact, summary, source, 3, TD_MAPS_BLOCKS, true, false, false)
#define BOX_ROW_3D(id, name, alias, exact, summary, source, A)                                     \
    ROW(id, name, alias, exact, summary, source, 3, TD_MAPS_BLOCKS, false, false, true)
#define TREE_ROW_3D(id, name, alias, exact, summary, source, A)                                    \
    ROW(id, name, alias, exact, summary, source, 3, TD_MAPS_BLOCKS, false, true, true)

const td_strategy td_strategies[] = {TD_BLOCK_MAPS(BLOCK_ROW, ) TD_THREAD_MAPS(THREAD_ROW, )
                                         TD_TREES(TREE_ROW, ) /* 2D */
                                     TD_BLOCK_MAPS_3D(BLOCK_ROW_3D, ) TD_ROW_MAPS_3D(ROWS_ROW_3D, )
                                         TD_BOX_MAPS_3D(BOX_ROW_3D, ) TD_TREES_3D(TREE_ROW_3D, )};

const size_t td_strategy_count = sizeof td_strategies / sizeof td_strategies[0];

const td_strategy *td_strategy_find(const char *name)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = &td_strategies[i];
        if (strcmp(s->name, name) == 0 || (s->alias != NULL && strcmp(s->alias, name) == 0)) {
            return s;
        }
    }
    return NULL;
}
