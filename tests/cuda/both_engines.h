/* both_engines.h - the two engines that the GPU checks compare, and runs on them. */
#ifndef TD_TESTS_CUDA_BOTH_ENGINES_H
#define TD_TESTS_CUDA_BOTH_ENGINES_H

#include "tests/unit/test.h"
#include "tests/unit/variants.h"

#include "engine/engine.h"
#include "engine/prepare/buffers.h"

extern td_engine *td_gpu, *td_host; /* td_gpu is NULL if no device answers */
extern variant td_variants[MOST_VARIANTS];
extern size_t td_variant_count;

typedef struct shape {
    td_dim3 block;
    uint32_t tile;
} shape;

/* Set-up and teardown of all checks together. */
int td_open_engines(void **state);
int td_close_engines(void **state);

/* Skips the check, with the reason, if no device answers. */
void td_need_device(void);

td_run td_make_run(const td_strategy *strategy, const td_workload *workload, uint32_t n, shape s);

/* The same for a variant, keeping the variant's choices. */
td_run td_make_variant_run(const td_strategy *strategy, const variant *v, uint32_t n, shape s);

/* A run that was launched and verified on one engine. */
typedef struct td_proven {
    td_engine *engine;
    td_run run;
    td_plan plan;
    td_buffers buffers;
    bool has_room; /* the buffers are open */
    td_result result;
    td_error error;
} td_proven;

/* To be closed, even after an error. */
td_status td_verify_on(td_engine *engine, const td_run *run, td_proven *v);
void td_proven_close(td_proven *v);

/* True if the run verifies on both engines with identical output bits. */
bool td_engines_agree(const td_run *run);

/* Adds the tests that there are of each strategy. */
void td_add_pairs(void);

/* One run of a tetrahedron on one engine, verified there. */
bool td_is_right(td_engine *engine, const td_run *run);

#endif
