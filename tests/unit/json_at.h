/* json_at.h - looks up a value in a JSON document, for tests. */
#ifndef TD_TESTS_UNIT_JSON_AT_H
#define TD_TESTS_UNIT_JSON_AT_H

#include "test.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The value at "a.b". A missing value fails the test, null does not. */
static inline const cJSON *at(const cJSON *run, const char *path)
{
    char name[64];
    const cJSON *value = run;
    for (const char *rest = path; *rest != '\0' && value != NULL;) {
        const size_t length = strcspn(rest, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, rest);
        value = cJSON_GetObjectItemCaseSensitive(value, name);
        rest += length + (rest[length] == '.');
    }
    if (value == NULL) {
        fail_msg("no %s", path);
    }
    return value;
}

static inline void assert_number(const cJSON *run, const char *path, double expected)
{
    const double value = cJSON_GetNumberValue(at(run, path));
    if (!(fabs(value - expected) <= 1e-8 * fabs(expected))) {
        fail_msg("%s is %.17g, not %.17g", path, value, expected);
    }
}

static inline void assert_text(const cJSON *run, const char *path, const char *expected)
{
    assert_true(cJSON_IsString(at(run, path)));
    assert_string_equal(cJSON_GetStringValue(at(run, path)), expected);
}

static inline void assert_null_at(const cJSON *run, const char *path)
{
    if (!cJSON_IsNull(at(run, path))) {
        fail_msg("%s is not null", path);
    }
}

#endif
