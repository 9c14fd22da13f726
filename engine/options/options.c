#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

const char *td_options_word(const td_options *options, const char *parameter)
{
    for (size_t i = 0; i < options->setting_count; i++) {
        if (strcmp(options->settings[i].name, parameter) == 0) {
            return options->settings[i].text;
        }
    }
    return NULL;
}

bool td_options_want_plan_in_words(const td_options *options)
{
    bool words = options->action == TD_ACTION_DRY_RUN;
    for (size_t i = 0; i < options->output_count; i++) {
        const td_target *target = &options->outputs[i];
        words = words && (!target->is_named || target->format == TD_FORMAT_TABLE);
    }
    return words;
}

const td_engine_ops *td_assume_engine(const td_options *options)
{
    const td_engine_ops *first = td_engines[0];
    const bool is_free = options->engine == NULL && options->device == NULL;
    const bool may_change = options->action == TD_ACTION_RUN && !options->shares_domain;
    return is_free && may_change && first->likely != NULL && first->likely() ? first : NULL;
}

const td_engine_ops *td_choose_engine(const td_options *options)
{
    const td_engine_ops *chosen = options->engine;
    td_error why_not_first = {""};
    for (size_t e = 0; chosen == NULL && e < td_engine_count; e++) {
        const td_engine_ops *engine = td_engines[e];
        td_error why;
        const bool has_device = options->device != NULL && engine->devices != NULL;
        if (has_device || engine->usable == NULL || engine->usable(&why) ||
            e + 1 == td_engine_count) {
            chosen = engine;
        } else if (e == 0) {
            why_not_first = why;
        }
    }
    if (why_not_first.text[0] != '\0' && options->verbosity > 0) {
        td_say("on the %s engine: %s", chosen->name, why_not_first.text);
    }
    return chosen;
}

static void free_settings(td_setting *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].name);
        free(list[i].text);
    }
    free(list);
}

void td_options_free(td_options *options)
{
    for (size_t i = 0; i < options->output_count; i++) {
        free(options->outputs[i].path);
    }
    free_settings(options->settings, options->setting_count);
    free_settings(options->labels, options->label_count);
    free(options->outputs);
    free(options->dump);
    free(options->table);
    free(options->lengths);
    free(options->strategies);
    free(options->workloads);
    free(options->n.shapes);
    free(options->blocks.shapes);
    free(options->tiles.shapes);
    free(options->cutoffs.shapes);
    free(options->groups.shapes);
    *options = (td_options){0};
}
