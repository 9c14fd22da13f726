/* bad_options_test.c - rejected command lines and their messages. */
#include "test.h"

#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "engine/options/option_table.h"
#include "shown.h"

/* Check that a command line is rejected in one line, which has these words; NULL: whatever it has. */
static void rejects(const char *line, const char *const *fragments, size_t count)
{
    command c;
    td_options options;
    td_error error = {{0}};
    split(line, &c);
    if (td_options_parse(c.argc, c.argv, &options, &error) != TD_USAGE) {
        td_options_free(&options);
        fail_msg("'%s' was accepted", line);
    }
    assert_null(strchr(error.text, '\n'));
    for (size_t f = 0; f < count && fragments[f] != NULL; f++) {
        if (strstr(error.text, fragments[f]) == NULL) {
            fail_msg("'%s': no \"%s\" in \"%s\"", line, fragments[f], error.text);
        }
    }
}

/* The message names the option, the value and what is accepted. `life` takes all parameters that are options. */
static void rejects_value(const char *option, const char *value, const char *accepted)
{
    char line[LINE_SIZE], name[64], quoted[128];
    snprintf(line, sizeof line, "-w life --%s=%s", option, value);
    snprintf(name, sizeof name, "--%s", option);
    snprintf(quoted, sizeof quoted, "'%s'", value);
    for (char *c = quoted; *c != '\0'; c++) {
        *c = *c == '~' ? ' ' : *c;
    }
    const char *const fragments[] = {name, quoted, accepted};
    rejects(line, fragments, COUNT(fragments));
}

TEST(what_a_row_of_the_table_excludes_is_rejected)
{
    size_t choices = 0, numbers = 0;
    for (size_t i = 0; i < td_option_count; i++) {
        char beyond[32];
        const td_option *o = &td_option_table[i];
        const td_parameter p = td_option_parameter(o);
        if (o->argument != NULL && o->argument[0] != '[') {
            rejects_value(o->name, "", NULL);
        }
        if (p.kind == TD_PARAMETER_CHOICE && o->help != NULL) {
            rejects_value(o->name, "nonsense", p.choices);
            choices++;
        } else if (o->high > 0 && o->high < UINT64_MAX) {
            snprintf(beyond, sizeof beyond, "%" PRIu64 "%s", o->high + 1,
                     o->take == td_take_percent ? "%" : "");
            rejects_value(o->name, beyond, NULL);
            rejects_value(o->name, "-1", NULL);
            numbers++;
        }
        if (o->low > 0) {
            rejects_value(o->name, "0", NULL);
        }
    }
    assert_true(choices >= 12 && numbers >= 11);
}

