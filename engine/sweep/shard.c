/* shard.c - the part of a sweep that one of several invocations runs. */
#include "sweep.h"

/* Move the runs of a group that stay to `kept`, which is never behind them. Returns how many. */
static size_t keep_of_group(const td_group *group, size_t first, uint32_t index, uint32_t count,
                            td_run *kept)
{
    bool needs_baseline = false;
    size_t used = 0;
    for (size_t i = 0; i < group->count; i++) {
        const bool mine = (first + i) % count == index;
        needs_baseline |= mine && !group->runs[i].is_baseline && group->runs[i].skip[0] == '\0';
    }
    for (size_t i = 0; i < group->count; i++) {
        const bool mine = (first + i) % count == index;
        const bool lent =
            needs_baseline && group->runs[i].is_baseline && group->runs[i].skip[0] == '\0';
        if (mine || lent) {
            kept[used] = group->runs[i];
            kept[used++].unrecorded = !mine;
        }
    }
    return used;
}

void td_sweep_shard(td_sweep *sweep, uint32_t index, uint32_t count)
{
    size_t first = 0, runs = 0, groups = 0;
    for (size_t g = 0; g < sweep->group_count; g++) {
        const td_group group = sweep->groups[g];
        const size_t used = keep_of_group(&group, first, index, count, sweep->runs + runs);
        first += group.count;
        if (used > 0) {
            sweep->groups[groups].runs = sweep->runs + runs;
            sweep->groups[groups++].count = used;
        }
        runs += used;
    }
    sweep->run_count = runs;
    sweep->group_count = groups;
}
