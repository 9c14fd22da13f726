/*
 * strategies.h - every strategy with its descriptor. A new one needs a header, its include here and its identifier in
 * list.h.
 */
#ifndef TD_STRATEGIES_STRATEGIES_H
#define TD_STRATEGIES_STRATEGIES_H

#include "bb.h"
#include "strategy.h"
#ifndef TD_OWN_STRATEGY
#include "bb_t.h"
#include "bb_tetra.h"
#include "cyclic.h"
#include "diagonal.h"
#include "dp.h"
#include "dp_tetra.h"
#include "hmap.h"
#include "hmap_tc.h"
#include "hmap_tetra.h"
#include "ltm_g.h"
#include "ltm_i.h"
#include "ltm_n.h"
#include "ltm_r.h"
#include "ltm_rows.h"
#include "ltm_t.h"
#include "ltm_tetra.h"
#include "ltm_x.h"
#include "morton.h"
#include "rb.h"
#include "rb_b.h"
#include "rb_tetra.h"
#include "rec.h"
#include "rec_tetra.h"
#include "rows.h"
#include "rows_fold.h"
#include "rows_list.h"
#include "rows_lpt.h"
#include "utm.h"
#include "utm_b.h"
#endif

/* The elements of a table of descriptors, in the order of ids. With a map from a file: it and the bounding box. */
#define TD_DESCRIPTOR_OF(id, ...) &td_##id,
#ifdef TD_OWN_STRATEGY
#define TD_DESCRIPTORS &td_mine, &td_bb
#else
#define TD_DESCRIPTORS TD_STRATEGIES(TD_DESCRIPTOR_OF, )
#endif

#endif
