/* roofline.c - which ceiling binds a run, and what it allows. */
#include "roofline.h"

#include <math.h>
#include <stddef.h>

/* A rate that was measured, and what a run wants of it. */
typedef struct ceiling {
    const char *name;
    double g_per_s; /* 0: unknown */
    uint64_t amount;
} ceiling;

static ceiling memory_of(const td_run *run, const td_result *result, const td_environment *e)
{
    const td_workload *w = run->workload;
    const uint64_t read = td_workload_input_bytes(w, &run->problem);
    const bool copies = w->automaton != NULL || w->counts_visits || 2 * read >= result->bytes;
    const ceiling copy = {"copy", e->copy_gb_per_s, result->launch_bytes};
    const ceiling fill = {"fill", e->fill_gb_per_s, result->launch_bytes};
    return copies ? copy : fill;
}

static ceiling arithmetic_of(const td_run *run, const td_result *result, const td_environment *e)
{
    const ceiling fp64 = {"fp64", e->fp64_gop_per_s, result->flops};
    const ceiling fp32 = {"fp32", e->fp32_gop_per_s, result->flops};
    const ceiling int32 = {"int32", e->int32_gop_per_s, result->int_ops};
    const ceiling floating = run->workload->sum != NULL ? fp64 : fp32;
    return result->flops > 0 ? floating : int32;
}

/* At the ceiling's rate; 0 where nothing is wanted of it or its rate is unknown. */
static double least_ms(const ceiling *c)
{
    return c->amount > 0 && c->g_per_s > 0 ? (double)c->amount / (c->g_per_s * 1e6) : 0.0;
}

td_roofline td_roofline_make(const td_run *run, const td_result *result,
                             const td_environment *environment, double median_ms)
{
    const ceiling memory = memory_of(run, result, environment);
    const ceiling arithmetic = arithmetic_of(run, result, environment);
    const double memory_ms = least_ms(&memory), arithmetic_ms = least_ms(&arithmetic);
    const double bound_ms = fmax(memory_ms, arithmetic_ms);
    const bool computes = arithmetic.amount > 0;
    if (!td_workload_has_model(run->workload)) {
        const td_roofline unknown = {
            .intensity = NAN, .gop_per_s = NAN, .bound_ms = NAN, .fraction = NAN};
        return unknown;
    }
    const td_roofline roofline = {
        .bytes = memory.amount,
        .operations = arithmetic.amount,
        .arithmetic = computes ? arithmetic.name : NULL,
        .intensity = memory.amount > 0 ? (double)arithmetic.amount / (double)memory.amount : NAN,
        .gop_per_s = median_ms > 0 ? (double)arithmetic.amount / (median_ms * 1e6) : NAN,
        .ceiling =
            bound_ms > 0 ? (arithmetic_ms > memory_ms ? arithmetic.name : memory.name) : NULL,
        .bound_ms = bound_ms > 0 ? bound_ms : NAN,
        .fraction = bound_ms > 0 && median_ms > 0 ? bound_ms / median_ms : NAN,
    };
    return roofline;
}
