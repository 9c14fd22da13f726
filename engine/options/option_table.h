/*
 * option_table.h - the table of the engine's options: one row has an option's syntax, bounds, default and help.
 * Workloads bring more options, see parameters.h.
 */
#pragma once

#include "option_row.h"

extern const td_option td_option_table[];
extern const size_t td_option_count;
