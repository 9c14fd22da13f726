/* engine_choice.h - the engine that a command line asks for. */
#pragma once

#include "engine/engine.h"
#include "options.h"

/*
 * td_choose_engine - the engine of --engine; with --verbose, stderr says why it is not the one that auto prefers.
 *
 * Input   argv: of main, if the engine may restart the program to settle in; NULL: it may not
 */
const td_engine_ops *td_choose_engine(const td_options *options, char *const *argv);
