/*
 * option_table.h - the table of the engine's options: one row has an option's syntax, bounds, default and help.
 */
#pragma once

#include "option_row.h"

extern const td_option td_option_table[];
extern const size_t td_option_count;

/* The row of the long option of this name; NULL: there is none. */
const td_option *td_option_named(const char *name);
