/* total.c - the total of a workload whose result is one sum. */
#include "total.h"

#include "workloads/layout3.h"

/* Add by halves, down to eight elements: the rounding error grows with the logarithm of the count. */
static double sum_tree(const double *terms, uint64_t count)
{
    if (count > 8) {
        return sum_tree(terms, count / 2) + sum_tree(terms + count / 2, count - count / 2);
    }
    double sum = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        sum += terms[i];
    }
    return sum;
}

void td_cpu_total(const td_data *data)
{
    double *output = data->output;
    output[0] = sum_tree(output + 1, td_tetrahedron(data->params[0]));
}
