/* view_test.c - the output of --list and --show; tests/data/shown has some of it word for word. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "command.h"
#include "report/view/view.h"

/* To be freed. */
static char *shown(const char *line)
{
    command c;
    td_text text = {0};
    parse(line, &c);
    c.status = td_show_text(&c.options, &text, &c.error);
    done(&c);
    assert_int_equal(c.status, TD_OK);
    return text.data;
}

/* Every place is reached once, for any strategy and any small n. */
TEST(show_draws_every_strategy_without_holes)
{
    for (uint32_t n = 1; n <= 24; n++) {
        for (size_t i = 0; i < td_strategy_count; i++) {
            char line[LINE_SIZE];
            const bool threads = td_strategies[i]->unit == TD_MAPS_THREADS;
            snprintf(line, sizeof line, "--show -s %s -b 8 -n %u", td_strategies[i]->name,
                     threads ? n : 8 * n);
            char *text = shown(line);
            const bool whole = strpbrk(strchr(text, '\n'), "!.") == NULL;
            free(text);
            if (!whole) {
                fail_msg("%s n=%u has holes", td_strategies[i]->name, n);
            }
        }
    }
}

static cJSON *listed(td_list_what what)
{
    td_text text = {0};
    td_list_text(what, TD_FORMAT_JSON, &text);
    cJSON *array = cJSON_ParseWithOpts(text.data, NULL, true);
    td_text_free(&text);
    assert_non_null(array);
    return array;
}

static size_t missing_members(const cJSON *item, const char *const *names, size_t count)
{
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) {
        missing += cJSON_GetObjectItem(item, names[i]) == NULL;
    }
    return missing;
}

TEST(list_is_a_json_array_of_objects)
{
    static const char *const names[] = {"name",        "aliases", "dimension", "maps",
                                        "exact_tiles", "summary", "source"};
    cJSON *array = listed(TD_LIST_ALL);
    size_t missing = 0;
    for (size_t i = 0; i < td_strategy_count; i++) {
        missing += missing_members(cJSON_GetArrayItem(array, (int)i), names, COUNT(names));
    }
    const int all = cJSON_GetArraySize(array);
    cJSON_Delete(array);
    assert_int_equal(all, td_strategy_count + td_workload_count + td_engine_count);
    assert_int_equal(missing, 0);
}

/* The number of parameters without all members of the right kind, or with a default that is no choice. */
static size_t wrong_parameters(const cJSON *parameters, const td_workload *w)
{
    static const char *const names[] = {"name", "kind",    "choices", "low",
                                        "high", "default", "unit",    "help"};
    size_t wrong = (size_t)cJSON_GetArraySize(parameters) != w->parameter_count;
    for (int p = 0; p < cJSON_GetArraySize(parameters); p++) {
        const cJSON *item = cJSON_GetArrayItem(parameters, p), *choice;
        wrong += missing_members(item, names, COUNT(names));
        const cJSON *choices = cJSON_GetObjectItem(item, "choices");
        const cJSON *preset = cJSON_GetObjectItem(item, "default");
        bool found = !cJSON_IsArray(choices);
        cJSON_ArrayForEach(choice, choices)
        {
            found |= cJSON_Compare(choice, preset, true);
        }
        wrong += !found;
    }
    return wrong;
}

TEST(list_tells_parameters_and_findings_of_workloads)
{
    cJSON *array = listed(TD_LIST_WORKLOADS);
    size_t wrong = 0;
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        const cJSON *item = cJSON_GetArrayItem(array, (int)i);
        const cJSON *finding = cJSON_GetObjectItem(item, "finding");
        wrong += wrong_parameters(cJSON_GetObjectItem(item, "parameters"), w);
        wrong += cJSON_IsObject(finding) != (w->finding.kind != TD_FINDS_NOTHING);
    }
    cJSON_Delete(array);
    assert_int_equal(wrong, 0);
}
