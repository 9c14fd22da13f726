/* shard.c - the part of a sweep that one of several invocations runs. */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "engine/core/digest.h"

/* A group and the shard that it is dealt to. */
typedef struct lot {
    size_t group;
    double cost_s;
    uint32_t shard;
} lot;

/* The cost of the groups that a shard has so far. */
typedef struct load {
    double cost_s;
    uint32_t shard;
} load;

static bool is_less(const load *a, const load *b)
{
    return a->cost_s < b->cost_s || (a->cost_s <= b->cost_s && a->shard < b->shard);
}

/* Restore the heap after its first item, the least, has grown: let it sink to its place. */
static void sink(load *heap, uint32_t count)
{
    uint64_t at = 0;
    for (uint64_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_less(&heap[child + 1], &heap[child]);
        if (!is_less(&heap[child], &heap[at])) {
            return;
        }
        const load lesser = heap[child];
        heap[child] = heap[at];
        heap[at] = lesser;
        at = child;
    }
}

static int costliest_first(const void *a, const void *b)
{
    const lot *x = a, *y = b;
    if (x->cost_s < y->cost_s || x->cost_s > y->cost_s) {
        return x->cost_s < y->cost_s ? 1 : -1;
    }
    return (x->group > y->group) - (x->group < y->group);
}

static int by_group(const void *a, const void *b)
{
    const lot *x = a, *y = b;
    return (x->group > y->group) - (x->group < y->group);
}

/* Deal the groups out; afterwards lots[g] holds the shard of group g. */
static void deal_out(const td_sweep *sweep, const td_protocol *protocol, lot *lots, load *heap,
                     uint32_t count)
{
    for (size_t g = 0; g < sweep->group_count; g++) {
        lots[g] = (lot){g, td_cost_of_group(&sweep->groups[g], protocol), 0};
    }
    for (uint32_t s = 0; s < count; s++) {
        heap[s] = (load){0.0, s};
    }
    qsort(lots, sweep->group_count, sizeof *lots, costliest_first);
    for (size_t g = 0; g < sweep->group_count; g++) {
        lots[g].shard = heap[0].shard;
        heap[0].cost_s += lots[g].cost_s;
        sink(heap, count);
    }
    qsort(lots, sweep->group_count, sizeof *lots, by_group);
}

/* Moves the runs and groups of the shard to the front; copying forwards is safe, as none moves to a later place. */
static void keep(td_sweep *sweep, const lot *lots, uint32_t index)
{
    size_t runs = 0, groups = 0;
    for (size_t g = 0; g < sweep->group_count; g++) {
        const td_group group = sweep->groups[g];
        if (lots[g].shard == index) {
            for (size_t i = 0; i < group.count; i++) {
                sweep->runs[runs + i] = group.runs[i];
            }
            sweep->groups[groups++] = (td_group){sweep->runs + runs, group.count};
            runs += group.count;
        }
    }
    sweep->run_count = runs;
    sweep->group_count = groups;
}

static td_digest digest_of(const td_sweep *sweep)
{
    td_digest digest = {0};
    for (size_t r = 0; r < sweep->run_count; r++) {
        digest = td_digest_word(digest, sweep->runs[r].key);
    }
    return digest;
}

td_status td_sweep_shard(td_sweep *sweep, uint32_t index, uint32_t count,
                         const td_protocol *protocol, td_error *error)
{
    lot *lots = calloc(sweep->group_count, sizeof *lots);
    load *heap = calloc(count, sizeof *heap);
    const bool enough = lots != NULL && heap != NULL;
    if (enough) {
        sweep->shard = (td_shard){index, count, sweep->run_count, digest_of(sweep)};
        deal_out(sweep, protocol, lots, heap, count);
        keep(sweep, lots, index);
    }
    free(lots);
    free(heap);
    return enough ? TD_OK
                  : td_fail(error, TD_NO_MEMORY, "not enough memory to deal out %zu groups",
                            sweep->group_count);
}
