/* vector.h - an array that grows by one item at a time; its count is all the state that it needs. */
#pragma once

#include <stddef.h>

/*
 * td_vector_grow - room for one more item at the end.
 *
 * Input   items: NULL, or what an earlier call returned; count: items in use; size: of an item [bytes]
 * Output  the array, perhaps moved; NULL when memory is short, and `items` is then unchanged
 */
void *td_vector_grow(void *items, size_t count, size_t size);
