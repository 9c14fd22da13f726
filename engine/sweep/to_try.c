#include "to_try.h"

enum { FEWEST_THREADS = 64, MOST_THREADS = 1024 };

static void add(td_shape_list *list, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t threads = x * y * (z > 0 ? z : 1);
    if (threads >= FEWEST_THREADS && threads <= MOST_THREADS && list->count < TD_SHAPES_TO_TRY) {
        list->shapes[list->count++] = (td_shape){x, y, z, false};
    }
}

td_shape_list td_blocks_to_try(int dimension)
{
    td_shape_list list = {.count = 0};
    const uint32_t narrowest = dimension == 3 ? 4 : 8, widest = dimension == 3 ? 64 : 256;
    for (uint32_t x = narrowest; x <= widest; x *= 2) {
        for (uint32_t y = 1; y <= x; y *= 2) {
            if (dimension == 2) {
                add(&list, x, y, 0);
            }
            for (uint32_t z = 1; z <= y && dimension == 3; z *= 2) {
                add(&list, x, y, z);
            }
        }
    }
    return list;
}

td_shape_list td_tiles_to_try(int dimension, uint32_t n)
{
    td_shape_list list = {.count = 0};
    const uint32_t least = dimension == 3 ? 2 : 8, most = dimension == 3 ? 64 : 1024;
    for (uint32_t tile = least; tile <= most && (tile == least || tile < 2 * n); tile *= 2) {
        list.shapes[list.count++] = (td_shape){tile, tile, 0, true};
    }
    return list;
}
