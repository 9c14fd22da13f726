/*
 * cuda_check - every pair of the lists on the GPU, verified there and compared with the cpu engine bit for bit.
 *
 * Skipped with its reason where no CUDA device answers.
 */
#include "both_engines.h"
#include "checks.h"

void td_checks_add(td_checks *checks, struct CMUnitTest test)
{
    if (checks->count == TD_CHECKS_MOST) {
        abort();
    }
    checks->tests[checks->count++] = test;
}

int main(int argc, char **argv)
{
    static td_checks checks;
    td_check_pairs(&checks);
    td_check_measuring(&checks);
    td_check_tetrahedra(&checks);
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return _cmocka_run_group_tests("cuda", checks.tests, checks.count, td_open_engines,
                                   td_close_engines);
}
