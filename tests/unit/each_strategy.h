/* each_strategy.h - a test for each strategy of a list, which finds it in its state. */
#ifndef TD_TESTS_UNIT_EACH_STRATEGY_H
#define TD_TESTS_UNIT_EACH_STRATEGY_H

#include "test.h"

#include "strategies/strategies.h"

static inline const td_strategy *strategy_of(void **state)
{
    return td_strategies[(uintptr_t)*state];
}

#define EACH(id, test)                                                                             \
    {                                                                                              \
#test "/" #id, test, NULL, NULL, (void *)(uintptr_t)TD_STRATEGY_##id                       \
    }

#endif
