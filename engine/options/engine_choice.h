/* engine_choice.h - the engine that a command line asks for. */
#pragma once

#include "engine/engine.h"
#include "options.h"

/*
 * td_assume_engine - the engine that auto prefers, if it is likely to be usable: whether it is takes long to answer.
 *
 * Output  NULL: td_choose_engine has to ask at once. So it has for a plan that nobody executes (--dry-run), and for
 *         processes that would have to agree on another engine
 */
const td_engine_ops *td_assume_engine(const td_options *options);

/* td_choose_engine - the engine of --engine; with --verbose, stderr says why it is not the one that auto prefers. */
const td_engine_ops *td_choose_engine(const td_options *options);
