#include "parameter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "span.h"
#include "suggest.h"

static int digits_of(uint64_t high)
{
    int digits = 1;
    for (; high >= 10; high /= 10) {
        digits++;
    }
    return digits;
}

/* Word number `place` of "a|b|c". */
static td_span word_at(const char *choices, uint64_t place)
{
    td_span rest = td_span_of(choices);
    td_span word = td_span_until(&rest, '|');
    for (; place > 0 && rest.text != NULL; place--) {
        word = td_span_until(&rest, '|');
    }
    return word;
}

void td_parameter_text(const td_parameter *parameter, td_value value, char text[TD_VALUE_SIZE])
{
    if (parameter->kind == TD_PARAMETER_CHOICE) {
        const td_span word = word_at(parameter->choices, value.count);
        snprintf(text, TD_VALUE_SIZE, "%.*s", (int)word.length, word.text);
    } else if (parameter->kind == TD_PARAMETER_REAL) {
        snprintf(text, TD_VALUE_SIZE, "%.15g", value.real);
    } else {
        const int width = parameter->kind == TD_PARAMETER_DIGITS ? digits_of(parameter->high) : 1;
        snprintf(text, TD_VALUE_SIZE, "%0*" PRIu64, width, value.count);
    }
}

uint64_t td_parameter_choices(const td_parameter *parameter)
{
    uint64_t count = 0;
    for (td_span rest = td_span_of(parameter->choices); rest.text != NULL; count++) {
        (void)td_span_until(&rest, '|');
    }
    return count;
}

static td_status parse_choice(const td_parameter *p, const char *word, td_value *value,
                              td_error *error)
{
    td_suggestion best = {0};
    char names[16][24] = {""};
    uint64_t count = 0;
    for (td_span rest = td_span_of(p->choices); rest.text != NULL; count++) {
        const td_span choice = td_span_until(&rest, '|');
        if (td_span_is(choice, word)) {
            value->count = count;
            return TD_OK;
        }
        memcpy(names[count], choice.text, choice.length);
        td_suggest(&best, td_span_of(word), names[count]);
    }
    return td_fail(error, TD_USAGE, "--%s wants one of %s, got '%s'%s", p->name, p->choices,
                   td_show_value(td_span_of(word)).text, td_suggest_text(&best).text);
}

static td_status parse_real(const td_parameter *p, const char *word, td_value *value,
                            td_error *error)
{
    if (!td_parse_decimal(td_span_of(word), &value->real) || value->real > (double)p->high) {
        return td_fail(error, TD_USAGE,
                       "--%s wants a decimal number in 0..%" PRIu64 ", such as 0.25, got '%s'",
                       p->name, p->high, td_show_value(td_span_of(word)).text);
    }
    return TD_OK;
}

static td_status parse_number(const td_parameter *p, const char *word, td_value *value,
                              td_error *error)
{
    const bool parsed = td_parse_u64(td_span_of(word), p->low, p->high, &value->count);
    if (p->kind == TD_PARAMETER_COUNT && !parsed) {
        return td_fail(error, TD_USAGE,
                       "--%s wants a whole number in %" PRIu64 "..%" PRIu64 ", got '%s'", p->name,
                       p->low, p->high, td_show_value(td_span_of(word)).text);
    }
    if (!parsed || (p->kind == TD_PARAMETER_DIGITS && strlen(word) != (size_t)digits_of(p->high))) {
        return td_fail(error, TD_USAGE, "--%s wants %d digits, %0*" PRIu64 " or more, got '%s'",
                       p->name, digits_of(p->high), digits_of(p->high), p->low,
                       td_show_value(td_span_of(word)).text);
    }
    return TD_OK;
}

td_status td_parameter_parse(const td_parameter *parameter, const char *word, td_value *value,
                             td_error *error)
{
    switch (parameter->kind) {
    case TD_PARAMETER_CHOICE:
        return parse_choice(parameter, word, value, error);
    case TD_PARAMETER_REAL:
        return parse_real(parameter, word, value, error);
    default:
        return parse_number(parameter, word, value, error);
    }
}

void td_parameters_preset(const td_workload *workload, td_value values[TD_PARAMETERS])
{
    for (size_t p = 0; p < workload->parameter_count; p++) {
        const td_parameter *parameter = &workload->parameters[p];
        (void)td_parameter_parse(parameter, parameter->preset, &values[p], NULL);
    }
}
