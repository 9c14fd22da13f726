/*
 * engines.c - a table whose first engine is likely to be usable, but does not open, as a GPU with a broken driver.
 *
 * With GONE_BUSY in the environment it is usable nevertheless, as a GPU that another process holds.
 */
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/cpu/row.h"

static bool gone_is_likely(void)
{
    return true;
}

static bool gone_is_usable(td_error *why)
{
    td_fail(why, TD_UNAVAILABLE, "the device has fallen off the bus");
    return getenv("GONE_BUSY") != NULL;
}

static td_status gone_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    (void)config;
    (void)engine;
    return td_fail(error, TD_UNAVAILABLE, "the device does not open");
}

static const td_engine_ops gone = {
    .name = "gone",
    .summary = "does not open",
    .usable = gone_is_usable,
    .likely = gone_is_likely,
    .open = gone_open,
};

const td_engine_ops *const td_engines[] = {&gone, &td_cpu_ops};

const size_t td_engine_count = sizeof td_engines / sizeof td_engines[0];
