/*
 * option_table.h - the table of the engine's options: syntax, bounds, default and help of each in one row. Workloads
 * bring more, see parameters.h.
 */
#ifndef TD_ENGINE_OPTIONS_OPTION_TABLE_H
#define TD_ENGINE_OPTIONS_OPTION_TABLE_H

#include "option_row.h"

extern const td_option td_option_table[];
extern const size_t td_option_count;

#endif
