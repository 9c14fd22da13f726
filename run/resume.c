/* resume.c - looks up the lines of a jsonl file among the runs of a sweep. */
#include "resume.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/core/error.h"
#include "report/format/document.h"

/* A header of the file. */
typedef struct header {
    struct header *before; /* NULL: this is the first */
    char device[TD_DEVICE_SIZE];
} header;

/* What the file says about a run of the sweep. */
typedef struct entry {
    td_run *run;
    /* OK, SKIPPED, DROPPED, or FAILED for anything to be tried again; PLANNED: the file does not have it. */
    td_run_status status;
    const char *device; /* where it was measured */
} entry;

struct td_done_set {
    const td_options *options;
    entry *entries; /* of all runs, sorted by key */
    size_t count;
    size_t line;  /* that is being read */
    header *last; /* NULL: there was no header yet */
};

static int by_key(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->run->key, ((const entry *)b)->run->key);
}

static td_status start(const td_options *options, td_sweep *sweep, td_done_set **done,
                       td_error *error)
{
    td_done_set *d = NULL;
    TRY(td_allocate(&d, 1, sizeof *d, error, "--resume"));
    *done = d;
    d->options = options;
    TRY(td_allocate(&d->entries, sweep->run_count, sizeof *d->entries, error, "--resume"));
    for (; d->count < sweep->run_count; d->count++) {
        d->entries[d->count] = (entry){&sweep->runs[d->count], TD_RUN_PLANNED, ""};
    }
    qsort(d->entries, d->count, sizeof *d->entries, by_key);
    return TD_OK;
}

/* ---- one line ---- */

static td_status malformed(const td_done_set *done, td_error *error)
{
    return td_fail(error, TD_USAGE,
                   "--resume: expected a jsonl file, line %zu of '%s' is malformed", done->line,
                   done->options->resume);
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* NULL if there is no such string. */
static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(member(object, name));
}

/* `otherwise` if there is no such number. */
static int int_of(const cJSON *object, const char *name, int otherwise)
{
    const cJSON *number = member(object, name);
    return cJSON_IsNumber(number) ? number->valueint : otherwise;
}

static bool is_word(const cJSON *object, const char *name, const char *word)
{
    const char *found = text_of(object, name);
    return found != NULL && strcmp(found, word) == 0;
}

/* The status that decides whether the run is to be run again. */
static td_run_status status_of(const td_done_set *done, const cJSON *run)
{
    static const td_run_status settled[] = {TD_RUN_OK, TD_RUN_SKIPPED, TD_RUN_DROPPED};
    const bool is_unverified =
        is_word(member(run, "verified"), "status", td_verified_names[TD_VERIFIED_NONE]);
    for (size_t i = 0; i < sizeof settled / sizeof settled[0]; i++) {
        if (is_word(run, "status", td_run_status_names[settled[i]])) {
            const bool is_enough = settled[i] != TD_RUN_OK || !is_unverified;
            return is_enough || !done->options->protocol.verify ? settled[i] : TD_RUN_FAILED;
        }
    }
    return TD_RUN_FAILED;
}

/* Several runs that cannot work may have one key. A skip does not undo a measurement. */
static void note(const td_done_set *done, const char *key, td_run_status status)
{
    size_t low = 0, high = done->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before = strcmp(done->entries[middle].run->key, key) < 0;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    for (; low < done->count && strcmp(done->entries[low].run->key, key) == 0; low++) {
        entry *e = &done->entries[low];
        if (status != TD_RUN_SKIPPED || e->status == TD_RUN_PLANNED) {
            e->status = status;
            e->device = done->last->device;
        }
    }
}

static td_status take_run(const td_done_set *done, const cJSON *run, td_error *error)
{
    const char *key = text_of(run, "key");
    if (key == NULL || text_of(run, "status") == NULL) {
        return malformed(done, error);
    }
    note(done, key, status_of(done, run));
    return TD_OK;
}

/* line: NULL if it is something else. */
static td_status take_header(td_done_set *done, const cJSON *line, td_error *error)
{
    const char *path = done->options->resume;
    const cJSON *schema = member(line, "schema");
    const cJSON *environment = member(line, "environment");
    const cJSON *cpu = member(environment, "cpu");
    const int major = is_word(schema, "name", "tribench") ? int_of(schema, "major", -1) : -1;
    if (major < 0) {
        return td_fail(error, TD_USAGE,
                       "--resume: expected a jsonl file of tribench, got '%s' (line %zu)", path,
                       done->line);
    }
    if (major != TD_SCHEMA_MAJOR) {
        return td_fail(error, TD_USAGE,
                       "--resume: expected schema major %d, '%s' has %d (line %zu)",
                       TD_SCHEMA_MAJOR, path, major, done->line);
    }
    header *read = NULL;
    TRY(td_allocate(&read, 1, sizeof *read, error, "--resume"));
    td_device_text(text_of(member(environment, "gpu"), "name"), text_of(cpu, "model"),
                   (uint32_t)int_of(cpu, "threads", 0), read->device);
    read->before = done->last;
    done->last = read;
    return TD_OK;
}

