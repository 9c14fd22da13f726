#include "parameter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ACCEPTED_SIZE = 160 };

static int digits_of(uint64_t high)
{
    return snprintf(NULL, 0, "%" PRIu64, high);
}

/* Word number `place` of "a|b|c"; false past the last word. */
static bool word_at(const char *list, char separator, size_t place, char *word, size_t size)
{
    td_span one = {NULL, 0}, rest = td_span_of(list);
    for (size_t k = 0; k <= place; k++) {
        if (rest.text == NULL) {
            return false;
        }
        one = td_span_until(&rest, separator);
    }
    snprintf(word, size, "%.*s", (int)one.length, one.text);
    return true;
}

/* Digits keep their leading zeros. */
static int width_of(const td_parameter *parameter)
{
    return parameter->kind == TD_PARAMETER_DIGITS ? digits_of(parameter->high) : 1;
}

td_shown td_parameter_text(const td_parameter *parameter, td_value value)
{
    td_shown shown = {""};
    if (parameter->kind == TD_PARAMETER_CHOICE) {
        (void)word_at(parameter->choices, '|', value.count, shown.text, sizeof shown.text);
    } else if (parameter->kind == TD_PARAMETER_REAL) {
        snprintf(shown.text, sizeof shown.text, "%.15g", value.real);
    } else {
        snprintf(shown.text, sizeof shown.text, "%0*" PRIu64, width_of(parameter), value.count);
    }
    return shown;
}

void td_parameter_accepted(const td_parameter *parameter, char *text, size_t size)
{
    if (parameter->kind == TD_PARAMETER_CHOICE) {
        snprintf(text, size, "%s", parameter->choices);
    } else {
        snprintf(text, size, "%0*" PRIu64 "..%" PRIu64, width_of(parameter), parameter->low,
                 parameter->high);
    }
}

/* A parameter that --tune tries takes a list, or all: its values are ways to compute the same result. */
bool td_parameter_word(const td_parameter *parameter, const char *given, size_t place,
                       char word[TD_WORD_SIZE])
{
    const bool all = parameter->is_tuned && strcmp(given, "all") == 0;
    const char separator = all ? '|' : parameter->is_tuned ? ',' : '\0';
    return word_at(all ? parameter->choices : given, separator, place, word, TD_WORD_SIZE);
}

uint64_t td_parameter_choices(const td_parameter *parameter)
{
    uint64_t count = 1;
    for (const char *c = parameter->choices; *c != '\0'; c++) {
        count += *c == '|';
    }
    return count;
}

/* The place of a word in "a|b|c"; -1 if it is not one of them, and `best` is then the nearest. */
static int place_of(td_span word, const char *choices, td_suggestion *best)
{
    int place = 0;
    for (td_span rest = td_span_of(choices); rest.text != NULL; place++) {
        const td_span choice = td_span_until(&rest, '|');
        if (choice.length == word.length && memcmp(choice.text, word.text, word.length) == 0) {
            return place;
        }
        td_suggest(best, word, choice);
    }
    return -1;
}

/* Says what is expected, in the row's own words if it has some, otherwise as its kind with its bounds or choices. */
static td_status reject(const td_parameter *p, const char *word, const td_suggestion *best,
                        td_error *error)
{
    static const char *const kinds[] = {
        [TD_PARAMETER_COUNT] = "a whole number in ",
        [TD_PARAMETER_REAL] = "a decimal number such as 0.25 in ",
        [TD_PARAMETER_DIGITS] = "the digits of a number in ",
        [TD_PARAMETER_CHOICE] = "one of ",
    };
    char accepted[ACCEPTED_SIZE];
    td_parameter_accepted(p, accepted, sizeof accepted);
    return td_fail(error, TD_USAGE, "--%s: expected %s%s, got '%s'%s", p->name,
                   p->expected != NULL ? "" : kinds[p->kind],
                   p->expected != NULL ? p->expected : accepted,
                   td_show_value(td_span_of(word)).text, td_suggest_text(best).text);
}

td_status td_parameter_parse(const td_parameter *parameter, const char *word, td_value *value,
                             td_error *error)
{
    const td_parameter *p = parameter;
    const td_span text = td_span_of(word);
    td_suggestion best = {0};
    bool fits = false;
    if (p->kind == TD_PARAMETER_CHOICE) {
        const int place = place_of(text, p->choices, &best);
        fits = place >= 0;
        value->count = fits ? (uint64_t)place : value->count;
    } else if (p->kind == TD_PARAMETER_REAL) {
        fits = td_parse_decimal(text, &value->real) && value->real <= (double)p->high;
    } else {
        fits = td_parse_u64(text, p->low, p->high, &value->count) &&
               (p->kind == TD_PARAMETER_COUNT || text.length == (size_t)digits_of(p->high));
    }
    return fits ? TD_OK : reject(p, word, &best, error);
}

void td_parameters_preset(const td_workload *workload, td_value values[TD_PARAMETERS])
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const td_parameter *parameter = &workload->parameters[p];
        (void)td_parameter_parse(parameter, parameter->preset, &values[p], NULL);
    }
}
