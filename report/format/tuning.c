#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "json_value.h"
#include "record.h"
#include "report/terminal.h"

static const char *stage_name(td_stage stage)
{
    return stage == TD_STAGE_FULL ? "full" : "short";
}

/* ---- JSON ---- */

static void add_trial(td_json_object object, const td_trial *trial)
{
    td_json_add_text(object, "key", trial->run->key);
    td_json_add_text(object, "stage", stage_name(trial->stage));
    td_json_add_text(object, "status", td_run_status_names[trial->status]);
    td_json_add_text(object, "reason", trial->reason);
    td_json_add_text(object, "verified", td_verified_names[trial->verified]);
    td_json_add_double(object, "median_ms", trial->median_ms, TD_DIGITS_MEASURED);
    td_json_add_u64(object, "samples", trial->samples);
}

void td_json_trial_line(const td_trial *trial, td_text *text)
{
    bool failed = false;
    const td_json_object line = td_json_new(&failed);
    td_json_add_text(line, "type", "trial");
    add_trial(line, trial);
    td_json_finish(line, text);
    td_text_add(text, "\n");
}

void td_json_tuning(const td_tuning *tuning, bool is_line, td_text *text)
{
    bool failed = false;
    const td_run *any = &tuning->space->runs[0];
    const td_json_object object = td_json_new(&failed);
    if (is_line) {
        td_json_add_text(object, "type", "tuning");
    }
    td_json_add_text(object, "engine", any->engine->name);
    td_json_add_text(object, "workload", any->workload->name);
    td_json_add_text(object, "strategy", any->strategy->name);
    td_json_add_u64(object, "n", any->problem.n);
    td_json_add_u64(object, "tried", tuning->space->count);
    td_json_add_text(object, "winner", tuning->winner != NULL ? tuning->winner->key : NULL);
    if (!is_line) {
        const td_json_object trials = td_json_add_array(object, "trials");
        for (size_t i = 0; i < tuning->count; i++) {
            add_trial(td_json_append_object(trials), &tuning->trials[i]);
        }
    }
    td_json_finish(object, text);
    td_text_add(text, is_line ? "\n" : "");
}

/* ---- a table ---- */

/* Full trials before short ones, because they decide; then by time; a failed trial has no time and comes last. */
static int by_rank(const void *a, const void *b)
{
    const td_trial *x = *(const td_trial *const *)a, *y = *(const td_trial *const *)b;
    const bool has_x = isfinite(x->median_ms), has_y = isfinite(y->median_ms);
    if (x->stage != y->stage || has_x != has_y) {
        return x->stage != y->stage ? (int)y->stage - (int)x->stage : (int)has_y - (int)has_x;
    }
    const int order = (x->median_ms > y->median_ms) - (x->median_ms < y->median_ms);
    return order != 0 ? order : (x > y) - (x < y);
}

static void put_trial(const td_trial *trial, int width, bool is_markdown, td_text *text)
{
    char outcome[TD_REASON_SIZE + 32];
    if (isfinite(trial->median_ms)) {
        snprintf(outcome, sizeof outcome, "%10.5g%s", trial->median_ms,
                 trial->verified == TD_VERIFIED_NONE ? "  not verified" : "");
    } else {
        snprintf(outcome, sizeof outcome, "%s%s%s", td_run_status_names[trial->status],
                 trial->reason[0] != '\0' ? ": " : "", trial->reason);
    }
    if (is_markdown) {
        td_table_put_cell(text, stage_name(trial->stage), false);
        td_table_put_cell(text, trial->run->key, false);
        td_table_put_cell(text, outcome + strspn(outcome, " "), true);
    } else {
        td_text_print(text, "  %-5s  %-*s  %s\n", stage_name(trial->stage), width, trial->run->key,
                      outcome);
    }
}

static void put_titles(int width, bool is_markdown, td_text *text)
{
    static const bool left[] = {true, true, false};
    if (is_markdown) {
        td_text_add(text, "\n| stage | key | median ms |\n");
        td_table_put_rule(text, left, 3);
    } else {
        td_text_print(text, "  %-5s  %-*s  %10s\n", "stage", width, "key", "median ms");
    }
}

void td_table_tuning(const td_tuning *tuning, const td_table_look *look, td_text *text)
{
    td_text lines = {0};
    const td_run *any = &tuning->space->runs[0];
    const td_trial **ranked = calloc(tuning->count + 1, sizeof(td_trial *));
    int width = 3;
    if (ranked == NULL) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < tuning->count; i++) {
        const int length = (int)strlen(tuning->trials[i].run->key);
        ranked[i] = &tuning->trials[i];
        width = length > width ? length : width;
    }
    qsort(ranked, tuning->count, sizeof(td_trial *), by_rank);
    td_text_print(&lines, "%s, %s, N = %u: %zu tried, the fastest is %s\n", any->workload->name,
                  any->strategy->name, any->problem.n, tuning->space->count,
                  tuning->winner != NULL ? tuning->winner->key : "not known");
    put_titles(width, look->is_markdown, &lines);
    for (size_t i = 0; i < tuning->count; i++) {
        put_trial(ranked[i], width, look->is_markdown, &lines);
    }
    td_text_add(&lines, "\n");
    td_terminal_fold(lines.data != NULL ? lines.data : "", look->columns, text);
    text->failed = text->failed || lines.failed;
    td_text_free(&lines);
    free(ranked);
}
