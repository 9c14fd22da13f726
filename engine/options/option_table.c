#include "option_table.h"

#include <string.h>

#include "name_lists.h"
#include "number_lists.h"
#include "outputs.h"
#include "parameters.h"
#include "values.h"

enum { LARGEST_N = 1048576, LARGEST_TILE = 4096 };

#define AT(member) offsetof(td_options, member)

/* clang-format off */
const td_option td_option_table[] = {
    {"strategy", 's', "LIST", td_parse_strategies, 0, 0, 0, NULL, "paper",
     "strategies by name or shell pattern such as 'ltm*' (see --list), or the sets all, paper (those of Navarro & "
     "Hitschfeld), 2d, 3d; of a set or a pattern those of the workload's dimension are meant",
     TD_GROUP_RUN, "maps (see --list), or all, 2d, 3d"},
    {"workload", 'w', "LIST", td_parse_workloads, 0, 0, 0, NULL, TD_DEFAULT_WORKLOAD,
     "workloads by name or shell pattern (see --list), all, or a file with one of your own, ./mine.h", TD_GROUP_RUN,
     "what to compute, or ./mine.h"},
    {"n", 'n', "LIST", td_parse_n, 0, 1, LARGEST_N, NULL, "8192",
     "problem sizes N in cells per side, ranges as start:stop:step or start:stop:*factor",
     TD_GROUP_RUN, "cells per side, 8:64:8, 8:64:*2"},
    {"block", 'b', "LIST", td_parse_blocks, 0, 0, 0, NULL, NULL,
     "threads per block: 16 is 16x16 (in 3D 8 is 8x8x8), 64x4, 8x8x8; at most 1024 threads; all: powers of two "
     "(default: 16 in 2D, 8 in 3D; tile kernels have their own)", TD_GROUP_RUN, NULL},
    {"tile", 0, "LIST", td_parse_tiles, 0, 1, LARGEST_TILE, NULL, NULL,
     "side of a tile in cells, for strategies that map blocks: a multiple of the block's sides, "
     "for whole rows of its sides along y and z; 3840x32, for strips, is a tile of 3840 whose rows "
     "blocks take 32 at a time; 64x4, on --set domain=square, is a tile of 64 x 4 cells; all: powers of two (default: "
     "the block's side; tile kernels have their own)",
     TD_GROUP_RUN, NULL},
    {"cutoff", 0, "LIST", td_parse_cutoffs, 0, 1, LARGEST_N, NULL, "128",
     "cells per side at which a recursive strategy stops dividing", TD_GROUP_RUN, NULL},
    {"layout", 0, "HOW", td_value_choice, AT(layout), 0, 0, "packed|full|blocked", NULL,
     "output storage: lower triangle row by row, the whole matrix, or whole tiles (default: packed in 2D, full in 3D)",
     TD_GROUP_RUN, NULL},
    {"kernel", 0, "LIST", td_value_words, AT(kernels), 0, 0, "auto|cell|loop|tile|all", "auto",
     "one cell per thread, a loop over a larger tile, or the workload's own kernel for whole tiles; "
     "auto: with a --tile larger than the block tile where there is one, else loop; cell without", TD_GROUP_RUN, NULL},
    {"schedule", 0, "LIST", td_value_words, AT(schedules), 0, 0, "grid|persistent|dynamic|all", "grid",
     "persistent: as many blocks as fit on the device, each looping over its share of the tiles; dynamic: each taking "
     "the next tile when it is done with one", TD_GROUP_RUN, NULL},
    {"engine", 'e', "NAME", td_value_engine, 0, 0, 0, NULL, "auto",
     "what executes the runs; auto: the first of the others that is usable",
     TD_GROUP_RUN, "cuda, cpu; auto prefers the GPU"},
    {"device", 'd', "ID", td_value_device, 0, 0, 1023, NULL, NULL,
     "CUDA ordinal or GPU UUID (default: 0); only the cuda engine has devices", TD_GROUP_RUN, NULL},
    {"threads", 0, "T", td_value_u32, AT(threads), 1, 4096, NULL, NULL,
     "host threads of the cpu engine (default: all cores)", TD_GROUP_RUN, NULL},
    {"baseline", 0, "NAME", td_parse_baseline, 0, 0, 0, NULL, NULL,
     "strategy that the improvement I is measured against, added when missing, or none "
     "(default: the bounding box)", TD_GROUP_RUN, NULL},
    {"samples", 0, "K", td_value_u32, AT(protocol.samples), 1, 1000000, NULL, "51", "samples per run",
     TD_GROUP_MEASURE, "samples per run"},
    {"precision", 0, "P%", td_value_percent, AT(protocol.precision), 0, 50, NULL, NULL,
     "end the samples of a run when the 95 % interval of its median is within P % to both sides, from 11 on and at "
     "most --samples (then 501); the record has what was reached", TD_GROUP_MEASURE, NULL},
    {"warmup", 0, "K", td_value_u32, AT(protocol.warmup), 0, 1000000, NULL, "3", "warm-up launches per run",
     TD_GROUP_MEASURE, NULL},
    {"max-time", 0, "S", td_value_max_time, AT(protocol.max_time_s), 0, 86400, NULL, "10",
     "sampling time per run in seconds, more than 0", TD_GROUP_MEASURE, NULL},
    {"timeout", 0, "S", td_value_decimal, AT(timeout_s), 0, 604800, NULL, "300",
     "seconds without progress (a verification, a warm-up, a sample) after which a run is aborted; 0: never",
     TD_GROUP_MEASURE, NULL},
    {"cache", 0, "STATE", td_value_choice, AT(protocol.cache), 0, 0, "warm|cold", "warm",
     "cold: overwrite the caches before every sample", TD_GROUP_MEASURE, NULL},
    {"timing", 0, "HOW", td_value_choice, AT(protocol.sampling), 0, 0, "batched|host|once", "batched",
     "a sample is a batch of launches of a millisecond; host: a batch whose grids the host launches one by one, "
     "without a graph; once: for a profiler (ncu, nsys, perf), launch the single selected run exactly once, with no "
     "warm-up or verification",
     TD_GROUP_MEASURE, NULL},
    {"energy", 0, NULL, td_set_flag, AT(protocol.energy), 0, 0, NULL, NULL,
     "count the energy of each run, in two seconds or more of launches without a pause, after it was sampled",
     TD_GROUP_MEASURE, NULL},
    {"verify", 0, "HOW", td_value_verify, 0, 0, 0, "full|none|beyond", "full",
     "check the output against the reference; beyond: also run what is beyond a strategy's exact range, to see what "
     "goes wrong",
     TD_GROUP_MEASURE, NULL},
    {"input", 0, "FILE", td_value_text, AT(input), 0, 0, NULL, NULL,
     "read the input from a file (.npy, .csv) instead of generating it; see --list workloads",
     TD_GROUP_FILES, "a file in place of generated input"},
    {"seed", 0, "U64", td_value_u64, AT(seed), 0, UINT64_MAX, NULL, "1", "seed of every generated input",
     TD_GROUP_FILES, NULL},
    {"output", 'o', "FILE[:FORMAT]", td_parse_output, 0, 0, 0, NULL, NULL,
     "where the result goes, - is standard output; may be given several times (default: -)",
     TD_GROUP_FILES, "where the result goes, any number of times"},
    {"format", 'f', "FORMAT", td_value_choice, AT(format), 0, 0, "json|jsonl|csv|table|md", "json",
     "format of outputs without one of their own, and of --check-maps, --list and --dry-run (the last two: a table "
     "unless given); where it is not given, .json, .jsonl, .csv, .txt (table) and .md tell, and without -o a terminal "
     "gets a table", TD_GROUP_FILES, "json, jsonl, csv, table or md"},
    {"label", 0, "NAME=TEXT", td_parse_label, 0, 0, 0, NULL, NULL,
     "free text for the record; may be given several times", TD_GROUP_FILES, NULL},
    {"dump", 0, "FILE.npy", td_value_text, AT(dump), 0, 0, NULL, NULL,
     "write the output to this file; exactly one run must be selected, no baseline is added", TD_GROUP_FILES, NULL},
    {"every", 0, "K", td_value_u32, AT(every), 1, 1000000, NULL, NULL,
     "with --dump: write the states of an automaton after 0, K, 2 K ... steps and after the last, as one stack",
     TD_GROUP_FILES, NULL},
    {"resume", 0, "FILE", td_value_text, AT(resume), 0, 0, NULL, NULL,
     "skip the runs that this jsonl file holds with status ok", TD_GROUP_FILES, NULL},
    {"quiet", 'q', NULL, td_set_int, AT(verbosity), (uint64_t)-1, 0, NULL, NULL, "no progress on stderr",
     TD_GROUP_FILES, NULL},
    {"verbose", 'v', NULL, td_set_int, AT(verbosity), 1, 0, NULL, NULL, "more progress on stderr",
     TD_GROUP_FILES, NULL},
    {"color", 0, "WHEN", td_value_choice, AT(color), 0, 0, "auto|always|never", "auto",
     "colours of --show and of tables on standard output; auto: on a terminal, unless NO_COLOR is set",
     TD_GROUP_FILES, NULL},
    {"steps", 0, "G", td_parse_parameter, 0, 0, 0, NULL, NULL, NULL, TD_GROUP_PARAMETERS, NULL},
    {"memory", 0, "LIST", td_parse_parameter, 0, 0, 0, NULL, NULL, NULL, TD_GROUP_PARAMETERS, NULL},
    {"cell", 0, "LIST", td_parse_parameter, 0, 0, 0, NULL, NULL, NULL, TD_GROUP_PARAMETERS, NULL},
    {"set", 0, "NAME=VALUE[,...]", td_parse_set, 0, 0, 0, NULL, NULL,
     "other parameters of workloads, also of those from files (see --list workloads); may be given several times:",
     TD_GROUP_PARAMETERS, NULL},
    {"shard", 0, "I/K", td_value_shard, 0, 0, 0, NULL, NULL,
     "run only part I of K, counted from 0, in whole groups; auto: I and K from Slurm's job array",
     TD_GROUP_CLUSTERS, NULL},
    {"ranks", 0, "[HOW]", td_value_ranks, AT(partition), 0, 0, "rows|cells|blocks", NULL,
     "share each domain among the processes of mpirun or srun, a GPU each, so that all ranks have equally many rows, "
     "cells (default), or blocks (maps that number them); see docs/cluster.md",
     TD_GROUP_CLUSTERS, NULL},
    {"tune", 0, NULL, td_set_flag, AT(tune), 0, 0, NULL, NULL,
     "find the fastest way of each workload, strategy and N: blocks, tiles, kernels, schedules and memories that are "
     "not given are tried, and dropped as soon as they are certainly slower than another; the last few are measured in "
     "full, as with --precision 0.5% --max-time 1 unless those or --samples say otherwise",
     TD_GROUP_TUNING, "find the fastest block, tile and kernel"},
    {"list", 0, "[WHAT]", td_act, AT(list_what), TD_ACTION_LIST, 0, "all|strategies|workloads|devices|engines", NULL,
     "print what is available and what it supports", TD_GROUP_INSTEAD, "what there is"},
    {"show", 0, "[VIEW]", td_act, AT(show_view), TD_ACTION_SHOW, 0, "map|grid", NULL,
     "draw the chosen strategies, up to 24 tiles per side: the map, or the launched grids; with --format json or jsonl "
     "print both as data", TD_GROUP_INSTEAD, "draw the maps"},
    {"dry-run", 0, NULL, td_act, 0, TD_ACTION_DRY_RUN, 0, NULL, NULL, "print runs, launches and bytes; execute nothing",
     TD_GROUP_INSTEAD, "print launches and bytes, execute nothing"},
    {"check-maps", 0, "[N]", td_act_check_maps, AT(check_maps_n), 1, 92681, NULL, NULL,
     "ask the engine where each map first fails, up to N tiles per side "
     "(maps of threads: cells; in 3D at most 512; default: 2048)", TD_GROUP_INSTEAD, NULL},
    {"help", 'h', "[WHAT]", td_act, AT(help), TD_ACTION_HELP, 0, "usual|all", NULL,
     "print the options that most people need, or all", TD_GROUP_INSTEAD,
     "=all: every option, and all there is to say"},
    {"version", 'V', NULL, td_set_int, AT(action), TD_ACTION_VERSION, 0, NULL, NULL, "print version and build",
     TD_GROUP_INSTEAD, NULL},
};
/* clang-format on */

const size_t td_option_count = sizeof td_option_table / sizeof td_option_table[0];

const td_option *td_option_named(const char *name)
{
    for (size_t i = 0; i < td_option_count; i++) {
        if (strcmp(td_option_table[i].name, name) == 0) {
            return &td_option_table[i];
        }
    }
    return NULL;
}

bool td_option_is_given(const td_options *options, const char *name)
{
    const td_option *option = td_option_named(name);
    return option != NULL && (options->given >> (option - td_option_table) & 1) != 0;
}
