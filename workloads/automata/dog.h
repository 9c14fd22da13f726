/* dog.h - the difference of two planes, as of two Gaussians: no neighbourhood, nothing but memory. */
#ifndef TD_WORKLOADS_AUTOMATA_DOG_H
#define TD_WORKLOADS_AUTOMATA_DOG_H

#include "workloads/automata/state/floats.h"

TD_FN float td_dog_of(float first, float second)
{
    return first - second;
}

/* Of the nine cells of each plane only the middle ones. */
TD_FN uint32_t td_dog_next(const td_data *data, const uint32_t *w, uint32_t row, uint32_t col)
{
    (void)data;
    (void)row;
    (void)col;
    return td_element_of(td_dog_of(td_float_of(w[4]), td_float_of(w[9 + 4])));
}

TD_ALL_CELLS_OF(dog, f32, td_kind_of_floats(2), td_dog_next, td_expected_float)
TD_ALL_CELLS_OF(dog, f32x2, td_kind_of_pairs(), td_dog_next, td_expected_float)

/* The definition; the two numbers of a cell are side by side in the reference's state. */
TD_FN void td_dog_reference(const td_data *data, uint32_t row, uint32_t col)
{
    const uint64_t at = td_state_at(data, row, col);
    const float *cell = (const float *)data->input + 2 * at;
    ((float *)data->output)[at] = cell[0] - cell[1];
}

/* What --list shows. */
extern const td_workload td_dog_workload;

#endif
