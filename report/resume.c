/* resume.c - reads a jsonl file into a sorted array of the keys that are done. */
#include "resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/vector.h"
#include "report/format/json.h"

typedef struct entry {
    char *key;
    size_t line;          /* the later line about a key is the valid one, if the run was tried */
    td_run_status status; /* OK, SKIPPED, or FAILED for all that is to be tried again */
} entry;

struct td_done_set {
    entry *entries; /* sorted by key; only those that are ok or skipped */
    size_t count;
};

/* Where a load stands. */
typedef struct reader {
    const char *path;
    size_t line;
    bool want_verified; /* what was not verified is to be done again */
    bool has_header;
    td_done_set *set;
} reader;

static td_status out_of_memory(const reader *r, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "out of memory while reading '%s'", r->path);
}

/* Takes the key over. */
static bool append(td_done_set *set, char *key, size_t line, td_run_status status)
{
    entry *entries = td_vector_grow(set->entries, set->count, sizeof *entries);
    if (entries == NULL) {
        free(key);
        return false;
    }
    set->entries = entries;
    set->entries[set->count++] = (entry){key, line, status};
    return true;
}

static td_status take_header(reader *r, int major, td_error *error)
{
    if (major < 0) {
        return td_fail(error, TD_USAGE,
                       "--resume: expected a jsonl file of tribench, got '%s' (line %zu)", r->path,
                       r->line);
    }
    if (major != TD_SCHEMA_MAJOR) {
        return td_fail(error, TD_USAGE,
                       "--resume: expected schema major %d, '%s' has %d (line %zu)",
                       TD_SCHEMA_MAJOR, r->path, major, r->line);
    }
    r->has_header = true;
    return TD_OK;
}

static td_status take_line(reader *r, const char *line, size_t size, td_error *error)
{
    td_json_line read;
    if (!td_json_read_line(line, size, &read)) {
        return out_of_memory(r, error);
    }
    if (read.kind == TD_JSON_RUN && r->has_header) {
        const td_run_status status =
            read.unverified && r->want_verified ? TD_RUN_FAILED : read.status;
        return append(r->set, read.key, r->line, status) ? TD_OK : out_of_memory(r, error);
    }
    free(read.key);
    if (read.kind == TD_JSON_HEADER) {
        return take_header(r, read.major, error);
    }
    if (!r->has_header) {
        return take_header(r, -1, error);
    }
    if (read.kind == TD_JSON_MALFORMED) {
        return td_fail(error, TD_USAGE,
                       "--resume: expected a jsonl file, line %zu of '%s' is malformed", r->line,
                       r->path);
    }
    return TD_OK;
}

/* What was torn off a header begins as one. */
static bool begins_header(const char *line)
{
    static const char header[] = "{\"type\":\"header\"";
    const size_t size = strlen(line);
    return strncmp(line, header, size < sizeof header - 1 ? size : sizeof header - 1) == 0;
}

static td_status read_lines(reader *r, FILE *file, td_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size = 0;
    td_status status = TD_OK;
    errno = 0;
    while (status == TD_OK && (size = getline(&line, &capacity, file)) > 0 &&
           line[size - 1] == '\n') {
        r->line++;
        status = take_line(r, line, (size_t)size - 1, error);
    }
    if (status == TD_OK && size > 0 && !r->has_header && !begins_header(line)) {
        r->line++;
        status = take_header(r, -1, error); /* without an end, but no torn line of ours */
    }
    free(line);
    if (status == TD_OK && (ferror(file) || (size < 0 && !feof(file)))) {
        return td_fail(error, TD_USAGE, "--resume cannot read '%s': %s", r->path, strerror(errno));
    }
    return status;
}

