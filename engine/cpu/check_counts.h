/* tally.h - adding up verdicts, for the cpu engine. */
#ifndef TD_TALLY_H
#define TD_TALLY_H

#include "engine/engine.h"

static inline void td_tally_add_verdict(td_tally *tally, td_verdict verdict)
{
    tally->checked++;
    tally->tally += verdict.tally;
    tally->mismatches += !verdict.ok;
    tally->max_abs_error =
        verdict.error > tally->max_abs_error ? verdict.error : tally->max_abs_error;
}

static inline void td_tally_add(td_tally *sum, const td_tally *part)
{
    sum->checked += part->checked;
    sum->mismatches += part->mismatches;
    sum->touched_outside += part->touched_outside;
    sum->tally += part->tally;
    sum->max_abs_error =
        part->max_abs_error > sum->max_abs_error ? part->max_abs_error : sum->max_abs_error;
}

/* How many bytes differ from `byte`. */
static inline uint64_t td_count_other(const uint8_t *bytes, uint8_t byte, uint64_t count)
{
    uint64_t other = 0;
    for (uint64_t i = 0; i < count; i++) {
        other += bytes[i] != byte;
    }
    return other;
}

#endif