TEST(bad_values_are_rejected)
{
    static const struct {
        const char *option, *accepted, *values;
    } rows[] = {
        {"n", "whole numbers in 1..1048576, a comma-separated list of them",
         "0 -5 +5 8k 1e3 0x10 1.5 ~5 5~ 5;6 nan 1048577 4294967297 18446744073709551617 "
         "99999999999999999999"},
        {"n", "start:stop:step or start:stop:*factor with start <= stop, step >= 1",
         "9:8:1 1:9:0 1:9 1:9:1:1 1:9:-1 1:9: 0:9:1 0:9:*2 1:9:*1 1:9:* 1:1048577:1 :: :"},
        {"n", "gives more than 4096 values", "1:1048576:1"},
        {"block", "64x4 or 8x8x8 of at most 1024 threads, z at most 64",
         "0 33 64x32 0x8 8x0 16x x16 16X16 2x2x2x2 1x1x128 -16 4294967296x4294967296 8:33:1"},
        {"tile", "shapes such as 64x4, with sides in 1..4096", "0 4097 64x4x1 64x 5000x1 x"},
        {"strategy", "known: bb, ltm", "nonsense BB papr xyz* l\\tm bb,,rb"},
        {"strategy", "did you mean 'ltm-r'", "ltmr"},
        {"strategy", "did you mean 'ltm-i'", "ltmi"}, /* ltm is as near */
        {"workload", "known: dummy", "nonsense xyz* all,nonsense dummy,"},
        {"workload", "water, triplet)", "nonsense"}, /* each once */
        {"workload", "did you mean 'edm", "edm5"},
        {"baseline", "known: bb", "ltm* nonsense paper"},
        {"baseline", "did you mean 'ltm-i'", "lmt-i"},
        {"baseline", "did you mean 'utm'", "umt tum"}, /* one swap */
        {"engine", "auto|cuda|cpu, got 'cud', did you mean 'cuda'", "cud"},
        {"engine", "one of auto|cuda|cpu (cuda for GPUs), got 'gpu'", "gpu"},
        {"schedule", "did you mean 'persistent'", "persistant grid,persistant"},
        {"list", "did you mean 'strategies'", "stratgies"},
        {"memory", "did you mean 'halo'", "halp"},
        {"device", "a CUDA ordinal in 0..1023 or a UUID",
         "one -1 GPU-123 GPU-0a1b2c3d-0000-1111-2222-33334444555g "
         "MIG-0a1b2c3d-0000-1111-2222-3333444455555"},
        {"precision", "a percentage above 0% and up to 50%", "1 0% 51% % -1%"},
        {"samples", "a whole number in 1..1000000", "51.0"},
        {"max-time", "more than 0", "0"},
        {"max-time", "a decimal number such as 0.25 in 0..86400", "-1 inf 1e9 . 1.2.3"},
        {"seed", "a whole number in 0..18446744073709551615", "-1 18446744073709551616"},
        {"steps", "0..1000000", "1e2 -1"},
        {"cell", "auto|u32|u8|bit", "u64 u8,bits"},
        {"set", "NAME=VALUE", "density =3 steps=3,=4"},
        {"shard", "I/K with 0 <= I < K", "3/3 3 0/0 -1/3 1/3/5 /3 3/ 0/1048577"},
        {"label", "NAME=TEXT, a name of letters", "a =b a= a.b=c a=b\x01"},
    };
    for (size_t r = 0; r < COUNT(rows); r++) {
        char values[LINE_SIZE];
        snprintf(values, sizeof values, "%s", rows[r].values);
        for (char *value, *rest = values; (value = strsep(&rest, " ")) != NULL;) {
            const char *comma = strrchr(value, ',');
            if (comma != NULL || strchr(value, 1) != NULL) { /* quoted in part, or escaped */
                char line[LINE_SIZE];
                snprintf(line, sizeof line, "-w life --%s=%s", rows[r].option, value);
                rejects(line, &rows[r].accepted, 1);
            } else {
                rejects_value(rows[r].option, value, rows[r].accepted);
            }
        }
    }
}

static void put_rejection(const char *line, td_text *text)
{
    command c;
    read_line(line, &c);
    assert_int_equal(c.status, TD_USAGE);
    assert_null(strchr(c.error.text, '\n'));
    char *known = strstr(c.error.text, " (known"); /* names, which may become more */
    td_text_print(text, "%.*s\n", known != NULL ? (int)(known - c.error.text) : -1, c.error.text);
}

TEST(bad_command_lines_are_rejected_as_shown)
{
    lines_are_as_shown(put_rejection, "tests/data/shown/rejected.txt");
}

TEST(messages_stay_on_one_line_and_short)
{
    char value[300], *argv[] = {"tribench", "--n", value, NULL};
    td_options options;
    td_error error;
    memset(value, '9', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    value[3] = '\n';
    assert_int_equal(td_options_parse(3, argv, &options, &error), TD_USAGE);
    assert_null(strchr(error.text, '\n'));
    assert_non_null(strstr(error.text, "999\\x0a9"));
    assert_non_null(strstr(error.text, "...'"));
}

int main(void)
{
    unsetenv("SLURM_ARRAY_TASK_ID"); /* the tests may themselves run in a job array */
    return td_tests_run(NULL, NULL);
}
