/* check_counts.h - adds up verdicts, for the cpu engine. */
#pragma once

#include "engine/engine.h"

static inline void td_counts_add_verdict(td_check_counts *counts, td_verdict verdict)
{
    counts->checked++;
    counts->found += verdict.found;
    counts->mismatches += !verdict.ok;
    counts->max_abs_error =
        verdict.error > counts->max_abs_error ? verdict.error : counts->max_abs_error;
}

/* 2D only: keep the place of the first mismatch. */
static inline void td_counts_note_place(td_check_counts *counts, td_verdict verdict, uint32_t row,
                                        uint32_t col)
{
    const uint64_t place = ((uint64_t)row << 32 | col) + 1;
    if (!verdict.ok && (counts->first_wrong == 0 || place < counts->first_wrong)) {
        counts->first_wrong = place;
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
