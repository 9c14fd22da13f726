#include "vector.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

/* The capacity is 64, 128, 256, ... items, so that the count alone tells when the array is full. */
bool td_vector_add(void *items, size_t *count, size_t size, const void *item)
{
    uint8_t *array;
    memcpy(&array, items, sizeof array);
    if (*count == 0 || (*count >= FIRST_ROOM && (*count & (*count - 1)) == 0)) {
        array = realloc(array, (*count == 0 ? FIRST_ROOM : 2 * *count) * size);
        if (array == NULL) {
            return false;
        }
        memcpy(items, &array, sizeof array);
    }
    memcpy(array + (*count)++ * size, item, size);
    return true;
}
