/* suggest.h - "did you mean". */
#pragma once

#include "span.h"

/* The best candidate so far; start zeroed. */
typedef struct td_suggestion {
    td_span name; /* a NULL text: nothing is near */
    size_t distance;
} td_suggestion;

/* Keep a name if it is near the word, and nearer than the best so far. */
void td_suggest(td_suggestion *best, td_span word, td_span name);

/* ", did you mean 'NAME'?" or nothing. */
td_shown td_suggest_text(const td_suggestion *best);
