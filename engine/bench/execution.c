#include "engine/engine.h"

td_data td_execution_step(const td_execution *execution, uint32_t step)
{
    td_data data = execution->data;
    if (execution->workload->generations > 0) {
        const uint32_t left = execution->generations - step * execution->workload->generations;
        data.generations =
            left < execution->workload->generations ? left : execution->workload->generations;
        data.input = step == 0 ? execution->data.input : execution->double_buffer[(step - 1) % 2];
        data.output = execution->double_buffer[step % 2];
    }
    return data;
}
