/* json_read.c - reads what --resume has to know from a line. */
#include "json.h"

#include <string.h>

#include "json_value.h"

static td_json_kind kind_of(td_json_read object)
{
    const char *type = td_json_text(object, "type");
    if (type == NULL) {
        return TD_JSON_MALFORMED;
    }
    if (strcmp(type, "run") == 0) {
        return TD_JSON_RUN;
    }
    if (strcmp(type, "header") == 0) {
        return TD_JSON_HEADER;
    }
    if (strcmp(type, "trial") == 0) {
        return TD_JSON_TRIAL;
    }
    if (strcmp(type, "tuning") == 0) {
        return TD_JSON_TUNING;
    }
    return strcmp(type, "footer") == 0 ? TD_JSON_FOOTER : TD_JSON_OTHER;
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

static bool read_run(td_json_read run, td_json_line *read)
{
    const char *key = td_json_text(run, "key");
    const char *status = td_json_text(run, "status");
    if (key == NULL || status == NULL) {
        read->kind = TD_JSON_MALFORMED;
        return true;
    }
    read->status = strcmp(status, td_run_status_names[TD_RUN_OK]) == 0        ? TD_RUN_OK
                   : strcmp(status, td_run_status_names[TD_RUN_SKIPPED]) == 0 ? TD_RUN_SKIPPED
                                                                              : TD_RUN_FAILED;
    const char *verified = td_json_text(td_json_member(run, "verified"), "status");
    read->unverified = read->status == TD_RUN_OK && verified != NULL &&
                       strcmp(verified, td_verified_names[TD_VERIFIED_NONE]) == 0;
    read->key = strdup(key);
    return read->key != NULL;
}

static bool is_word(td_json_read object, const char *name, const char *word)
{
    const char *found = td_json_text(object, name);
    return found != NULL && strcmp(found, word) == 0;
}

/* Full trials are few, so they are measured again. */
static bool read_trial(td_json_read trial, td_json_line *read)
{
    const char *key = td_json_text(trial, "key");
    read->median_ms = td_json_double(trial, "median_ms", -1.0);
    read->count = (uint32_t)td_json_int(trial, "samples", 0);
    read->unverified = is_word(trial, "verified", td_verified_names[TD_VERIFIED_NONE]);
    if (key == NULL || read->median_ms < 0.0 || !is_word(trial, "stage", "short") ||
        !is_word(trial, "status", td_run_status_names[TD_RUN_OK])) {
        read->kind = TD_JSON_OTHER;
        return true;
    }
    read->key = strdup(key);
    return read->key != NULL;
}

static bool read_tuning(td_json_read tuning, td_json_line *read)
{
    const char *winner = td_json_text(tuning, "winner");
    read->count = (uint32_t)td_json_int(tuning, "tried", 0);
    if (winner == NULL) {
        read->kind = TD_JSON_OTHER;
        return true;
    }
    read->key = strdup(winner);
    return read->key != NULL;
}

bool td_json_read_line(const char *line, size_t size, td_json_line *read)
{
    *read = (td_json_line){.kind = TD_JSON_MALFORMED, .major = -1};
    const td_json_read object = td_json_parse(line, size);
    bool fine = true;
    if (object.node != NULL) {
        read->kind = kind_of(object);
        if (read->kind == TD_JSON_HEADER) {
            read->major = major_of(object);
            read_device(object, read->device);
        } else if (read->kind == TD_JSON_RUN) {
            fine = read_run(object, read);
        } else if (read->kind == TD_JSON_TRIAL) {
            fine = read_trial(object, read);
        } else if (read->kind == TD_JSON_TUNING) {
            fine = read_tuning(object, read);
        }
    }
    td_json_delete(object);
    return fine;
}
