#include "option_table.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/suggest.h"
#include "engine/engine.h"
#include "engine/sweep/slurm.h"
#include "name_lists.h"
#include "number_lists.h"
#include "outputs.h"

enum { LARGEST_N = 1048576, LARGEST_TILE = 4096, MOST_SHARDS = 1048576 };

static td_shown shown(const char *value)
{
    return td_show_value(td_span_of(value));
}

static void *field(const td_option *option, td_options *options)
{
    return (char *)options + option->offset;
}

/* ---- numbers ---- */

static td_status number(const td_option *option, const char *value, uint64_t *parsed,
                        td_error *error)
{
    if (td_parse_u64(td_span_of(value), option->low, option->high, parsed)) {
        return TD_OK;
    }
    return td_fail(error, TD_USAGE, "--%s: expected a whole number in %llu..%llu, got '%s'",
                   option->name, (unsigned long long)option->low, (unsigned long long)option->high,
                   shown(value).text);
}

static td_status parse_u32(const td_option *option, const char *value, td_options *options,
                           td_error *error)
{
    uint64_t parsed = 0;
    TRY(number(option, value, &parsed, error));
    *(uint32_t *)field(option, options) = (uint32_t)parsed;
    return TD_OK;
}

static td_status parse_u64(const td_option *option, const char *value, td_options *options,
                           td_error *error)
{
    return number(option, value, field(option, options), error);
}

static td_status parse_decimal(const td_option *option, const char *value, td_options *options,
                               td_error *error)
{
    double parsed = 0;
    if (!td_parse_decimal(td_span_of(value), &parsed) || parsed > (double)option->high) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected a decimal number such as 0.25 in 0..%llu, got '%s'",
                       option->name, (unsigned long long)option->high, shown(value).text);
    }
    *(double *)field(option, options) = parsed;
    return TD_OK;
}

static td_status parse_max_time(const td_option *option, const char *value, td_options *options,
                                td_error *error)
{
    TRY(parse_decimal(option, value, options, error));
    return options->protocol.max_time_s > 0
               ? TD_OK
               : td_fail(error, TD_USAGE, "--%s: expected more than 0 seconds, got '%s'",
                         option->name, shown(value).text);
}

/* ---- choices and flags ---- */

/* Place of `value` in "a|b|c". */
static td_status choice(const td_option *option, const char *value, int *place, td_error *error)
{
    char room[TD_WORDS_SIZE];
    const char *words = td_option_words(option, room);
    td_suggestion best = {0};
    char names[16][24] = {""};
    int count = 0;
    for (td_span rest = td_span_of(words); rest.text != NULL; count++) {
        const td_span word = td_span_until(&rest, '|');
        if (td_span_is(word, value)) {
            *place = count;
            return TD_OK;
        }
        memcpy(names[count], word.text, word.length);
        td_suggest(&best, td_span_of(value), names[count]);
    }
    return td_fail(error, TD_USAGE, "--%s: expected one of %s, got '%s'%s", option->name, words,
                   shown(value).text, td_suggest_text(&best).text);
}

static td_status parse_choice(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    return choice(option, value, field(option, options), error);
}

static td_status parse_verify(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    int none = 0;
    TRY(choice(option, value, &none, error));
    options->protocol.verify = none == 0;
    return TD_OK;
}

static td_status parse_engine(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    int place = 0;
    TRY(choice(option, value, &place, error));
    options->engine = place > 0 ? td_engines[place - 1] : NULL;
    return TD_OK;
}

static td_status set_int(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    (void)value;
    (void)error;
    *(int *)field(option, options) = (int)option->low;
    return TD_OK;
}

static td_status set_flag(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    (void)value;
    (void)error;
    *(bool *)field(option, options) = true;
    return TD_OK;
}

/* ---- actions ---- */

static td_status act(const td_option *option, td_action action, td_options *options,
                     td_error *error)
{
    if (options->action != TD_ACTION_RUN && options->action != action) {
        return td_fail(error, TD_USAGE,
                       "--%s: only one of --list, --show, --dry-run and --check-maps at a time",
                       option->name);
    }
    options->action = action;
    return TD_OK;
}

static td_status act_dry_run(const td_option *option, const char *value, td_options *options,
                             td_error *error)
{
    (void)value;
    return act(option, TD_ACTION_DRY_RUN, options, error);
}

static td_status act_list(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    TRY(value != NULL ? parse_choice(option, value, options, error) : TD_OK);
    return act(option, TD_ACTION_LIST, options, error);
}

static td_status act_show(const td_option *option, const char *value, td_options *options,
                          td_error *error)
{
    TRY(value != NULL ? parse_choice(option, value, options, error) : TD_OK);
    return act(option, TD_ACTION_SHOW, options, error);
}

