/* both_engines.h - the two engines that are compared, and runs on them, for the checks of the GPU. */
#ifndef TD_TESTS_CUDA_BOTH_ENGINES_H
#define TD_TESTS_CUDA_BOTH_ENGINES_H

#include "tests/unit/test.h"
#include "tests/unit/variants.h"

#include "engine/engine.h"

extern td_engine *td_gpu, *td_host; /* the first is NULL where no device answers */
extern variant td_variants[MOST_VARIANTS];
extern size_t td_variant_count;

typedef struct shape {
    td_dim3 block;
    uint32_t tile;
} shape;

/* Set-up and teardown of all checks together. */
int td_open_engines(void **state);
int td_close_engines(void **state);

/* Skips the check with its reason where no device answers. */
void td_need_device(void);

td_run td_make_run(const td_strategy *strategy, const td_workload *workload, uint32_t n, shape s);

/* The same for a variant, whose own choices stay. */
td_run td_make_variant_run(const td_strategy *strategy, const variant *v, uint32_t n, shape s);

/* True when both engines verify and agree to the bit. */
bool td_agree(const td_run *run);

/* One run of a tetrahedron on one engine, verified there. */
bool td_is_right(td_engine *engine, const td_run *run);

#endif
