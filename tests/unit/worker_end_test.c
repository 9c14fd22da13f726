/* worker_end_test.c - the end of a worker process, which leaves nothing behind. */
#include "faulty_engine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "engine/core/signals.h"

static void stop_in_the_middle_of_a_hang(fixture *f)
{
    td_signals_catch_stops();
    make(f, (fault){.where = AT_SAMPLE, .what = HANG, .strategy = "ltm-r", .interrupts = true},
         0.0);
    run(f);
    td_signals_catch_stops(); /* forgets the interrupt */
}

static int next_descriptor(void)
{
    const int next = dup(STDIN_FILENO); /* the lowest free one */
    close(next);
    return next;
}

/* The worker would hang forever, so the test passes if it ends. */
static void stop_in_the_middle_of_a_hang_ends_it(void **state)
{
    (void)state;
    fixture f;
    const int next = next_descriptor();
    stop_in_the_middle_of_a_hang(&f);
    for (size_t r = 0; r < f.drive->sweep.run_count; r++) {
        assert_int_equal(shared->results[r].status, TD_RUN_INTERRUPTED);
        assert_string_equal(shared->results[r].reason, "interrupted");
    }
    assert_int_equal(shared->reports, 1);
    end(&f);
    assert_int_equal(next_descriptor(), next);
}

static void worker_that_cannot_be_started_leaves_no_pipe(void **state)
{
    (void)state;
    fixture f;
    struct rlimit before, few;
    const int next = next_descriptor();
    make(&f, (fault){.where = NOWHERE}, 0.0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)next + 1; /* half a pipe */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    run(&f);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    end(&f);
    assert_int_equal(f.status, TD_FAILED);
    assert_non_null(strstr(f.error.text, "Too many open files"));
    assert_int_equal(next_descriptor(), next);
}

/* The test adopts the worker when its parent is killed, so it sees the worker end. */
static void worker_dies_with_its_parent(void **state)
{
    (void)state;
    fixture f;
    shared->hang_start_s = 0.0;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
        print_message(
            "no PR_SET_CHILD_SUBREAPER, as under qemu: a process cannot adopt another's child\n");
        skip();
    }
    const pid_t parent = fork();
    if (parent == 0) {
        make(&f, (fault){.where = AT_LAUNCH, .what = HANG, .strategy = "ltm-r"}, 0.0);
        run(&f);
        _exit(0);
    }
    while (shared->hang_start_s == 0.0) {
        usleep(1000);
    }
    kill(parent, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(waitpid(shared->pid, &status, 0), shared->pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stop_in_the_middle_of_a_hang_ends_it),
        cmocka_unit_test(worker_that_cannot_be_started_leaves_no_pipe),
        cmocka_unit_test(worker_dies_with_its_parent),
    };
    return share_the_fault() ? cmocka_run_group_tests_name("worker_end", tests, NULL, NULL) : 1;
}
