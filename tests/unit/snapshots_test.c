/* snapshots_test.c - beats for the watchdog of --timeout while snapshots are drawn, counted and not timed. */
#include "test.h"

#include <dirent.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/io/snapshots.h"
#include "engine/needs/planning.h"
#include "engine/sweep/sweep.h"
#include "files.h"

enum { SNAPSHOTS = 7 };

typedef struct heard {
    const char *folder;
    size_t beats;
    size_t drawn[SNAPSHOTS + 1]; /* number of pictures at each beat */
} heard;

static size_t pictures_in(const char *folder)
{
    DIR *entries = opendir(folder);
    size_t count = 0;
    assert_non_null(entries);
    for (const struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        count += strstr(e->d_name, ".png") != NULL;
    }
    closedir(entries);
    return count;
}

static void beat(void *context)
{
    heard *h = context;
    if (h->beats <= SNAPSHOTS) {
        h->drawn[h->beats] = pictures_in(h->folder);
    }
    h->beats++;
}

/* --timeout limits each snapshot, not all of them together, so each begins with a beat. */
static void each_snapshot_begins_with_a_beat(void **state)
{
    char folder[128];
    char *argv[] = {"tribench", "-s",  "bb",      "-w", "life",       "-n",  "40",
                    "-e",       "cpu", "--steps", "6",  "--baseline", "none"};
    const td_engine_config config = {.threads = 1};
    heard h = {.folder = folder};
    const td_pulse pulse = {&h, beat};
    td_options options;
    td_sweep sweep;
    td_engine *engine = NULL;
    td_buffers buffers = {0};
    td_error error = {""};
    (void)state;
    snprintf(folder, sizeof folder, "%s", scratch("pictures"));
    assert_int_equal(td_options_parse(13, argv, &options, &error), TD_OK);
    assert_int_equal(td_sweep_make(&options, &td_cpu_ops, &sweep, &error), TD_OK);
    const td_run *run = &sweep.runs[0];
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    assert_int_equal(td_buffers_open(engine, run->workload, &run->problem, &buffers, &error),
                     TD_OK);
    assert_int_equal(td_snapshots_open(folder, &error), TD_OK);
    const td_status status = td_snapshots_write(folder, 1, run, &buffers, &pulse, &error);
    td_buffers_close(&buffers);
    td_cpu_ops.close(engine);
    td_sweep_free(&sweep);
    td_options_free(&options);
    if (status == TD_UNAVAILABLE) {
        skip(); /* built without libpng */
    }
    assert_int_equal(status, TD_OK);
    assert_int_equal(h.beats, SNAPSHOTS);
    for (size_t i = 0; i < SNAPSHOTS; i++) {
        assert_int_equal(h.drawn[i], i);
    }
    assert_int_equal(pictures_in(folder), SNAPSHOTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_snapshot_begins_with_a_beat),
    };
    return cmocka_run_group_tests_name("snapshots", tests, NULL, NULL);
}
