/* picture.h - the colours of cells in a snapshot. */
#ifndef TD_WORKLOADS_AUTOMATA_FAMILY_PICTURE_H
#define TD_WORKLOADS_AUTOMATA_FAMILY_PICTURE_H

#include "workloads/workload.h"

/* The colour of a cell that is alive or dead. */
static inline uint32_t td_life_colour(bool alive)
{
    return alive ? 0x14468cu : 0xe2e6ebu;
}

/* The same for a state that is a byte. */
static inline uint32_t td_life_colour_of(const td_shades *shades, const void *first,
                                         const void *now, bool down)
{
    (void)shades;
    (void)first;
    (void)down;
    return td_life_colour(*(const uint8_t *)now != 0);
}

/* Shades of grey from the smallest of a state's numbers, black, to the largest, white: number `at` of the `count` of
 * each cell. */
static inline td_shades td_shades_of(const float *state, uint64_t cells, uint32_t at,
                                     uint32_t count)
{
    td_shades shades = {state[at], state[at], 0.0};
    for (uint64_t k = 1; k < cells; k++) {
        const double value = state[k * count + at];
        shades.black = value < shades.black ? value : shades.black;
        shades.white = value > shades.white ? value : shades.white;
    }
    return shades;
}

/* The shade of a value, from 0, black, to 1, white; a value beyond black or white gets that shade. */
static inline double td_grey(const td_shades *shades, double value)
{
    return value >= shades->white   ? 1.0
           : value <= shades->black ? 0.0
                                    : (value - shades->black) / (shades->white - shades->black);
}

/* The colour of a shade of grey of which a share `blue`, 0 to 1, is covered with pure blue. */
static inline uint32_t td_colour_of(double grey, double blue)
{
    const uint32_t below = (uint32_t)(255.0 * grey * (1.0 - blue) + 0.5);
    const uint32_t beside = (uint32_t)(255.0 * (grey * (1.0 - blue) + blue) + 0.5);
    return below << 16 | below << 8 | beside;
}

#endif
