/* workloads.h - all workloads: one include each, and a row in list.h. */
#ifndef TD_WORKLOADS_WORKLOADS_H
#define TD_WORKLOADS_WORKLOADS_H

#include "accumulate.h"
#include "attention.h"
#include "collision.h"
#include "cover.h"
#include "dummy.h"
#include "edm.h"
#include "gram.h"
#include "rowsum.h"
#include "workloads/automata/blur.h"
#include "workloads/automata/dog.h"
#include "workloads/automata/extrema.h"
#include "workloads/automata/gol.h"
#include "workloads/automata/life.h"
#include "workloads/automata/life3.h"
#include "workloads/automata/water.h"
#include "triplet.h"
#include "write.h"
#include "write3.h"

#endif
