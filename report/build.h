/* build.h - how this binary was built. */
#pragma once

#include <stdio.h>

typedef struct td_build_info {
    const char *version;
    const char *compiler, *flags;
    const char *cuda;   /* toolkit, empty without CUDA */
    const char *commit; /* empty when not built from a repository */
} td_build_info;

const td_build_info *td_build(void);

/* --version: the build in two lines. */
void td_version_print(FILE *out);
