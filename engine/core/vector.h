/* vector.h - an array that grows by one item at a time; its count is all the state that it needs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * td_vector_add - append a copy of an item.
 *
 * Input   items: the address of the array's pointer, which is NULL at first and may change; count: items in use; size:
 *         of an item [bytes]
 * Output  whether there was memory; if not, array and count are unchanged
 */
bool td_vector_add(void *items, size_t *count, size_t size, const void *item);
