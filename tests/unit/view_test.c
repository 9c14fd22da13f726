/* view_test.c - the output of --list, --show and --dry-run. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "command.h"
#include "report/view/view.h"

static void dry_run_shows_every_run(void **state)
{
    command c;
    td_text text = {0};
    (void)state;
    make_ok("-s all -n 1000 --tile 16,32 -b 16", &c);
    td_dry_run_text(&c.sweep, false, &text);
    size_t missing = 0;
    for (size_t i = 0; i < c.sweep.run_count; i++) {
        missing += strstr(text.data, c.sweep.runs[i].key) == NULL;
    }
    const bool has_grid = strstr(text.data, "63x63") != NULL;
    const bool has_skip = strstr(text.data, "skipped: --tile 32") != NULL;
    const bool has_more = strstr(text.data, ", ...") != NULL;
    td_text_free(&text);
    done(&c);
    assert_int_equal(missing, 0);
    assert_true(has_grid && has_skip && has_more);
}

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

static void show_draws_the_map_as_a_triangle(void **state)
{
    (void)state;
    for (int few = 0; few < 2; few++) { /* 4 tiles of 16 cells; 4 cells, each a tile */
        char *text = shown(few ? "--show -s ltm-i -n 4" : "--show -s ltm-i -n 64");
        const int same = strcmp(strchr(text, '\n'), "\n 9\n 8 7\n 6 5 4\n 3 2 1 0\n");
        free(text);
        assert_int_equal(same, 0);
    }
}

/* Every place is reached once, for any strategy and any small n. */
static void show_draws_every_strategy_without_holes(void **state)
{
    (void)state;
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

static void show_as_data_is_what_is_drawn(void **state)
{
    char *text = shown("--show -s bb -b 1 -n 2 -f json");
    (void)state;
    const int same =
        strcmp(text, "[{\"strategy\":\"bb\",\"dimension\":2,\"maps\":\"block\",\"n\":2,"
                     "\"tree\":false,\"blocks\":4,\"blocks_wasted\":1,\"launches\":"
                     "[{\"generation\":0,\"grid\":[2,2,1],\"elements\":[2,2,1],"
                     "\"places\":[[[0,0,0]],[],[[0,1,0]],[[1,1,0]]]}]}]\n");
    free(text);
    assert_int_equal(same, 0);
}

static void the_launches_of_a_tree_have_all_its_blocks(void **state)
{
    static const char *const trees[] = {"--show -s dp -b 1 -n 40 --cutoff 4 -f json",
                                        "--show -s dp-tetra -b 1 -n 40 --cutoff 4 -f json"};
    (void)state;
    for (size_t i = 0; i < COUNT(trees); i++) {
        char *text = shown(trees[i]);
        cJSON *array = cJSON_Parse(text);
        free(text);
        const cJSON *map = cJSON_GetArrayItem(array, 0), *launch;
        double blocks = 0.0;
        cJSON_ArrayForEach(launch, cJSON_GetObjectItem(map, "launches"))
        {
            const cJSON *grid = cJSON_GetObjectItem(launch, "grid");
            blocks += cJSON_GetArrayItem(grid, 0)->valuedouble *
                      cJSON_GetArrayItem(grid, 1)->valuedouble *
                      cJSON_GetArrayItem(grid, 2)->valuedouble;
        }
        const bool is_tree = cJSON_GetArraySize(cJSON_GetObjectItem(map, "launches")) > 2;
        const bool all = is_tree && blocks == cJSON_GetObjectItem(map, "blocks")->valuedouble;
        cJSON_Delete(array);
        assert_true(all);
    }
}

static void a_drawing_is_the_table_of_a_map(void **state)
{
    char *drawn = shown("--show -s bb,ltm-i -n 64"),
         *table = shown("--show -s bb,ltm-i -n 64 --format table");
    (void)state;
    const bool same = strcmp(drawn, table) == 0;
    free(drawn);
    free(table);
    assert_true(same);
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

static void list_is_a_json_array_of_objects(void **state)
{
    static const char *const names[] = {"name",        "aliases", "dimension", "maps",
                                        "exact_tiles", "summary", "source"};
    cJSON *array = listed(TD_LIST_ALL);
    size_t missing = 0;
    (void)state;
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

static void list_tells_parameters_and_findings_of_workloads(void **state)
{
    cJSON *array = listed(TD_LIST_WORKLOADS);
    size_t wrong = 0;
    (void)state;
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

static void list_names_everything(void **state)
{
    td_text text = {0};
    size_t missing = 0, repeated = 0;
    (void)state;
    td_list_text(TD_LIST_ALL, TD_FORMAT_TABLE, &text);
    for (size_t i = 0; i < td_strategy_count; i++) {
        missing += strstr(text.data, td_strategies[i]->summary) == NULL;
    }
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_workload *w = td_workloads[i];
        missing += strstr(text.data, w->summary) == NULL;
        for (size_t k = 0; k < w->parameter_count; k++) {
            const char *help = strstr(text.data, w->parameters[k].help);
            missing += help == NULL;
            repeated += help != NULL && strstr(help + 1, w->parameters[k].help) != NULL;
        }
        missing += w->finding.name != NULL && strstr(text.data, w->finding.name) == NULL;
    }
    td_text_free(&text);
    assert_int_equal(missing, 0);
    assert_int_equal(repeated, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dry_run_shows_every_run),
        cmocka_unit_test(show_draws_the_map_as_a_triangle),
        cmocka_unit_test(show_draws_every_strategy_without_holes),
        cmocka_unit_test(show_as_data_is_what_is_drawn),
        cmocka_unit_test(a_drawing_is_the_table_of_a_map),
        cmocka_unit_test(the_launches_of_a_tree_have_all_its_blocks),
        cmocka_unit_test(list_is_a_json_array_of_objects),
        cmocka_unit_test(list_tells_parameters_and_findings_of_workloads),
        cmocka_unit_test(list_names_everything),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
