/* states_test.c - beats for the watchdog of --timeout while a stack of states is written. */
#include "test.h"

#include "command.h"
#include "engine/io/dump.h"
#include "files.h"

static void beat(void *context)
{
    ++*(size_t *)context;
}

/* --timeout limits each state, not all of them together, so each begins with a beat. */
TEST(each_state_begins_with_a_beat)
{
    const td_engine_config config = {.threads = 1};
    size_t beats = 0;
    command c;
    td_engine *engine = NULL;
    td_buffers buffers = {0};
    td_new_file file;
    make_ok("-s bb -w life -n 40 -e cpu --steps 5 --baseline none", &c);
    const td_run *run = &c.sweep.runs[0];
    assert_int_equal(td_cpu_ops.open(&config, &engine, &c.error), TD_OK);
    assert_int_equal(td_buffers_open(engine, run->workload, &run->problem, &buffers, &c.error),
                     TD_OK);
    engine->beat = beat;
    engine->context = &beats;
    const char *path = scratch("states.npy");
    assert_int_equal(td_new_file_open(path, &file, &c.error), TD_OK);
    const td_status status = td_dump_states(&file, 2, run, &buffers, &c.error);
    td_buffers_close(&buffers);
    td_cpu_ops.close(engine);
    done(&c);
    unlink(path);
    assert_int_equal(status, TD_OK);
    assert_int_equal(beats, 4); /* after 0, 2, 4 and 5 steps */
}

int main(void)
{
    return td_tests_run(NULL, NULL) + scratch_remains();
}
