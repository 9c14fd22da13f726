/* resume.c - reads a jsonl file into sorted arrays of the keys that are done. */
#include "resume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/core/vector.h"
#include "report/format/json.h"

typedef struct entry {
    char *key;
    size_t line;          /* a later line about the same key wins, if its run was tried */
    td_run_status status; /* OK, SKIPPED, DROPPED, or FAILED for anything to be tried again */
    size_t device;        /* where it was measured: an index into the set's devices */
} entry;

typedef char device_name[TD_DEVICE_SIZE];

/* Sorted by key. */
typedef struct entries {
    entry *all;
    size_t count;
} entries;

struct td_done_set {
    entries runs;         /* ok, skipped or dropped runs only */
    device_name *devices; /* one per header */
    size_t device_count;
};

/* The state of a load. */
typedef struct reader {
    const char *path;
    size_t line;
    bool want_verified; /* unverified runs are to be done again */
    bool has_header;
    td_done_set *set;
} reader;

static td_status out_of_memory(const reader *r, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "out of memory while reading '%s'", r->path);
}

static td_status malformed(const reader *r, td_error *error)
{
    return td_fail(error, TD_USAGE,
                   "--resume: expected a jsonl file, line %zu of '%s' is malformed", r->line,
                   r->path);
}

static bool is_word(td_json_read object, const char *name, const char *word)
{
    const char *found = td_json_text(object, name);
    return found != NULL && strcmp(found, word) == 0;
}

/* The status that decides whether the run is to be run again. */
static td_run_status status_of(const reader *r, td_json_read run)
{
    static const td_run_status done[] = {TD_RUN_OK, TD_RUN_SKIPPED, TD_RUN_DROPPED};
    const bool is_unverified =
        is_word(td_json_member(run, "verified"), "status", td_verified_names[TD_VERIFIED_NONE]);
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++) {
        if (is_word(run, "status", td_run_status_names[done[i]])) {
            return done[i] == TD_RUN_OK && is_unverified && r->want_verified ? TD_RUN_FAILED
                                                                             : done[i];
        }
    }
    return TD_RUN_FAILED;
}

static td_status take_run(const reader *r, td_json_read run, td_error *error)
{
    const char *key = td_json_text(run, "key");
    if (key == NULL || td_json_text(run, "status") == NULL) {
        return malformed(r, error);
    }
    entries *list = &r->set->runs;
    const entry one = {.key = strdup(key),
                       .line = r->line,
                       .status = status_of(r, run),
                       .device = r->set->device_count - 1};
    if (one.key != NULL && td_vector_add(&list->all, &list->count, sizeof one, &one)) {
        return TD_OK;
    }
    free(one.key);
    return out_of_memory(r, error);
}

/* header: of no node if the line is something else. */
static td_status take_header(reader *r, td_json_read header, td_error *error)
{
    const td_json_read schema = td_json_member(header, "schema");
    const td_json_read environment = td_json_member(header, "environment");
    const td_json_read cpu = td_json_member(environment, "cpu");
    const int major = is_word(schema, "name", "tribench") ? td_json_int(schema, "major", -1) : -1;
    device_name device;
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
    td_device_text(td_json_text(td_json_member(environment, "gpu"), "name"),
                   td_json_text(cpu, "model"), (uint32_t)td_json_int(cpu, "threads", 0), device);
    return td_vector_add(&r->set->devices, &r->set->device_count, sizeof device, device)
               ? TD_OK
               : out_of_memory(r, error);
}

/* Lines of other types, such as a footer, or those of other minor versions, are passed over. */
static td_status take_object(reader *r, td_json_read line, td_error *error)
{
    if (is_word(line, "type", "header")) {
        return take_header(r, line, error);
    }
    if (!r->has_header) {
        return take_header(r, (td_json_read){NULL}, error);
    }
    if (is_word(line, "type", "run")) {
        return take_run(r, line, error);
    }
    return td_json_text(line, "type") != NULL ? TD_OK : malformed(r, error);
}

static td_status take_line(reader *r, const char *line, size_t size, td_error *error)
{
    const td_json_read object = td_json_parse(line, size);
    const td_status status = take_object(r, object, error);
    td_json_delete(object);
    return status;
}

/* Whether a torn line is the beginning of a header. */
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
        status =
            take_header(r, (td_json_read){NULL}, error); /* no newline, and not a torn header */
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