static td_status act_generate(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    TRY(parse_choice(option, value, options, error));
    return act(option, TD_ACTION_GENERATE, options, error);
}

static td_status act_check_maps(const td_option *option, const char *value, td_options *options,
                                td_error *error)
{
    TRY(parse_u32(option, value != NULL ? value : "2048", options, error));
    return act(option, TD_ACTION_CHECK_MAPS, options, error);
}

/* ---- text ---- */

static td_status parse_text(const td_option *option, const char *value, td_options *options,
                            td_error *error)
{
    if (value[0] == '\0') {
        return td_fail(error, TD_USAGE, "--%s: expected %s, got an empty word", option->name,
                       option->argument);
    }
    *(const char **)field(option, options) = value;
    return TD_OK;
}

/* "GPU-" or "MIG-" and hexadecimal digits in groups, as nvidia-smi -L prints them. */
static bool is_uuid(const char *value)
{
    if (strncmp(value, "GPU-", 4) != 0 && strncmp(value, "MIG-", 4) != 0) {
        return false;
    }
    const char *id = value + 4;
    return strlen(id) == 36 && strspn(id, "0123456789abcdefABCDEF-") == 36;
}

static td_status parse_device(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    uint64_t ordinal = 0;
    if (!td_parse_u64(td_span_of(value), option->low, option->high, &ordinal) && !is_uuid(value)) {
        return td_fail(
            error, TD_USAGE,
            "--%s: expected a CUDA ordinal in %llu..%llu or a UUID such as nvidia-smi -L "
            "prints, got '%s'",
            option->name, (unsigned long long)option->low, (unsigned long long)option->high,
            shown(value).text);
    }
    options->device = value;
    return TD_OK;
}

static td_status parse_clocks(const td_option *option, const char *value, td_options *options,
                              td_error *error)
{
    uint64_t mhz = 0;
    if (strcmp(value, "base") != 0 && strcmp(value, "max") != 0 &&
        !td_parse_u64(td_span_of(value), option->low, option->high, &mhz)) {
        return td_fail(error, TD_USAGE, "--%s: expected base, max or MHz in %llu..%llu, got '%s'",
                       option->name, (unsigned long long)option->low,
                       (unsigned long long)option->high, shown(value).text);
    }
    *(const char **)field(option, options) = value;
    return TD_OK;
}

/* ---- shards ---- */

static td_status parse_shard(const td_option *option, const char *value, td_options *options,
                             td_error *error)
{
    uint64_t index = 0, count = 0;
    if (strcmp(value, "auto") == 0) {
        TRY(td_slurm_shard(&index, &count, error));
    } else {
        td_span rest = td_span_of(value);
        const td_span head = td_span_until(&rest, '/');
        if (rest.text == NULL || !td_parse_u64(head, 0, UINT32_MAX, &index) ||
            !td_parse_u64(rest, 0, UINT32_MAX, &count)) {
            count = 0;
        }
    }
    if (count > MOST_SHARDS || index >= count) {
        return td_fail(error, TD_USAGE,
                       "--%s: expected I/K with 0 <= I < K <= %d, or auto in a Slurm job array of "
                       "consecutive tasks, got '%s'%s",
                       option->name, MOST_SHARDS, shown(value).text,
                       strcmp(value, "auto") == 0 ? " (the task's number is not below the count)"
                                                  : "");
    }
    options->shard_index = (uint32_t)index;
    options->shard_count = (uint32_t)count;
    return TD_OK;
}

/* ---- lists ---- */

static td_status parse_n(const td_option *option, const char *value, td_options *options,
                         td_error *error)
{
    return td_parse_u32_list(option->name, value, (uint32_t)option->low, (uint32_t)option->high,
                             &options->n, &options->n_count, error);
}

static td_status parse_tiles(const td_option *option, const char *value, td_options *options,
                             td_error *error)
{
    return td_parse_u32_list(option->name, value, (uint32_t)option->low, (uint32_t)option->high,
                             &options->tiles, &options->tile_count, error);
}

static td_status parse_cutoffs(const td_option *option, const char *value, td_options *options,
                               td_error *error)
{
    return td_parse_u32_list(option->name, value, (uint32_t)option->low, (uint32_t)option->high,
                             &options->cutoffs, &options->cutoff_count, error);
}

#define AT(member) offsetof(td_options, member)

