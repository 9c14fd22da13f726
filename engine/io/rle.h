/* rle.h - patterns of cellular automata in the run-length encoding that Golly and LifeWiki use. */
#pragma once

#include "engine/core/error.h"

enum { TD_RLE_SIDE = 1 << 20, TD_RLE_CELLS = 1 << 30 };

/* A rectangle of cells. Zeroed when empty. */
typedef struct td_pattern {
    uint32_t width, height;
    uint32_t rule;  /* four decimal digits El Eu Fl Fu */
    uint8_t *cells; /* width x height, row by row, 1 alive */
} td_pattern;

/*
 * td_rle_read - read a pattern from an .rle file.
 *
 * Shape   width and height 1 to 2^20, together at most 2^30 cells: what the file's header says
 * Input   path: lines that begin with '#' are comments; "x = 3, y = 3, rule = B3/S23", where the rule may be missing
 *         (then 2333); runs of b, o and $ up to '!', with white space anywhere, also between the digits of a count as
 *         in Golly; the text after '!' is ignored
 * Output  pattern; release with td_pattern_free. Zeroed on error
 * Errors  TD_USAGE: with line and column (both from 1) if the text is not as above, cells lie outside the size of the
 *         header, or td_rle_rule rejects the rule; TD_FAILED: the read failed; TD_NO_MEMORY
 */
td_status td_rle_read(const char *path, td_pattern *pattern, td_error *error);

/*
 * td_rle_parse - the same for text in memory.
 *
 * Input   text[length] is NUL; name stands for the path in errors
 */
td_status td_rle_parse(const char *text, size_t length, const char *name, td_pattern *pattern,
                       td_error *error);

/*
 * td_rle_rule - the four digits El Eu Fl Fu of a rule in words.
 *
 * A live cell survives with El..Eu live neighbours and a dead one is born with Fl..Fu. A condition that never holds is
 * 9..9, because a cell has 8 neighbours.
 *
 * Input   text[length]: B3/S23, S23/B3, B3S23, or 23/3 (survival first), in upper or lower case
 * Errors  TD_USAGE: another notation, or counts that are not an interval; rule is then 0, and the error speaks of the
 *         rule only, not of any file
 */
td_status td_rle_rule(const char *text, size_t length, uint32_t *rule, td_error *error);

/* td_pattern_free - release the cells and zero the pattern. */
void td_pattern_free(td_pattern *pattern);
