/* own.h - a workload or a map given as a file: what engines and verification need beyond its descriptor. */
#pragma once

#include "digest.h"
#include "strategies/strategy.h"
#include "workloads/data.h"

/* Compute columns [first, end) of a row, cell by cell, in order: every map must give this output. In 3D, compute rows
 * y = first, ..., end - 1 of the slice z = row. */
typedef void td_plain_loop_fn(const td_data *data, uint32_t row, uint32_t first, uint32_t end);

struct td_box;

/* td_workload.own. Lives as long as the process. */
typedef struct td_own {
    char *id;      /* "rbf" of td_rbf_cell; the workload is called "rbf@1f3c5a7b" */
    char *path;    /* absolute */
    char *headers; /* absolute: the folder that holds strategies/, workloads/, engine/ */
    /* Of $CC, the file and everything that it includes, except headers of the system and of this program. */
    td_digest digest;
    bool has_check; /* td_ID_check exists */
    bool has_tile;  /* td_ID_tile exists, in the file itself */
    /* from the host half: see kernels.h of the cpu engine */
    void (*cells)(const td_data *data, const struct td_box *box, const void *restrict input,
                  void *restrict output);
    const struct td_cpu_checks *checks;
    td_plain_loop_fn *loop; /* NULL for a sum */
} td_own;

/* td_strategy.own. Lives as long as the process. */
typedef struct td_own_map {
    char *path;    /* absolute */
    char *headers; /* as in td_own */
    char *
        form; /* lines after the file, which give its map and descriptor the names td_mine_map and td_mine */
    td_digest digest; /* as in td_own */
} td_own_map;

/* The functions of the program that plans call. */
typedef struct td_plan_calls {
    td_launch (*launch_over)(const td_domain *domain, uint32_t x, uint32_t y, uint32_t z);
    void (*add)(td_plan *plan, td_launch launch);
    void (*append)(td_plan *plan, const td_launch *launch);
} td_plan_calls;

/* The type of td_own_map_unit_of_file, the symbol that a compiled file defines. */
typedef struct td_own_map_unit {
    uint64_t shape; /* TD_OWN_MAP_SHAPE of the headers that it was compiled with */
    const td_strategy *strategy;
    void (*map)(void);    /* td_NAME_map, of whatever type: the one that kernels for a GPU call */
    td_plan_calls *calls; /* to be set before a plan is made */
} td_own_map_unit;

/* Differs between headers whose structs differ in size. */
#define TD_OWN_MAP_SHAPE                                                                           \
    ((sizeof(td_strategy) * 1009 + sizeof(td_launch)) * 1009 + sizeof(td_domain))