/* The end of the lines about the key of `first`. *valid: the last line whose run was tried, if there is one, because
 * a skip does not undo a measurement. */
static size_t end_of_key(const entries *list, size_t first, size_t *valid)
{
    size_t end = first;
    *valid = first;
    for (; end < list->count && strcmp(list->all[end].key, list->all[first].key) == 0; end++) {
        const bool was_tried = list->all[end].status != TD_RUN_SKIPPED;
        if (was_tried || list->all[*valid].status == TD_RUN_SKIPPED) {
            *valid = end;
        }
    }
    return end;
}

/* Keep one line per key, and only if nothing is left to do for it. */
static void keep_last(entries *list)
{
    size_t kept = 0, end = 0;
    if (list->count > 0) {
        qsort(list->all, list->count, sizeof *list->all, by_key_and_line);
    }
    for (size_t first = 0; first < list->count; first = end) {
        size_t valid = first;
        end = end_of_key(list, first, &valid);
        const entry found = list->all[valid];
        for (size_t i = first; i < end; i++) {
            if (i != valid || found.status == TD_RUN_FAILED) {
                free(list->all[i].key);
            }
        }
        if (found.status != TD_RUN_FAILED) {
            list->all[kept++] = found;
        }
    }
    list->count = kept;
}

static td_status load(reader *r, td_error *error)
{
    struct stat about;
    const int fd = open(r->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* do not wait for a pipe */
    if (fd < 0 && errno == ENOENT) {
        return TD_OK;
    }
    if (fd >= 0 && fstat(fd, &about) == 0 && !S_ISREG(about.st_mode)) { /* it may never end */
        close(fd);
        return td_fail(error, TD_USAGE, "--resume: expected a regular file, '%s' is %s", r->path,
                       S_ISDIR(about.st_mode) ? "a directory" : "a device or a pipe");
    }
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (file == NULL) {
        return td_fail(error, TD_USAGE, "--resume cannot read '%s': %s", r->path, strerror(errno));
    }
    const td_status status = read_lines(r, file, error);
    fclose(file);
    if (status == TD_OK) {
        keep_last(&r->set->runs);
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

static const entry *find(const entries *list, const char *key)
{
    return list != NULL && list->count > 0
               ? bsearch(key, list->all, list->count, sizeof *list->all, by_key)
               : NULL;
}

static bool is_noted(const td_done_set *done, const char *key, td_run_status status)
{
    const entry *found = done != NULL ? find(&done->runs, key) : NULL;
    return found != NULL && found->status == status;
}

bool td_done_contains(const td_done_set *done, const char *key)
{
    return is_noted(done, key, TD_RUN_OK);
}

size_t td_done_mark(const td_done_set *done, bool is_search, td_sweep *sweep)
{
    size_t count = 0;
    for (size_t r = 0; r < sweep->run_count; r++) {
        td_run *run = &sweep->runs[r];
        const bool is_done = td_done_contains(done, run->key) ||
                             (is_search && is_noted(done, run->key, TD_RUN_DROPPED));
        const bool told = run->skip[0] != '\0' && is_noted(done, run->key, TD_RUN_SKIPPED);
        run->unrecorded = run->unrecorded || is_done || told;
        count += is_done;
    }
    return count;
}

td_status td_done_check_device(const td_done_set *done, const td_sweep *sweep, const char *path,
                               const char *device, td_error *error)
{
    for (size_t r = 0; done != NULL && r < sweep->run_count; r++) {
        const char *key = sweep->runs[r].key;
        const entry *found = find(&done->runs, key);
        const bool is_done = found != NULL && found->status == TD_RUN_OK;
        const char *other = is_done ? done->devices[found->device] : "";
        if (other[0] != '\0' && device[0] != '\0' && strcmp(other, device) != 0) {
            return td_fail(error, TD_USAGE,
                           "--resume: '%s' has %s from %s, and this is %s: go on there, or give "
                           "each a file of its own",
                           path, key, other, device);
        }
    }
    return TD_OK;
}

size_t td_done_count(const td_done_set *done)
{
    size_t count = 0;
    for (size_t i = 0; done != NULL && i < done->runs.count; i++) {
        count += done->runs.all[i].status == TD_RUN_OK;
    }
    return count;
}

static void free_entries(entries *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->all[i].key);
    }
    free(list->all);
}

void td_done_free(td_done_set *done)
{
    if (done != NULL) {
        free_entries(&done->runs);
        free(done->devices);
        free(done);
    }
}