/* clang-format off */
const td_option td_option_table[] = {
    {"strategy", 's', "LIST", td_parse_strategies, 0, 0, 0, NULL, "paper",
     "strategies by name (see --list), or the sets all, paper (those of Navarro & Hitschfeld), 2d, 3d"},
    {"workload", 'w', "LIST", td_parse_workloads, 0, 0, 0, NULL, TD_DEFAULT_WORKLOAD,
     "workloads by name (see --list), or all"},
    {"n", 'n', "LIST", parse_n, 0, 1, LARGEST_N, NULL, "8192",
     "problem sizes N in cells per side, ranges as start:stop:step"},
    {"block", 'b', "LIST", td_parse_blocks, 0, 0, 0, NULL, NULL,
     "threads per block: 16 is 16x16 (in 3D 8 is 8x8x8), 64x4, 8x8x8; at most 1024 threads "
     "(default: 16 in 2D, 8 in 3D; tile kernels have their own)"},
    {"tile", 0, "LIST", parse_tiles, 0, 1, LARGEST_TILE, NULL, NULL,
     "side of a tile in cells, for strategies that map blocks: a multiple of the block's sides, "
     "for whole rows of its sides along y and z (default: the block's side; tile kernels have their own)"},
    {"cutoff", 0, "LIST", parse_cutoffs, 0, 1, LARGEST_N, NULL, "128",
     "cells per side at which a recursive strategy stops dividing"},
    {"engine", 'e', "NAME", parse_engine, 0, 0, 0, NULL, "auto",
     "what executes the runs; auto: the first of the others that is usable"},
    {"device", 'd', "ID", parse_device, 0, 0, 1023, NULL, NULL, "CUDA ordinal or GPU UUID (default: 0)"},
    {"lock-gpu-clocks", 0, "MHZ", parse_clocks, AT(lock_clocks), 1, 10000, NULL, NULL,
     "lock the GPU's clocks for the time of the sweep: MHz, base or max; takes root, resets earlier locks"},
    {"schedule", 0, "HOW", parse_choice, AT(schedule), 0, 0, "grid|persistent", "grid",
     "persistent: as many blocks as fit on the device, each looping over tiles"},
    {"baseline", 0, "NAME", td_parse_baseline, 0, 0, 0, NULL, NULL,
     "strategy that the improvement I is measured against, added when missing, or none "
     "(default: the bounding box)"},
    {"samples", 0, "K", parse_u32, AT(protocol.samples), 1, 1000000, NULL, "51", "samples per run"},
    {"setups", 0, "K", parse_u32, AT(protocol.setups), 1, TD_MOST_SETUPS, NULL, "1",
     "spread the samples over K set-ups, each with memory in other places and graphs of its own"},
    {"warmup", 0, "K", parse_u32, AT(protocol.warmup), 0, 1000000, NULL, "3", "warm-up launches per run"},
    {"max-time", 0, "S", parse_max_time, AT(protocol.max_time_s), 0, 86400, NULL, "10",
     "sampling time per run in seconds, more than 0"},
    {"timeout", 0, "S", parse_decimal, AT(timeout_s), 0, 604800, NULL, "300",
     "seconds without progress (a verification, a warm-up, a sample) after which a run is aborted; 0: never"},
    {"cache", 0, "STATE", parse_choice, AT(protocol.cache), 0, 0, "warm|cold", "warm",
     "cold: overwrite the caches before every sample"},
    {"timing", 0, "HOW", parse_choice, AT(protocol.sampling), 0, 0, "batched|isolated", "batched",
     "a sample is a batch of launches of a millisecond, or isolated: one launch, held back until all of it is queued"},
    {"seed", 0, "U64", parse_u64, AT(seed), 0, UINT64_MAX, NULL, "1", "seed of every generated input"},
    {"input", 0, "FILE", parse_text, AT(input), 0, 0, NULL, NULL,
     "read the input from a file (.npy, .csv, .rle, .png) instead of generating it; see --list workloads"},
    {"frames", 0, "DIR", parse_text, AT(frames), 0, 0, NULL, NULL,
     "write PNG snapshots of an automaton into this folder; exactly one run must be selected"},
    {"every", 0, "K", parse_u32, AT(every), 1, 1000000, NULL, "10", "generations between two snapshots"},
    {"dump", 0, "FILE.npy", parse_text, AT(dump), 0, 0, NULL, NULL,
     "write the output to this file; exactly one run must be selected, no baseline is added"},
    {"layout", 0, "HOW", parse_choice, AT(layout), 0, 0, "packed|full", NULL,
     "output storage: lower triangle row by row, or the whole matrix (default: packed in 2D, full in 3D)"},
    {"kernel", 0, "KIND", parse_choice, AT(kernel), 0, 0, "auto|cell|loop|tile", "auto",
     "one cell per thread, a loop over a larger tile, or the workload's own kernel for whole tiles; "
     "auto: with a --tile larger than the block tile where there is one, else loop; cell without"},
    {"tune", 0, NULL, set_flag, AT(tune), 0, 0, NULL, NULL,
     "find the fastest way of each workload, strategy and N: blocks, tiles, kernels, schedules and memories that are "
     "not given are tried in short runs, the best few in full ones, and the winner is reported"},
    {"energy", 0, NULL, set_flag, AT(protocol.energy), 0, 0, NULL, NULL,
     "count the energy of each run, in two seconds or more of launches without a pause, after it was sampled"},
    {"verify", 0, "HOW", parse_verify, 0, 0, 0, "full|none", "full", "check the output against the reference"},
    {"inexact", 0, NULL, set_flag, AT(protocol.inexact), 0, 0, NULL, NULL,
     "run beyond a strategy's exact range, to see what goes wrong"},
    {"threads", 0, "T", parse_u32, AT(threads), 1, 4096, NULL, NULL,
     "host threads of the cpu engine (default: all cores)"},
    {"output", 'o', "FILE[:FORMAT]", td_parse_output, 0, 0, 0, NULL, NULL,
     "where the result goes, - is standard output; may be given several times (default: -)"},
    {"format", 'f', "FORMAT", parse_choice, AT(format), 0, 0, "json|jsonl|csv|table", "json",
     "format of outputs without one of their own, and of --check-maps, --list and --dry-run (the last two: a table "
     "unless given); where it is not given, .json, .jsonl, .csv and .txt (table) tell"},
    {"label", 0, "NAME=TEXT", td_parse_label, 0, 0, 0, NULL, NULL,
     "free text for the record; may be given several times"},
    {"overwrite", 0, NULL, set_flag, AT(overwrite), 0, 0, NULL, NULL,
     "let a jsonl output replace a file that holds something; the other formats always do, once they are whole"},
    {"resume", 0, "FILE", parse_text, AT(resume), 0, 0, NULL, NULL,
     "skip the runs that this jsonl file holds with status ok"},
    {"shard", 0, "I/K", parse_shard, 0, 0, 0, NULL, NULL,
     "run only part I of K, counted from 0, in whole groups; auto: I and K from Slurm's job array"},
    {"ranks", 0, NULL, set_flag, AT(ranks), 0, 0, NULL, NULL,
     "share each domain among the processes of mpirun or srun, a GPU each; see docs/cluster.md"},
    {"partition", 0, "HOW", parse_choice, AT(partition), 0, 0, "rows|cells|blocks", "cells",
     "with --ranks: as many rows for each rank, as many cells, or as many blocks (ltm-*, utm-b)"},
    {"oversubscribe", 0, NULL, set_flag, AT(oversubscribe), 0, 0, NULL, NULL, "let several ranks share a GPU"},
    {"list", 0, "[WHAT]", act_list, AT(list_what), 0, 0, "all|strategies|workloads|devices|engines", NULL,
     "print what is available and what it supports"},
    {"show", 0, "[VIEW]", act_show, AT(show_view), 0, 0, "map|grid", NULL,
     "draw the chosen strategies for a small n: the map, or the launched grids"},
    {"dry-run", 0, NULL, act_dry_run, 0, 0, 0, NULL, NULL, "print runs, launches and bytes; execute nothing"},
    {"check-maps", 0, "[N]", act_check_maps, AT(check_maps_n), 1, 92681, NULL, NULL,
     "ask the engine where each map first fails, up to N tiles per side "
     "(maps of threads: cells; in 3D at most 512; default: 2048)"},
    {"quiet", 'q', NULL, set_int, AT(verbosity), (uint64_t)-1, 0, NULL, NULL, "no progress on stderr"},
    {"verbose", 'v', NULL, set_int, AT(verbosity), 1, 0, NULL, NULL, "more progress on stderr"},
    {"color", 0, "WHEN", parse_choice, AT(color), 0, 0, "auto|always|never", "auto", "colours in the terminal"},
    {"generate", 0, "WHAT", act_generate, AT(generate), 0, 0, "man|complete-bash|complete-zsh|complete-fish", NULL,
     "print the man page, or what completes this program's options in a shell"},
    {"help", 'h', NULL, set_int, AT(action), TD_ACTION_HELP, 0, NULL, NULL, "print this text"},
    {"version", 'V', NULL, set_int, AT(action), TD_ACTION_VERSION, 0, NULL, NULL, "print version and build"},
};
/* clang-format on */

const size_t td_option_count = sizeof td_option_table / sizeof td_option_table[0];

const char *td_option_words(const td_option *option, char room[TD_WORDS_SIZE])
{
    if (option->parse != parse_engine) {
        return option->words;
    }
    int used = snprintf(room, TD_WORDS_SIZE, "auto");
    for (size_t e = 0; e < td_engine_count && used < TD_WORDS_SIZE; e++) {
        used += snprintf(room + used, TD_WORDS_SIZE - (size_t)used, "|%s", td_engines[e]->name);
    }
    return room;
}
