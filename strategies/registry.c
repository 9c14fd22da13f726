/* registry.c - the strategies as a table, made from the lists. */
#include <string.h>

#include "strategies.h"

const td_strategy *td_strategies[TD_STRATEGIES_MOST] = {TD_DESCRIPTORS};

size_t td_strategy_count = TD_STRATEGY_COUNT;

bool td_strategy_add(const td_strategy *strategy)
{
    if (td_strategy_count == TD_STRATEGIES_MOST) {
        return false;
    }
    td_strategies[td_strategy_count++] = strategy;
    return true;
}

const td_strategy *td_strategy_find(const char *name)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        if (strcmp(s->name, name) == 0 || (s->alias != NULL && strcmp(s->alias, name) == 0)) {
            return s;
        }
    }
    return NULL;
}

const td_strategy *td_strategy_baseline(int dimension)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        if (td_strategies[i]->is_baseline && td_strategies[i]->dimension == dimension) {
            return td_strategies[i];
        }
    }
    return NULL;
}

const td_strategy *td_strategy_stand_in(int dimension, uint32_t n)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        const td_strategy *s = td_strategies[i];
        if (s->is_stand_in && s->dimension == dimension && n <= s->exact_n) {
            return s;
        }
    }
    return NULL;
}

const td_strategy *td_strategy_of_square(void)
{
    for (size_t i = 0; i < td_strategy_count; i++) {
        if (td_strategies[i]->square_map != NULL) {
            return td_strategies[i];
        }
    }
    return NULL;
}
