/* tetra.c - states of a tetrahedron on the host, a byte per cell. */
#include "family.h"

#include "workloads/layout3.h"
#include "workloads/place.h"

/* Where row (y, z) of an output lies. */
static uint64_t row_start(const td_problem *problem, uint64_t y, uint64_t z)
{
    td_data data = td_empty_data();
    td_setup_tetrahedron(problem, &data);
    return td_place_3d(&data, 0, y, z);
}

void td_tetra_start(const td_family *family, const td_problem *problem, void *state)
{
    const uint64_t cells = td_tetrahedron(problem->n);
    TD_PARALLEL
    for (uint64_t at = 0; at < cells; at++) {
        family->start(problem, 0, 0, at, (char *)state + at);
    }
}

void td_cube_of_state(const td_problem *problem, const void *state, void *output)
{
    const char *from = state;
    for (uint32_t z = 0; z < problem->n; z++) {
        for (uint32_t y = 0; y <= z; from += z - y + 1, y++) {
            memcpy((char *)output + row_start(problem, y, z), from, z - y + 1);
        }
    }
}

void td_state_of_cube(const td_problem *problem, const void *output, void *state)
{
    char *to = state;
    for (uint32_t z = 0; z < problem->n; z++) {
        for (uint32_t y = 0; y <= z; to += z - y + 1, y++) {
            memcpy(to, (const char *)output + row_start(problem, y, z), z - y + 1);
        }
    }
}