static int by_key_and_line(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    const int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* Where the lines about the key of `first` end; `valid` is the last about a run that was tried, if any was: what was
 * skipped does not undo what was measured. */
static size_t end_of_key(const td_done_set *set, size_t first, size_t *valid)
{
    size_t end = first;
    *valid = first;
    for (; end < set->count && strcmp(set->entries[end].key, set->entries[first].key) == 0; end++) {
        const bool was_tried = set->entries[end].status != TD_RUN_SKIPPED;
        if (was_tried || set->entries[*valid].status == TD_RUN_SKIPPED) {
            *valid = end;
        }
    }
    return end;
}

/* Of each key one line counts, and only when nothing is left to do for it. */
static void settle(td_done_set *set)
{
    size_t kept = 0, end = 0;
    if (set->count > 0) {
        qsort(set->entries, set->count, sizeof *set->entries, by_key_and_line);
    }
    for (size_t first = 0; first < set->count; first = end) {
        size_t valid = first;
        end = end_of_key(set, first, &valid);
        const entry found = set->entries[valid];
        for (size_t i = first; i < end; i++) {
            if (i != valid || found.status == TD_RUN_FAILED) {
                free(set->entries[i].key);
            }
        }
        if (found.status != TD_RUN_FAILED) {
            set->entries[kept++] = found;
        }
    }
    set->count = kept;
}

static td_status load(reader *r, td_error *error)
{
    FILE *file = fopen(r->path, "re");
    if (file == NULL && errno == ENOENT) {
        return TD_OK;
    }
    if (file == NULL) {
        return td_fail(error, TD_USAGE, "--resume cannot read '%s': %s", r->path, strerror(errno));
    }
    const td_status status = read_lines(r, file, error);
    fclose(file);
    if (status == TD_OK) {
        settle(r->set);
    }
    return status;
}

td_status td_done_load(const char *path, bool want_verified, td_done_set **done, td_error *error)
{
    reader r = {
        .path = path, .want_verified = want_verified, .set = calloc(1, sizeof(td_done_set))};
    if (r.set == NULL) {
        return out_of_memory(&r, error);
    }
    const td_status status = load(&r, error);
    if (status != TD_OK) {
        td_done_free(r.set);
        return status;
    }
    *done = r.set;
    return TD_OK;
}

static int by_key(const void *key, const void *element)
{
    return strcmp(key, ((const entry *)element)->key);
}

static bool is_noted(const td_done_set *done, const char *key, td_run_status status)
{
    if (done == NULL || done->count == 0) {
        return false;
    }
    const entry *found = bsearch(key, done->entries, done->count, sizeof *done->entries, by_key);
    return found != NULL && found->status == status;
}

bool td_done_contains(const td_done_set *done, const char *key)
{
    return is_noted(done, key, TD_RUN_OK);
}

size_t td_done_mark(const td_done_set *done, td_sweep *sweep)
{
    size_t count = 0;
    for (size_t r = 0; r < sweep->run_count; r++) {
        td_run *run = &sweep->runs[r];
        const bool is_done = td_done_contains(done, run->key);
        const bool told = run->skip[0] != '\0' && is_noted(done, run->key, TD_RUN_SKIPPED);
        run->unrecorded = run->unrecorded || is_done || told;
        count += is_done;
    }
    return count;
}

size_t td_done_count(const td_done_set *done)
{
    size_t count = 0;
    for (size_t i = 0; done != NULL && i < done->count; i++) {
        count += done->entries[i].status == TD_RUN_OK;
    }
    return count;
}

void td_done_free(td_done_set *done)
{
    if (done != NULL) {
        for (size_t i = 0; i < done->count; i++) {
            free(done->entries[i].key);
        }
        free(done->entries);
        free(done);
    }
}

td_status td_resume(const td_options *options, td_sweep *sweep, td_error *error)
{
    td_done_set *done = NULL;
    TRY(td_done_load(options->resume, options->protocol.verify, &done, error));
    const size_t count = td_done_mark(done, sweep);
    td_done_free(done);
    if (options->verbosity >= 0) {
        fprintf(stderr, "tribench: %zu of %zu runs are done in '%s'\n", count, sweep->run_count,
                options->resume);
    }
    return TD_OK;
}
