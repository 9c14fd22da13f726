/* json_read.c - reads what --resume has to know from a line. */
#include "json.h"

#include <string.h>

#include "json_value.h"

static td_json_kind kind_of(td_json_read object)
{
    const char *type = td_json_text(object, "type");
    static const char *const types[] = {[TD_JSON_HEADER] = "header",
                                        [TD_JSON_RUN] = "run",
                                        [TD_JSON_FOOTER] = "footer",
                                        [TD_JSON_TRIAL] = "trial",
                                        [TD_JSON_TUNING] = "tuning"};
    td_json_kind kind = type != NULL ? TD_JSON_HEADER : TD_JSON_MALFORMED;
    while (type != NULL && kind < TD_JSON_OTHER && strcmp(type, types[kind]) != 0) {
        kind++;
    }
    return kind;
}

static int major_of(td_json_read header)
{
    const td_json_read schema = td_json_member(header, "schema");
    const char *name = td_json_text(schema, "name");
    return name != NULL && strcmp(name, "tribench") == 0 ? td_json_int(schema, "major", -1) : -1;
}

static void read_device(td_json_read header, char device[TD_DEVICE_SIZE])
{
    const td_json_read environment = td_json_member(header, "environment");
    const td_json_read cpu = td_json_member(environment, "cpu");
    td_device_text(td_json_text(td_json_member(environment, "gpu"), "name"),
                   td_json_text(cpu, "model"), (uint32_t)td_json_int(cpu, "threads", 0), device);
}

/* This function and the next two return the key; NULL: the line is not kept, and `read->kind` says why. */
static const char *read_run(td_json_read run, td_json_line *read)
{
    const char *key = td_json_text(run, "key");
    const char *status = td_json_text(run, "status");
    if (key == NULL || status == NULL) {
        read->kind = TD_JSON_MALFORMED;
        return NULL;
    }
    read->status = strcmp(status, td_run_status_names[TD_RUN_OK]) == 0        ? TD_RUN_OK
                   : strcmp(status, td_run_status_names[TD_RUN_SKIPPED]) == 0 ? TD_RUN_SKIPPED
                                                                              : TD_RUN_FAILED;
    const char *verified = td_json_text(td_json_member(run, "verified"), "status");
    read->unverified = read->status == TD_RUN_OK && verified != NULL &&
                       strcmp(verified, td_verified_names[TD_VERIFIED_NONE]) == 0;
    return key;
}

static bool is_word(td_json_read object, const char *name, const char *word)
{
    const char *found = td_json_text(object, name);
    return found != NULL && strcmp(found, word) == 0;
}

/* Full trials are few, so they are measured again. */
static const char *read_trial(td_json_read trial, td_json_line *read)
{
    const char *key = td_json_text(trial, "key");
    read->median_ms = td_json_double(trial, "median_ms", -1.0);
    read->count = (uint32_t)td_json_int(trial, "samples", 0);
    read->unverified = is_word(trial, "verified", td_verified_names[TD_VERIFIED_NONE]);
    if (key == NULL || read->median_ms < 0.0 || !is_word(trial, "stage", "short") ||
        !is_word(trial, "status", td_run_status_names[TD_RUN_OK])) {
        read->kind = TD_JSON_OTHER;
        return NULL;
    }
    return key;
}

static const char *read_tuning(td_json_read tuning, td_json_line *read)
{
    const char *winner = td_json_text(tuning, "winner");
    read->count = (uint32_t)td_json_int(tuning, "tried", 0);
    read->kind = winner != NULL ? TD_JSON_TUNING : TD_JSON_OTHER;
    return winner;
}

bool td_json_read_line(const char *line, size_t size, td_json_line *read)
{
    *read = (td_json_line){.kind = TD_JSON_MALFORMED, .major = -1};
    const td_json_read object = td_json_parse(line, size);
    const char *key = NULL;
    if (object.node != NULL) {
        read->kind = kind_of(object);
        if (read->kind == TD_JSON_HEADER) {
            read->major = major_of(object);
            read_device(object, read->device);
        } else if (read->kind == TD_JSON_RUN) {
            key = read_run(object, read);
        } else if (read->kind == TD_JSON_TRIAL) {
            key = read_trial(object, read);
        } else if (read->kind == TD_JSON_TUNING) {
            key = read_tuning(object, read);
        }
    }
    read->key = key != NULL ? strdup(key) : NULL;
    const bool fine = key == NULL || read->key != NULL;
    td_json_delete(object);
    return fine;
}
