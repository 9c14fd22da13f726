#include "options.h"

#include <string.h>

const char *td_options_word(const td_options *options, const char *parameter)
{
    for (size_t i = 0; i < options->setting_count; i++) {
        if (strcmp(options->settings[i].name, parameter) == 0) {
            return options->settings[i].word;
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
