/* worker_end_test.c - the end of a worker process, which closes no other files and leaves nothing behind. */
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

/* The worker would hang forever, so the test passes if it ends. */
static void stop_in_the_middle_of_a_hang_ends_it(void **state)
{
    (void)state;
    fixture f;
    stop_in_the_middle_of_a_hang(&f);
    for (size_t r = 0; r < f.sweep.run_count; r++) {
        assert_int_equal(f.results[r].status, TD_RUN_INTERRUPTED);
        assert_string_equal(f.results[r].reason, "interrupted");
    }
    end(&f);
}

/* Files opened since then reuse the descriptors of its pipes. */
static void closing_a_worker_that_is_gone_closes_no_other_file(void **state)
{
    (void)state;
    fixture f;
    stop_in_the_middle_of_a_hang(&f);
    int files[4];
    for (size_t i = 0; i < 4; i++) {
        files[i] = open("/dev/null", O_RDONLY);
    }
    end(&f);
    bool open_still = true;
    for (size_t i = 0; i < 4; i++) {
        open_still = open_still && close(files[i]) == 0;
    }
    assert_true(open_still);
}

static void worker_that_cannot_be_started_leaves_no_pipe(void **state)
{
    (void)state;
    const td_worker_config config = {.ops = &td_cpu_ops, .engine_config = {.threads = 1}};
    struct rlimit before, few;
    td_worker *worker = NULL;
    td_error error;
    const int next = dup(STDIN_FILENO); /* the lowest free descriptor */
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = (rlim_t)next + 3; /* one and a half pipes */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    const td_status status = td_worker_open(&config, &worker, NULL, &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    const int next_now = dup(STDIN_FILENO);
    close(next_now);
    assert_int_equal(status, TD_FAILED);
    assert_non_null(strstr(error.text, "Too many open files"));
    assert_int_equal(next_now, next);
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
        cmocka_unit_test(closing_a_worker_that_is_gone_closes_no_other_file),
        cmocka_unit_test(worker_that_cannot_be_started_leaves_no_pipe),
        cmocka_unit_test(worker_dies_with_its_parent),
    };
    return share_the_fault() ? cmocka_run_group_tests_name("worker_end", tests, NULL, NULL) : 1;
}
