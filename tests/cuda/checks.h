/* checks.h - the list of GPU checks, to which each file adds its own. */
#ifndef TD_TESTS_CUDA_CHECKS_H
#define TD_TESTS_CUDA_CHECKS_H

#include "tests/unit/test.h"

enum { TD_CHECKS_MOST = 128 };

typedef struct td_checks {
    struct CMUnitTest tests[TD_CHECKS_MOST];
    size_t count;
} td_checks;

/* Input: about, what the check finds in its state */
void td_checks_add(td_checks *checks, const char *name, CMUnitTestFunction check,
                   const void *about);

void td_check_pairs(td_checks *checks);
void td_check_measuring(td_checks *checks);
void td_check_tetrahedra(td_checks *checks);
void td_check_spoiled(td_checks *checks);
void td_check_products(td_checks *checks);

#endif
