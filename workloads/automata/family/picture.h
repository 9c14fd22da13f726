/* picture.h - the colours of cells in a snapshot. */
#ifndef TD_WORKLOADS_AUTOMATA_FAMILY_PICTURE_H
#define TD_WORKLOADS_AUTOMATA_FAMILY_PICTURE_H

#include "workloads/workload.h"

/* The colour of a cell that is alive or dead. */
static inline uint32_t td_life_colour(bool alive)
{
    return alive ? 0x14468cu : 0xe2e6ebu;
}

/* The same of a state that is a byte. */
static inline uint32_t td_life_colour_of(const td_shades *shades, const void *first,
                                         const void *now, bool down)
{
    (void)shades;
    (void)first;
    (void)down;
    return td_life_colour(*(const uint8_t *)now != 0);
}

/* Grey from the smallest of a state's numbers to the largest: of each cell number `at` of `count`. */
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

/* 0 is black, 1 white; what is darker than black or brighter than white stays there. */
static inline double td_grey(const td_shades *shades, double value)
{
    return value >= shades->white   ? 1.0
           : value <= shades->black ? 0.0
                                    : (value - shades->black) / (shades->white - shades->black);
}

/* Grey, and of that a share, 0 to 1, under pure blue. */
static inline uint32_t td_colour_of(double grey, double blue)
{
    const uint32_t below = (uint32_t)(255.0 * grey * (1.0 - blue) + 0.5);
    const uint32_t beside = (uint32_t)(255.0 * (grey * (1.0 - blue) + blue) + 0.5);
    return below << 16 | below << 8 | beside;
}

#endif
