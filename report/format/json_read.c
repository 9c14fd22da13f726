/* json_read.c - what somebody who resumes a sweep has to know of a line. */
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
    return strcmp(type, "footer") == 0 ? TD_JSON_FOOTER : TD_JSON_OTHER;
}

static int major_of(td_json_read header)
{
    const td_json_read schema = td_json_member(header, "schema");
    const char *name = td_json_text(schema, "name");
    return name != NULL && strcmp(name, "tribench") == 0 ? td_json_int(schema, "major", -1) : -1;
}

static bool read_run(td_json_read run, td_json_line *read)
{
    const char *key = td_json_text(run, "key");
    const char *status = td_json_text(run, "status");
    if (key == NULL || status == NULL) {
        read->kind = TD_JSON_MALFORMED;
        return true;
    }
    read->status = strcmp(status, td_run_status_name(TD_RUN_OK)) == 0        ? TD_RUN_OK
                   : strcmp(status, td_run_status_name(TD_RUN_SKIPPED)) == 0 ? TD_RUN_SKIPPED
                                                                             : TD_RUN_FAILED;
    const char *verified = td_json_text(td_json_member(run, "verified"), "status");
    read->unverified = read->status == TD_RUN_OK && verified != NULL &&
                       strcmp(verified, td_verified_name(TD_VERIFIED_NONE)) == 0;
    read->key = strdup(key);
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
        } else if (read->kind == TD_JSON_RUN) {
            fine = read_run(object, read);
        }
    }
    td_json_delete(object);
    return fine;
}
