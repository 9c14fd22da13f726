/*
 * strategies.h - the lists. One row a strategy; everything else that knows strategies is made from them.
 *
 * X(identifier, "name", "alias" or NULL, exact n, "summary", "source", A)
 *
 * The exact n counts tiles a side, for thread maps cells a side. A is passed through, so that another list can
 * be expanded inside of this one.
 */
#ifndef TD_STRATEGIES_STRATEGIES_H
#define TD_STRATEGIES_STRATEGIES_H

#include "bb.h"
#include "bb_t.h"
#include "bb_tetra.h"
#include "dp.h"
#include "dp_tetra.h"
#include "hmap.h"
#include "ltm_i.h"
#include "ltm_n.h"
#include "ltm_r.h"
#include "ltm_rows.h"
#include "ltm_tetra.h"
#include "ltm_x.h"
#include "rb.h"
#include "rb_b.h"
#include "rb_tetra.h"
#include "rec.h"
#include "rec_tetra.h"
#include "strategy.h"
#include "utm.h"
#include "utm_b.h"
#include "utm_t.h"

/* clang-format off */

/* 2D: block index -> tile. */
#define TD_BLOCK_MAPS(X, A) \
    X(bb,    "bb",    NULL,  1048576, "bounding box, blocks above the diagonal return at once", \
      "Navarro & Hitschfeld, section III.B", A) \
    X(ltm_x, "ltm-x", NULL,  4607,    "lower-triangular map, sqrtf", \
      "Navarro & Hitschfeld, equations (8), (9)", A) \
    X(ltm_n, "ltm-n", NULL,  1949,    "lower-triangular map, three Newton steps", \
      "Navarro & Hitschfeld, equations (8), (9), section III.A", A) \
    X(ltm_r, "ltm-r", "ltm", 1920,    "lower-triangular map, x rsqrtf(x): the paper's choice", \
      "Navarro & Hitschfeld, equations (8), (9), (16)", A) \
    X(ltm_i, "ltm-i", NULL,  92681,   "lower-triangular map, repaired in integers: exact, no wasted block", \
      "ltm-r with an integer repair", A) \
    X(utm_b, "utm-b", NULL,  92680,   "upper-triangular map on blocks, repaired in integers", \
      "Avril et al. 2012, on blocks", A) \
    X(rb_b,  "rb-b",  NULL,  1048576, "rectangular box on blocks: a fold, no root, no wasted block", \
      "Navarro & Hitschfeld, section III.B, on blocks", A) \
    X(rec,   "rec",   NULL,  1048576, "recursive partition: independent levels of squares", \
      "Ries et al. 2009", A) \
    X(hmap,  "hmap",  NULL,  1048576, "flat recursive map: one bit scan, one launch a bit of n", \
      "Navarro et al. 2016", A)

/* 2D: thread -> cell. */
#define TD_THREAD_MAPS(X, A) \
    X(bb_t,  "bb-t",  NULL,  1048576, "bounding box, every thread tests its own cell", \
      "the usual way", A) \
    X(utm,   "utm",   NULL,  1048576, "upper-triangular map, reflected, contiguous stores", \
      "Avril et al. 2012", A) \
    X(utm_t, "utm-t", NULL,  1048576, "upper-triangular map, transposed, scattered stores", \
      "Avril et al. 2012", A) \
    X(rb,    "rb",    NULL,  1048576, "rectangular box: the triangle folded to a rectangle of threads", \
      "Jung & O'Leary 2008", A)

/* 2D: a tree of boxes. The map of a box is a block map; on a GPU each node launches its children. */
#define TD_TREES(X, A) \
    X(dp,    "dp",    NULL,  65535,  "dynamic parallelism: rectangles launched from the device", \
      "recursive launches, after Navarro & Hitschfeld, section V", A)

/* 3D: block index -> tile. Ranges end where a grid would have to be cut in pieces: 65535 rows and slices. */
#define TD_BLOCK_MAPS_3D(X, A) \
    X(bb_tetra,  "bb-tetra",  NULL, 65535, "bounding box of a tetrahedron, five sixths of the blocks return at once", \
      "Gonzalez & Navarro, tetrahedral domains, section V", A) \
    X(ltm_tetra, "ltm-tetra", NULL, 2343, \
      "block number to tile by a cube root, repaired in integers: no wasted block", \
      "Navarro et al., the lambda map in 3D", A) \
    X(rb_tetra,  "rb-tetra",  NULL, 65535, "each slice of the tetrahedron folded to a rectangle of blocks: no root", \
      "Navarro & Hitschfeld, section III.B, slice by slice", A)

/* 3D: block index -> tile of whole rows: --tile of them along y and z, each as long as it is. */
#define TD_ROW_MAPS_3D(X, A) \
    X(ltm_rows, "ltm-rows", NULL, 65535, \
      "the rows of a tetrahedron as the cells of a triangle: blocks take whole rows", \
      "ltm-i along x", A)

/* 3D: boxes down to --cutoff, block index -> tile. */
#define TD_BOX_MAPS_3D(X, A) \
    X(rec_tetra, "rec-tetra", NULL, 65535, "the boxes of dp-tetra launched from the host, all at once", \
      "the control experiment to dp-tetra", A)

/* 3D: a tree of boxes, as in 2D. */
#define TD_TREES_3D(X, A) \
    X(dp_tetra,  "dp-tetra",  NULL, 65535,   "dynamic parallelism in 3D: boxes launched from the device", \
      "Gonzalez & Navarro, tetrahedral domains, section IV, corrected", A)

/* clang-format on */

#define TD_STRATEGIES_2D(X, A) TD_BLOCK_MAPS(X, A) TD_THREAD_MAPS(X, A) TD_TREES(X, A)
#define TD_STRATEGIES_3D(X, A)                                                                     \
    TD_BLOCK_MAPS_3D(X, A) TD_ROW_MAPS_3D(X, A) TD_BOX_MAPS_3D(X, A) TD_TREES_3D(X, A)
#define TD_STRATEGIES(X, A) TD_STRATEGIES_2D(X, A) TD_STRATEGIES_3D(X, A)

enum td_strategy_id {
#define TD_ID(id, ...) TD_STRATEGY_##id,
    TD_STRATEGIES(TD_ID, )
#undef TD_ID
        TD_STRATEGY_COUNT
};

#endif
