/* ranks.c - functions built on those that call MPI. */
#include "ranks.h"

td_status td_ranks_same(td_ranks *ranks, uint64_t digest, const char *what, td_error *error)
{
    uint64_t wanted = digest;
    td_ranks_broadcast(ranks, &wanted, sizeof wanted);
    const int index = (int)td_ranks_index(ranks);
    const uint64_t first =
        td_ranks_least(ranks, digest != wanted ? (uint64_t)index : (uint64_t)td_ranks_count(ranks));
    return first == td_ranks_count(ranks)
               ? TD_OK
               : td_fail(error, TD_USAGE,
                         "--ranks: rank %u has another %s than rank 0: start all ranks alike",
                         (unsigned)first, what);
}
