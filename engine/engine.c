#include "engine.h"

#include "host.h"

void td_engine_describe(td_engine *engine, td_environment *environment)
{
    td_describe_host(environment);
    if (engine->ops->describe != NULL) {
        engine->ops->describe(engine, environment);
    }
}

td_share td_engine_share(const td_engine *engine, uint32_t n)
{
    return engine->share != NULL ? *engine->share : (td_share){0, n};
}

td_data td_execution_step(const td_execution *execution, uint32_t step)
{
    td_data data = execution->data;
    if (execution->per_launch > 0) {
        const uint32_t left = execution->generations - step * execution->per_launch;
        data.generations = left < execution->per_launch ? left : execution->per_launch;
        data.input = step == 0 ? execution->data.input : execution->double_buffer[(step - 1) % 2];
        data.output = execution->double_buffer[step % 2];
    }
    return data;
}
