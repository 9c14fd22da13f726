/* json_read.c - what somebody who resumes a sweep has to know of a line. */
#include "json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static td_json_kind kind_of(const cJSON *object)
{
    const char *type = string_of(object, "type");
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

static int major_of(const cJSON *header)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(header, "schema");
    const char *name = string_of(schema, "name");
    const cJSON *major = cJSON_GetObjectItemCaseSensitive(schema, "major");
    const bool ours = name != NULL && strcmp(name, "tribench") == 0 && cJSON_IsNumber(major);
    return ours ? major->valueint : -1;
}

static bool read_run(const cJSON *run, td_json_line *read)
{
    const char *key = string_of(run, "key");
    const char *status = string_of(run, "status");
    if (key == NULL || status == NULL) {
        read->kind = TD_JSON_MALFORMED;
        return true;
    }
    read->status = strcmp(status, "ok") == 0        ? TD_RUN_OK
                   : strcmp(status, "skipped") == 0 ? TD_RUN_SKIPPED
                                                    : TD_RUN_FAILED;
    const char *verified = string_of(cJSON_GetObjectItemCaseSensitive(run, "verified"), "status");
    read->unverified =
        read->status == TD_RUN_OK && verified != NULL && strcmp(verified, "none") == 0;
    read->key = strdup(key);
    return read->key != NULL;
}

bool td_json_read_line(const char *line, size_t size, td_json_line *read)
{
    *read = (td_json_line){.kind = TD_JSON_MALFORMED, .major = -1};
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(line, size, &end, false);
    bool fine = true;
    if (object != NULL && end == line + size) { /* nothing behind the object */
        read->kind = kind_of(object);
        if (read->kind == TD_JSON_HEADER) {
            read->major = major_of(object);
        } else if (read->kind == TD_JSON_RUN) {
            fine = read_run(object, read);
        }
    }
    cJSON_Delete(object);
    return fine;
}
