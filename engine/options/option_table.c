#include "option_table.h"

#include <string.h>

enum { LARGEST_N = 1048576, LARGEST_TILE = 4096 };

#define AT(member) offsetof(td_options, member), sizeof((td_options *)0)->member

/* clang-format off */
const td_option td_option_table[] = {
    {"strategy", 's', "LIST", td_take_strategies, .preset = "paper", .title = "What to run",
     .help = "strategies by name or shell pattern such as 'ltm*' (see --list), or the sets all, paper (those of "
     "Navarro & Hitschfeld), 2d, 3d, or a file with one of your own, ./mine.h; of a set or a pattern those of the "
     "workload's dimension are meant",
     .brief = "maps (see --list), or all, 2d, 3d"},
    {"workload", 'w', "LIST", td_take_text, AT(workload_list), .preset = TD_DEFAULT_WORKLOAD,
     .help = "workloads by name or shell pattern (see --list), all, or a file with one of your own, ./mine.h",
     .brief = "what to compute, or ./mine.h"},
    {"n", 'n', "LIST", td_take_list, AT(n), .sides = 1, .low = 1, .high = LARGEST_N, .preset = "8192",
     .help = "problem sizes N in cells per side, ranges as start:stop:step or start:stop:*factor",
     .brief = "cells per side, 8:64:8, 8:64:*2"},
    {"block", 'b', "LIST", td_take_list, AT(blocks), .sides = 3,
     .help = "threads per block: 16 is 16x16 (in 3D 8 is 8x8x8), 64x4, 8x8x8; at most 1024 threads; all: powers of "
     "two (default: 16 in 2D, 8 in 3D; tile kernels have their own)"},
    {"tile", 0, "LIST", td_take_list, AT(tiles), .sides = 2, .low = 1, .high = LARGEST_TILE,
     .help = "side of a tile in cells, for strategies that map blocks: a multiple of the block's sides, for whole "
     "rows of its sides along y and z; 3840x32, for strips, is a tile of 3840 whose rows blocks take 32 at a time; "
     "64x4, on --set domain=square, is a tile of 64 x 4 cells; all: powers of two (default: the block's side; tile "
     "kernels have their own)"},
    {"cutoff", 0, "LIST", td_take_list, AT(cutoffs), .sides = 1, .low = 1, .high = LARGEST_N, .preset = "128",
     .help = "cells per side at which a recursive strategy stops dividing"},
    {"layout", 0, "HOW", td_take_value, AT(layout), .words = "packed|full|blocked|mirrored",
     .help = "output storage: lower triangle row by row, the whole matrix, or whole tiles (default: packed in 2D, "
     "full in 3D)"},
    {"kernel", 0, "LIST", td_take_words, AT(kernels), .words = "auto|cell|loop|tile|all", .preset = "auto",
     .help = "one cell per thread, a loop over a larger tile, or the workload's own kernel for whole tiles; auto: "
     "with a --tile larger than the block tile where there is one, else loop; cell without"},
    {"schedule", 0, "LIST", td_take_words, AT(schedules), .words = "grid|persistent|contiguous|dynamic|all",
     .preset = "grid",
     .help = "persistent: as many blocks as fit on the device, each looping over every n-th tile; contiguous: over as "
     "many in a row, clusters only; dynamic: each taking the next tile when it is done with one"},
    {"engine", 'e', "NAME", td_take_engine, .preset = "auto",
     .help = "what executes the runs; auto: the first of the others that is usable",
     .brief = "cuda, cpu; auto prefers the GPU"},
    {"device", 'd', "ID", td_take_device, .high = 1023,
     .help = "CUDA ordinal or GPU UUID (default: 0); only the cuda engine has devices"},
    {"threads", 0, "T", td_take_value, AT(threads), .low = 1, .high = 4096,
     .help = "host threads of the cpu engine (default: all cores)"},
    {"baseline", 0, "NAME", td_take_baseline,
     .help = "strategy that the improvement I is measured against, added when missing, or none (default: the "
     "bounding box)"},
    {"samples", 0, "K", td_take_value, AT(protocol.samples), .low = 1, .high = 1000000, .preset = "51",
     .title = "How to measure", .help = "samples per run", .brief = "samples per run"},
    {"precision", 0, "P%", td_take_percent, AT(protocol.precision), .high = 50,
     .help = "end the samples of a run when the 95 % interval of its median is within P % to both sides, from 11 on "
     "and at most --samples (then 501); the record has what was reached"},
    {"warmup", 0, "K", td_take_value, AT(protocol.warmup), .high = 1000000, .preset = "3",
     .help = "warm-up launches per run"},
    {"max-time", 0, "S", td_take_max_time, AT(protocol.max_time_s), .kind = TD_PARAMETER_REAL, .high = 86400,
     .preset = "10", .help = "sampling time per run in seconds, more than 0"},
    {"timeout", 0, "S", td_take_value, AT(timeout_s), .kind = TD_PARAMETER_REAL, .high = 604800, .preset = "300",
     .help = "seconds without progress (a verification, a warm-up, a sample) after which a run is aborted; 0: never"},
    {"cache", 0, "STATE", td_take_value, AT(protocol.cache), .words = "warm|cold", .preset = "warm",
     .help = "cold: overwrite the caches before every sample"},
    {"timing", 0, "HOW", td_take_value, AT(protocol.sampling), .words = "batched|host|once", .preset = "batched",
     .help = "a sample is a batch of launches of a millisecond; host: a batch whose grids the host launches one by "
     "one, without a graph; once: for a profiler (ncu, nsys, perf), launch the single selected run exactly once, "
     "with no warm-up or verification"},
    {"energy", 0, NULL, td_take_value, AT(protocol.energy), .sets = true,
     .help = "count the energy of each run, in two seconds or more of launches without a pause, after it was sampled"},
    {"verify", 0, "HOW", td_take_verify, .words = "full|none|beyond", .preset = "full",
     .help = "check the output against the reference; beyond: also run what is beyond a strategy's exact range, to "
     "see what goes wrong; or FILE.npy, the output that a workload from a file must give"},
    {"input", 0, "FILE", td_take_text, AT(input), .title = "Input and output",
     .help = "read the input from a file (.npy, .csv) instead of generating it; see --list workloads",
     .brief = "a file in place of generated input"},
    {"seed", 0, "U64", td_take_value, AT(protocol.seed), .high = UINT64_MAX, .preset = "1",
     .help = "seed of every generated input"},
    {"output", 'o', "FILE[:FORMAT]", td_take_output,
     .help = "where the result goes, - is standard output; may be given several times (default: -)",
     .brief = "where the result goes, any number of times"},
    {"format", 'f', "FORMAT", td_take_value, AT(format), .words = "json|jsonl|csv|table|md", .preset = "json",
     .help = "format of outputs without one of their own, and of --check-maps, --list and --dry-run (the last two: a "
     "table unless given); where it is not given, .json, .jsonl, .csv, .txt (table) and .md tell, and without -o a "
     "terminal gets a table", .brief = "json, jsonl, csv, table or md"},
    {"label", 0, "NAME=TEXT", td_take_label, .help = "free text for the record; may be given several times"},
    {"dump", 0, "FILE.npy[:K]", td_take_dump,
     .help = "write the output to this file; with :K the states of an automaton after 0, K, 2 K ... steps and after "
     "the last, as one stack; exactly one run must be selected, no baseline is added"},
    {"resume", 0, "FILE", td_take_text, AT(resume),
     .help = "skip the runs that this jsonl file holds with status ok"},
    {"quiet", 'q', NULL, td_take_value, AT(verbosity), .sets = -1, .help = "no progress on stderr"},
    {"verbose", 'v', NULL, td_take_value, AT(verbosity), .sets = 1, .help = "more progress on stderr"},
    {"color", 0, "WHEN", td_take_value, AT(color), .words = "auto|always|never", .preset = "auto",
     .help = "colours of tables on standard output; auto: on a terminal, unless NO_COLOR is set"},
    {"steps", 0, "G", td_take_parameter, .title = "Parameters of workloads"},
    {"memory", 0, "LIST", td_take_parameter, .help = NULL},
    {"cell", 0, "LIST", td_take_parameter, .help = NULL},
    {"set", 0, "NAME=VALUE[,...]", td_take_set,
     .help = "other parameters, also of workloads from files: see --list workloads; group=LIST: rows of tiles in a "
     "group, for strategies that have groups (default: 8), or triangles in a section, for maps of whole rows (16; "
     "rows: 1); order=LIST: of rows-list: descending (default), ascending, shift; table=FILE: another order; "
     "lengths=FILE: of rows-list: the rows of each sequence of a batch; may be given several times"},
    {"shard", 0, "I/K", td_take_shard, .title = "Clusters",
     .help = "run only part I of K, counted from 0, in whole groups; auto: I and K from Slurm's job array"},
    {"ranks", 0, "[HOW]", td_take_value, AT(partition), .words = "rows|cells",
     .help = "share each domain among the processes of mpirun or srun, a GPU each, so that all ranks have equally "
     "many rows, or cells (default); see docs/cluster.md"},
    {"tune", 0, NULL, td_take_value, AT(tune), .sets = true, .title = "Tuning",
     .help = "find the fastest way of each workload, strategy and N: blocks, tiles, kernels, schedules and memories "
     "that are not given are tried, and dropped as soon as they are certainly slower than another; the last few are "
     "measured in full, as with --precision 0.5% --max-time 0.5 unless those or --samples say otherwise",
     .brief = "find the fastest block, tile and kernel"},
    {"list", 0, "[WHAT]", td_take_action, AT(list_what), .sets = TD_ACTION_LIST,
     .words = "all|strategies|workloads|devices|engines", .title = "Instead of running",
     .help = "print what is available and what it supports", .brief = "what there is"},
    {"show", 0, NULL, td_take_action, .sets = TD_ACTION_SHOW,
     .help = "draw the chosen strategies, up to 24 tiles per side; with --format json or jsonl print maps and launched "
     "grids as data", .brief = "draw the maps"},
    {"emit", 0, "LANGUAGE", td_take_action, AT(emit), .sets = TD_ACTION_EMIT,
     .words = "cuda|triton|numba|cute|python",
     .help = "print the chosen maps of blocks, also from files, as functions for a kernel of your own, with their "
     "grids"},
    {"dry-run", 0, NULL, td_take_action, .sets = TD_ACTION_DRY_RUN,
     .help = "print runs, launches and bytes; execute nothing",
     .brief = "print launches and bytes, execute nothing"},
    {"check-maps", 0, "[N]", td_take_action, AT(check_maps_n), .sets = TD_ACTION_CHECK_MAPS, .low = 1,
     .high = 370000,
     .help = "find the first n at which each map is wrong, up to N tiles per side (maps of threads: cells; in 3D at "
     "most 4096; default: 131072)"},
    {"help", 'h', "[WHAT]", td_take_action, AT(help), .sets = TD_ACTION_HELP, .words = "usual|all",
     .help = "print the options that most people need, or all",
     .brief = "=all: every option, and all there is to say"},
    {"version", 'V', NULL, td_take_value, AT(action), .sets = TD_ACTION_VERSION, .help = "print version and build"},
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