/* Lines of other types, such as a footer, or those of other minor versions, are passed over. */
static td_status take_object(td_done_set *done, const cJSON *line, td_error *error)
{
    const bool is_header = is_word(line, "type", "header");
    if (is_header || done->last == NULL) {
        return take_header(done, is_header ? line : NULL, error);
    }
    if (is_word(line, "type", "run")) {
        return take_run(done, line, error);
    }
    return text_of(line, "type") != NULL ? TD_OK : malformed(done, error);
}

/* ---- the file ---- */

static td_status take_line(td_done_set *done, const char *line, size_t size, td_error *error)
{
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(line, size, &end, false);
    const bool is_whole = end == line + size && cJSON_IsObject(object);
    const td_status status = take_object(done, is_whole ? object : NULL, error);
    cJSON_Delete(object);
    return status;
}

/* Whether a torn line is the beginning of a header. */
static bool begins_header(const char *line)
{
    static const char begin[] = "{\"type\":\"header\"";
    const size_t size = strlen(line);
    return strncmp(line, begin, size < sizeof begin - 1 ? size : sizeof begin - 1) == 0;
}

static td_status unreadable(const td_done_set *done, td_error *error)
{
    return td_fail(error, TD_USAGE, "--resume cannot read '%s': %s", done->options->resume,
                   strerror(errno));
}

static td_status read_lines(td_done_set *done, FILE *file, td_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size = 0;
    td_status status = TD_OK;
    while (status == TD_OK && (size = getline(&line, &capacity, file)) > 0) {
        const bool is_torn = line[size - 1] != '\n';
        if (is_torn && (done->last != NULL || begins_header(line))) {
            break;
        }
        done->line++;
        status = take_line(done, line, (size_t)size - !is_torn, error);
    }
    free(line);
    return status == TD_OK && (ferror(file) || (size < 0 && !feof(file))) ? unreadable(done, error)
                                                                          : status;
}

static td_status load(td_done_set *done, td_error *error)
{
    const char *path = done->options->resume;
    struct stat about;
    if (stat(path, &about) != 0) {
        return errno == ENOENT ? TD_OK : unreadable(done, error);
    }
    if (!S_ISREG(about.st_mode)) { /* it may never end */
        return td_fail(error, TD_USAGE, "--resume: expected a regular file, '%s' is %s", path,
                       S_ISDIR(about.st_mode) ? "a directory" : "a device or a pipe");
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return unreadable(done, error);
    }
    const td_status status = read_lines(done, file, error);
    fclose(file);
    return status;
}

/* ---- what it says ---- */

static bool is_done(const td_done_set *done, const entry *e)
{
    return e->status == TD_RUN_OK || (e->status == TD_RUN_DROPPED && done->options->tune);
}

td_status td_done_mark(const td_options *options, td_sweep *sweep, td_done_set **done,
                       td_error *error)
{
    td_done_set *d = NULL;
    td_status status = start(options, sweep, &d, error);
    status = status == TD_OK ? load(d, error) : status;
    if (status != TD_OK) {
        td_done_free(d);
        return status;
    }
    for (entry *e = d->entries; e < d->entries + d->count; e++) {
        const bool is_told = e->run->skip[0] != '\0' && e->status == TD_RUN_SKIPPED;
        e->run->unrecorded = e->run->unrecorded || is_done(d, e) || is_told;
    }
    *done = d;
    return TD_OK;
}

size_t td_done_count(const td_done_set *done)
{
    size_t count = 0;
    for (size_t i = 0; done != NULL && i < done->count; i++) {
        count += is_done(done, &done->entries[i]);
    }
    return count;
}

td_status td_done_check_device(const td_done_set *done, const char *device, td_error *error)
{
    for (size_t i = 0; done != NULL && i < done->count; i++) {
        const entry *e = &done->entries[i];
        const char *other = e->status == TD_RUN_OK ? e->device : "";
        if (other[0] != '\0' && device[0] != '\0' && strcmp(other, device) != 0) {
            return td_fail(error, TD_USAGE,
                           "--resume: '%s' has %s from %s, and this is %s: go on there, or give "
                           "each a file of its own",
                           done->options->resume, e->run->key, other, device);
        }
    }
    return TD_OK;
}

void td_done_free(td_done_set *done)
{
    if (done == NULL) {
        return;
    }
    for (header *d = done->last, *before = NULL; d != NULL; d = before) {
        before = d->before;
        free(d);
    }
    free(done->entries);
    free(done);
}
