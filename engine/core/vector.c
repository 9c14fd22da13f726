#include "vector.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/* There is room for 64, 128, 256... items: the count alone tells when it is used up. */
void *td_vector_grow(void *items, size_t count, size_t size)
{
    const bool is_full = count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
    return is_full ? realloc(items, (count == 0 ? FIRST_ROOM : 2 * count) * size) : items;
}
