/*
 * cuda_check - every pair of the lists on the GPU, verified there and compared with the cpu engine bit for bit.
 *
 * usage: cuda_check [--list] [NAME...]     NAME may contain * and ?; a NAME without a check is an error
 *        cuda_check --fault TOOL           a kernel with an error that this compute-sanitizer tool must find
 *
 * A check is skipped, with the reason, if no CUDA device answers.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "both_engines.h"
#include "fault.h"

/* Marks the checks that match `name`; false if none does. */
static bool choose(const char *name, bool *chosen)
{
    bool found = false;
    for (size_t i = 0; i < td_test_count; i++) {
        if (fnmatch(name, td_tests[i].name, 0) == 0) {
            chosen[i] = found = true;
        }
    }
    if (!found) {
        fprintf(stderr, "cuda_check: no check is called '%s': see cuda_check --list\n", name);
    }
    return found;
}

/* Removes the checks that were not chosen. Without names, keeps all. */
static bool keep(int count, char *const *names)
{
    bool chosen[TD_TESTS_MOST] = {false}, found = true;
    size_t kept = 0;
    for (int i = 0; i < count; i++) {
        found = choose(names[i], chosen) && found;
    }
    for (size_t i = 0; i < td_test_count && count > 0; i++) {
        if (chosen[i]) {
            td_tests[kept++] = td_tests[i];
        }
    }
    td_test_count = count > 0 ? kept : td_test_count;
    return found;
}

static int list(void)
{
    for (size_t i = 0; i < td_test_count; i++) {
        puts(td_tests[i].name);
    }
    return 0;
}

static int fault(const char *tool)
{
    if (td_fault_run == NULL) {
        fprintf(stderr, "cuda_check: --fault: built without nvcc\n");
        return 1;
    }
    return td_fault_run(tool);
}

int main(int argc, char **argv)
{
    const bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
    char **names = argv + 1 + lists;
    const int count = argc - 1 - lists;
    if (count == 2 && strcmp(names[0], "--fault") == 0) {
        return fault(names[1]);
    }
    for (int i = 0; i < count; i++) {
        if (names[i][0] == '-') {
            fprintf(stderr, "usage: cuda_check [--list] [NAME...], cuda_check --fault TOOL\n");
            return 2;
        }
    }
    td_add_pairs();
    char *one = getenv("TD_TEST"); /* a filter for all test programs; cmocka reads it, too */
    if (!keep(count, names) || !keep(one != NULL, &one)) {
        return 1;
    }
    return lists ? list() : td_tests_run(td_open_engines, td_close_engines);
}
