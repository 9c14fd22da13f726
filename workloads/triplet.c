/* triplet.c - the reference of triplet, by vectors and cosines and with a compensated sum: it shares neither the
 * formula nor the order of summation with the code that it checks. */
#include "triplet.h"

#include <stdlib.h>

typedef struct vector {
    double x, y, z;
} vector;

/* A compensated sum (Neumaier 1974): the sum, and the part that rounding took from it; and its scale, for which a plain
 * sum is enough. */
typedef struct careful {
    double sum, lost, scale;
} careful;

static void add(careful *to, double term)
{
    const double sum = to->sum + term;
    to->lost += fabs(to->sum) >= fabs(term) ? to->sum - sum + term : term - sum + to->sum;
    to->sum = sum;
}

static vector between(const float *at, uint32_t particles, uint32_t from, uint32_t to)
{
    vector v;
    v.x = (double)at[to] - (double)at[from];
    v.y = (double)at[particles + to] - (double)at[particles + from];
    v.z = (double)at[2 * particles + to] - (double)at[2 * particles + from];
    return v;
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/*
 * Bound for the rounding error in the product of the cosines if each comes from three squared sides, in units of 1e-10:
 * the sum of two of them minus the third is off by a few times 2^-53 of all three. For sides of equal length that is
 * negligible; with one side that is 1e-6 of the others it is 1e-9.
 */
static double cancelled(vector r, vector s, vector t, double length)
{
    const double rs = fabs(dot(r, s)), st = fabs(dot(s, t)), tr = fabs(dot(t, r));
    const double sides = dot(r, r) + dot(s, s) + dot(t, t);
    const double few = 16.0 * 0x1p-53 / 1e-10;
    return few * sides * (rs * st + st * tr + tr * rs) / (length * length);
}

/* Adds (1 + 3 cos cos cos) / (r s t)^3, with the sides as vectors around the triangle. */
static void add_term(careful *energy, vector r, vector s, vector t)
{
    const double length = sqrt(dot(r, r)) * sqrt(dot(s, s)) * sqrt(dot(t, t));
    const double cosines = -dot(r, s) * dot(s, t) * dot(t, r) / (length * length);
    const double cube = length * length * length;
    add(energy, (1.0 + 3.0 * cosines) / cube);
    energy->scale += (1.0 + 3.0 * fabs(cosines) + cancelled(r, s, t, length)) / cube;
}

/* The energy of all triples whose last particle is k. */
static careful up_to(const float *at, uint32_t particles, uint32_t k)
{
    careful energy = {0.0, 0.0, 0.0};
    for (uint32_t j = 1; j < k; j++) {
        const vector s = between(at, particles, j, k);
        for (uint32_t i = 0; i < j; i++) {
            add_term(&energy, between(at, particles, i, j), s, between(at, particles, k, i));
        }
    }
    return energy;
}

double td_triplet_reference(const td_problem *problem, const void *input, double *scale)
{
    const uint32_t particles = problem->n + TD_TRIPLET_MORE;
    careful *parts = calloc(particles, sizeof *parts);
    careful energy = {0.0, 0.0, 0.0};
    *scale = NAN;
    if (parts == NULL) {
        return NAN; /* NaN agrees with nothing */
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (uint32_t k = 2; k < particles; k++) {
        parts[k] = up_to(input, particles, particles + 1 - k); /* the longest first */
    }
    for (uint32_t k = 2; k < particles; k++) {
        add(&energy, parts[k].sum);
        add(&energy, parts[k].lost);
        energy.scale += parts[k].scale;
    }
    free(parts);
    *scale = energy.scale;
    return energy.sum + energy.lost;
}
