/* show_json.h - --show as data: the places that each block of a small map works on. */
#pragma once

#include "report/format/text.h"
#include "small_map.h"

/*
 * td_show_json - append one object, on one line: the map, and for each launch the places that its elements work on.
 *
 * Errors  TD_NO_MEMORY
 */
td_status td_show_json(const td_small_map *map, td_text *text, td_error *error);
