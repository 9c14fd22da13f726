/*
 * tile_stream.h - the cells of one tile, their results stored past the caches.
 *
 * A store reads its cache line from memory first, unless it is of the whole line and bypasses the caches. So a row of
 * cells is computed into a buffer that stays in L1, and whole lines go from there to the output.
 */
#ifndef TD_ENGINE_CPU_KERNELS_TILE_STREAM_H
#define TD_ENGINE_CPU_KERNELS_TILE_STREAM_H

#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "tile_loop.h"
#include "workloads/workload.h"

enum { TD_LINE_BYTES = 64, TD_STAGE_BYTES = 4096 };

/* One whole line. Input: TD_LINE_BYTES divides `to`. */
TD_INLINE void td_stream_line(uint8_t *to, const uint8_t *from)
{
#if defined __AVX512F__
    _mm512_stream_si512((void *)to, _mm512_loadu_si512(from));
#elif defined __AVX__
    _mm256_stream_si256((__m256i *)to, _mm256_loadu_si256((const __m256i *)from));
    _mm256_stream_si256((__m256i *)to + 1, _mm256_loadu_si256((const __m256i *)from + 1));
#elif defined __SSE2__
    for (int i = 0; i < 4; i++) {
        _mm_stream_si128((__m128i *)to + i, _mm_loadu_si128((const __m128i *)from + i));
    }
#else
    memcpy(to, from, TD_LINE_BYTES);
#endif
}

/* Other threads may read the output once this has returned. */
TD_INLINE void td_stream_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* Copies bytes, whole lines past the caches. */
TD_INLINE void td_stream_bytes(uint8_t *to, const uint8_t *from, size_t bytes)
{
    const size_t before = -(uintptr_t)to % TD_LINE_BYTES;
    size_t done = before < bytes ? before : bytes;
    memcpy(to, from, done);
    for (; done + TD_LINE_BYTES <= bytes; done += TD_LINE_BYTES) {
        td_stream_line(to + done, from + done);
    }
    memcpy(to + done, from + done, bytes - done);
}

/* Cells [col, end) of a row, a buffer at a time; each time but the last ends with a line of the output. */
TD_INLINE void td_stream_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                             td_cell_fn *cell, size_t element)
{
    _Alignas(TD_LINE_BYTES) uint8_t stage[TD_STAGE_BYTES];
    uint8_t *to = (uint8_t *)data->output + (td_row_start(data, row) + col) * element;
    td_data staged = *data;
    staged.row_scale = staged.row_offset = 0; /* each row starts where the output does */
    while (col < end) {
        const size_t room = (TD_STAGE_BYTES - (uintptr_t)to % TD_LINE_BYTES) / element;
        const uint32_t count = td_least(end - col, (uint32_t)room);
        staged.output = (void *)((uintptr_t)stage - col * element);
        td_loop_row(&staged, row, col, col + count, cell, true);
        td_stream_bytes(to, stage, count * element);
        to += count * element;
        col += count;
    }
}

/* As td_loop_tile. Input: a workload whose cells store their own element and nothing else. */
TD_INLINE void td_stream_tile(const td_launch *launch, const td_data *data, td_tile tile,
                              td_cell_fn *cell, const td_workload *workload)
{
    const size_t element = workload->element == TD_U8 ? 1 : 4;
    const td_data local = *data;
    const uint32_t side = launch->tile;
    const uint32_t first_col = tile.x * side;
    const uint32_t end_row = td_least((tile.y + 1) * side, local.n);
    for (uint32_t row = tile.y * side; row < end_row; row++) {
        const uint32_t end = workload->no_diagonal ? row : row + 1;
        td_stream_row(&local, row, first_col, td_least(first_col + side, end), cell, element);
    }
    td_stream_end();
}

#endif
