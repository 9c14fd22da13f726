/* removed.c - options of earlier versions, and what to use in their place. */
#include "removed.h"

static const struct {
    const char *name, *instead;
} removed[] = {
    {"density", "use --set density=P"},
    {"domain", "use --set domain=SHAPE"},
    {"frames", "--dump FILE.npy --every K writes the states, tribench-report frames draws them"},
    {"generate", "help2man makes a man page, contrib/tribench.bash completes in bash"},
    {"infiltration", "use --set infiltration=DEPTH"},
    {"inexact", "use --verify beyond"},
    {"lock-gpu-clocks", "lock them around the program: nvidia-smi -lgc MHZ before, -rgc after it"},
    {"no-cache", "set XDG_CACHE_HOME to an empty folder"},
    {"oversubscribe", "leave it out: a GPU may be shared"},
    {"exhaustive", "sweep over everything: --block all --tile all --kernel all --schedule all"},
    {"overwrite", "remove the file before"},
    {"partition", "use --ranks=HOW"},
    {"profile", "use --timing once"},
    {"rain", "use --set rain=DEPTH"},
    {"retry", "start the sweep again, or compare several invocations with scripts/turns"},
    {"rule", "use --set rule=ABCD"},
    {"setups", "compare several invocations with scripts/turns"},
};

const char *td_removed_option(td_span name)
{
    for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) {
        if (td_span_is(name, removed[i].name)) {
            return removed[i].instead;
        }
    }
    return NULL;
}
