/* version.c - --version: the build in two lines. */
#include "view.h"

#include <stdio.h>

#include "report/build.h"

void td_version_print(void)
{
    const td_build_info *build = td_build();
    printf("tribench %s\n", build->version);
    if (build->commit[0] != '\0') {
        printf("commit %s, ", build->commit);
    }
    printf("%s, ", build->compiler);
    printf(build->cuda[0] != '\0' ? "CUDA %s\n" : "without CUDA%s\n", build->cuda);
}
