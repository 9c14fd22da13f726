/*
 * flaggems - a binary search for the row of a pair i < j, without a root. The pair of n + 1 is tile (j - 1, i).
 *
 * Found in    https://github.com/flagos-ai/FlagGems, src/flag_gems/ops/pdist.py; issue 5232
 * Arithmetic  int32: the number of pairs is negative from 46,342 on, and every block returns at once
 * Reported    memory that was never written at N = 46,342: https://github.com/flagos-ai/FlagGems/issues/5232
 * Repair      int64, which Triton takes if a factor is cast; a search costs 15 to 17 dependent steps, a root some ten
 *             instructions
 */
#include "strategies/own.h"

TD_FN td_pair td_flaggems_pair(uint64_t index, uint32_t n)
{
    const int32_t pid = (int32_t)index, pairs = (int32_t)((n + 1) * n) / 2;
    int32_t low = 0, high = (int32_t)n;
    while (pid < pairs && low < high) {
        const int32_t middle = (low + high) / 2;
        const uint32_t before =
            (uint32_t)middle * (n + 1) - (uint32_t)((int32_t)(middle * (middle + 1)) / 2);
        low = (int32_t)before <= pid ? middle + 1 : low;
        high = (int32_t)before <= pid ? high : middle;
    }
    const int32_t i = low > 0 ? low - 1 : 0;
    td_pair at;
    at.row = pid < pairs ? (uint32_t)(pid - (i * (int32_t)(n + 1) - i * (i + 1) / 2) + i)
                         : n; /* n: no tile */
    at.col = (uint32_t)i;
    return at;
}
