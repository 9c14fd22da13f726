/*
 * own_map_unit.h - the host half of a map given as a file. The text that is compiled includes it after that file, which
 * has td_mine and td_mine_map by now: see own_forms.h. engine/compile/ loads what it defines.
 */
#pragma once

#include "engine/core/own.h"

/* Makes the digest of the preprocessed text depend on the compiler. */
static const char td_own_compiler[] __attribute__((unused)) = __VERSION__;

/* Plans call the program, which the library is not linked with. */
static td_plan_calls td_own_calls;

td_launch td_launch_over(const td_domain *domain, uint32_t x, uint32_t y, uint32_t z)
{
    return td_own_calls.launch_over(domain, x, y, z);
}

void td_plan_add(td_plan *plan, td_launch launch)
{
    td_own_calls.add(plan, launch);
}

void td_plan_append(td_plan *plan, const td_launch *launch)
{
    td_own_calls.append(plan, launch);
}

const td_own_map_unit td_own_map_unit_of_file = {TD_OWN_MAP_SHAPE, &td_mine,
                                                 (void (*)(void))td_mine_map, &td_own_calls};
