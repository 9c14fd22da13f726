/* resume.c - looks up the lines of a jsonl file among the runs of a sweep. */
#include "resume.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/core/error.h"
#include "report/format/document.h"

/* What the last line of a key says, unless that is a skip, which does not undo a measurement. */
typedef struct finding {
    char key[TD_KEY_SIZE];
    td_run_status status; /* OK, SKIPPED, DROPPED, or FAILED for anything to be tried again */
    char device[TD_DEVICE_SIZE]; /* where it was measured */
} finding;

/* A finding begins with its key. */
static int by_key(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* NULL: the file does not have the run. */
static const finding *finding_of(const td_done_set *done, const td_run *run)
{
    finding *const *found = tfind(run->key, &done->findings, by_key);
    return found != NULL ? *found : NULL;
}

/* ---- one line ---- */

static td_status malformed(const td_done_set *done, td_error *error)
{
    return td_fail(error, TD_USAGE,
                   "--resume: expected a jsonl file of tribench with schema major %d, line %zu of "
                   "'%s' is not valid in one",
                   TD_SCHEMA_MAJOR, done->line, done->options->resume);
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

static td_status note(td_done_set *done, const char *key, td_run_status status, td_error *error)
{
    finding *f = NULL;
    TRY(td_allocate(&f, 1, sizeof *f, error, "--resume"));
    snprintf(f->key, sizeof f->key, "%s", key);
    finding **found = tsearch(f, &done->findings, by_key);
    const bool is_new = found != NULL && *found == f;
    if (is_new || (found != NULL && status != TD_RUN_SKIPPED)) {
        (*found)->status = status;
        memcpy((*found)->device, done->device, sizeof done->device);
    }
    if (!is_new) {
        free(f);
    }
    return found != NULL ? TD_OK : td_fail(error, TD_NO_MEMORY, "not enough memory for --resume");
}

static td_status take_run(td_done_set *done, const cJSON *run, td_error *error)
{
    const char *key = text_of(run, "key");
    return key != NULL && text_of(run, "status") != NULL
               ? note(done, key, status_of(done, run), error)
               : malformed(done, error);
}

static td_status take_header(td_done_set *done, const cJSON *line, td_error *error)
{
    const cJSON *schema = member(line, "schema");
    const cJSON *environment = member(line, "environment");
    const cJSON *cpu = member(environment, "cpu");
    done->has_header =
        is_word(schema, "name", "tribench") && int_of(schema, "major", -1) == TD_SCHEMA_MAJOR;
    td_device_text(text_of(member(environment, "gpu"), "name"), text_of(cpu, "model"),
                   (uint32_t)int_of(cpu, "threads", 0), done->device);
    return done->has_header ? TD_OK : malformed(done, error);
}

/* Lines of other types, such as a footer, or those of other minor versions, are passed over. */
static td_status take_line(td_done_set *done, const char *line, size_t size, td_error *error)
{
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(line, size, &end, false);
    const bool is_header = is_word(object, "type", "header");
    const bool is_whole = end == line + size && text_of(object, "type") != NULL;
    td_status status = TD_OK;
    if (!is_whole || (!is_header && !done->has_header)) {
        status = malformed(done, error);
    } else if (is_header) {
        status = take_header(done, object, error);
    } else if (is_word(object, "type", "run")) {
        status = take_run(done, object, error);
    }
    cJSON_Delete(object);
    return status;
}

/* ---- the file ---- */

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
        if (is_torn && (done->has_header || begins_header(line))) {
            break;
        }
        done->line++;
        status = take_line(done, line, (size_t)size - !is_torn, error);
    }
    free(line);
    return status == TD_OK && !feof(file) ? unreadable(done, error) : status;
}

static td_status load(td_done_set *done, td_error *error)
{
    const char *path = done->options->resume;
    struct stat about;
    if (stat(path, &about) != 0) {
        return errno == ENOENT ? TD_OK : unreadable(done, error);
    }
    if (!S_ISREG(about.st_mode)) { /* it may never end */
        return td_fail(error, TD_USAGE, "--resume: '%s' is not a regular file", path);
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

static bool is_done(const td_done_set *done, const finding *f)
{
    return f != NULL &&
           (f->status == TD_RUN_OK || (f->status == TD_RUN_DROPPED && done->options->tune));
}

td_status td_done_mark(const td_options *options, td_sweep *sweep, td_done_set *done,
                       td_error *error)
{
    *done = (td_done_set){.options = options, .sweep = sweep};
    TRY(load(done, error));
    for (td_run *run = sweep->runs; run < sweep->runs + sweep->run_count; run++) {
        const finding *f = finding_of(done, run);
        const bool is_told = f != NULL && run->skip[0] != '\0' && f->status == TD_RUN_SKIPPED;
        run->unrecorded = run->unrecorded || is_done(done, f) || is_told;
        done->count += is_done(done, f);
    }
    return TD_OK;
}

td_status td_done_check_device(const td_done_set *done, const char *device, td_error *error)
{
    for (size_t r = 0; done->sweep != NULL && r < done->sweep->run_count; r++) {
        const finding *f = finding_of(done, &done->sweep->runs[r]);
        const char *other = f != NULL && f->status == TD_RUN_OK ? f->device : "";
        if (other[0] != '\0' && device[0] != '\0' && strcmp(other, device) != 0) {
            return td_fail(error, TD_USAGE,
                           "--resume: '%s' has %s from %s, and this is %s: go on there, or give "
                           "each a file of its own",
                           done->options->resume, f->key, other, device);
        }
    }
    return TD_OK;
}

void td_done_free(td_done_set *done)
{
    tdestroy(done->findings, free);
    *done = (td_done_set){0};
}
