/* check_counts.h - adds up verdicts, for the cpu engine. */
#pragma once

#include "engine/engine.h"

/* Input: cell: its td_cell_number */
static inline void td_counts_add_verdict(td_check_counts *counts, td_verdict verdict, uint64_t cell)
{
    counts->checked++;
    counts->found += verdict.found;
    counts->mismatches += !verdict.ok;
    counts->max_abs_error =
        verdict.error > counts->max_abs_error ? verdict.error : counts->max_abs_error;
    if (!verdict.ok && (counts->first_wrong == 0 || cell < counts->first_wrong)) {
        counts->first_wrong = cell + 1;
    }
}

static inline void td_counts_add(td_check_counts *sum, const td_check_counts *part)
{
    sum->checked += part->checked;
    sum->mismatches += part->mismatches;
    sum->touched_outside += part->touched_outside;
    sum->found += part->found;
    if (part->first_wrong != 0 && (sum->first_wrong == 0 || part->first_wrong < sum->first_wrong)) {
        sum->first_wrong = part->first_wrong;
    }
    sum->max_abs_error =
        part->max_abs_error > sum->max_abs_error ? part->max_abs_error : sum->max_abs_error;
}

/* The number of bytes that differ from `byte`. */
static inline uint64_t td_count_other(const uint8_t *bytes, uint8_t byte, uint64_t count)
{
    uint64_t other = 0;
    for (uint64_t i = 0; i < count; i++) {
        other += bytes[i] != byte;
    }
    return other;
}
