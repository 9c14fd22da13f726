/* share.h - the cells of a 2D domain that one of several processes computes: rows, the first and last perhaps cut. */
#ifndef TD_STRATEGIES_SHARE_H
#define TD_STRATEGIES_SHARE_H

#include "numbers.h"

/* Rows [first_row, end_row). Rows before head_end begin at column head_col; rows from tail_row on end at tail_col. */
typedef struct td_share {
    uint32_t first_row, end_row;
    uint32_t head_end, head_col;
    uint32_t tail_row, tail_col;
} td_share;

/* All n rows. */
TD_FN td_share td_share_all(uint32_t n)
{
    td_share share;
    share.first_row = 0;
    share.end_row = n;
    share.head_end = 0;
    share.head_col = 0;
    share.tail_row = n;
    share.tail_col = 0;
    return share;
}

/* The first column of the share in a row whose cells end at column `end`. */
TD_FN uint32_t td_share_begin(const td_share *share, uint32_t row, uint32_t end)
{
    const uint32_t begin = row < share->head_end ? share->head_col : 0;
    return begin < end ? begin : end;
}

/* The column after the share's last one in such a row. */
TD_FN uint32_t td_share_end(const td_share *share, uint32_t row, uint32_t end)
{
    return row >= share->tail_row && share->tail_col < end ? share->tail_col : end;
}

#endif
