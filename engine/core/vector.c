#include "vector.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/* The capacity is 64, 128, 256, ... items, so that the count alone tells when the array is full. */
void *td_vector_grow(void *items, size_t count, size_t size)
{
    const bool is_full = count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
    return is_full ? realloc(items, (count == 0 ? FIRST_ROOM : 2 * count) * size) : items;
}
