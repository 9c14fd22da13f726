/* each_strategy.h - one test per strategy of a list; `state` holds the strategy. */
#ifndef TD_TESTS_UNIT_EACH_STRATEGY_H
#define TD_TESTS_UNIT_EACH_STRATEGY_H

#include "test.h"

#include "strategies/strategies.h"

static inline const td_strategy *strategy_of(void **state)
{
    return td_strategies[(uintptr_t)*state];
}

#define EACH(id, test) td_test_add(#test "/" #id, test, (void *)(uintptr_t)TD_STRATEGY_##id)

#endif
