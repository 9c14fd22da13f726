/* tree.h - trees of boxes on the host's cores. */
#pragma once

#include "engine/engine.h"
#include "walk.h"

/* Run a tree strategy once. Each node is an OpenMP task; on a GPU each is a kernel. */
void td_cpu_tree(const td_execution *execution, const td_data *data, td_cpu_walk_fn *walk,
                 const td_cpu_work *work, int threads);
