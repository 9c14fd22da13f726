#include "suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits from a to b: letters inserted, deleted, replaced, or swapped with a neighbour. */
static size_t edit_distance(td_span a, td_span b)
{
    size_t d[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (size_t i = 0; i <= a.length; i++) {
        for (size_t j = 0; j <= b.length; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const bool differs = a.text[i - 1] != b.text[j - 1];
            d[i][j] = least(d[i - 1][j - 1] + differs, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a.text[i - 1] == b.text[j - 2] &&
                a.text[i - 2] == b.text[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.length][b.length];
}

void td_suggest(td_suggestion *best, td_span word, td_span name)
{
    if (word.length == 0 || word.length > LONGEST_WORD || name.length > LONGEST_WORD) {
        return;
    }
    const size_t distance = edit_distance(word, name);
    const size_t near = 1 + name.length / 4; /* at a larger distance it is a different word */
    /* of two names as near, the longer: a letter is left out more often than one is added */
    const bool is_nearer = best->name.text == NULL || distance < best->distance ||
                           (distance == best->distance && name.length > best->name.length);
    if (distance <= near && distance < name.length && is_nearer) {
        best->name = name;
        best->distance = distance;
    }
}

td_shown td_suggest_text(const td_suggestion *best)
{
    td_shown shown = {""};
    if (best->name.text != NULL) {
        snprintf(shown.text, sizeof shown.text, ", did you mean '%.*s'?", (int)best->name.length,
                 best->name.text);
    }
    return shown;
}
