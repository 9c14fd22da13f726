#include "engine/engine.h"

td_data td_job_step(const td_job *job, uint32_t step)
{
    td_data data = job->data;
    if (job->workload->steps) {
        const uint32_t left = job->generations - step * job->workload->generations;
        data.generations = left < job->workload->generations ? left : job->workload->generations;
        data.input = step == 0 ? job->data.input : job->state[(step - 1) % 2];
        data.output = job->state[step % 2];
    }
    return data;
}
