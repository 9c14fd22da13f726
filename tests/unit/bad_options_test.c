/* bad_options_test.c - rejected command lines and their messages. */
#include "test.h"

#include <string.h>

#include "command.h"

typedef struct bad_line {
    const char *line;
    const char *fragments[3]; /* option, value, accepted values: the message has them all */
} bad_line;

static const bad_line bad_lines[] = {
    {"--n 0", {"--n", "'0'", "1..1048576"}},
    {"--n -5", {"--n", "'-5'", "1..1048576"}},
    {"--n +5", {"--n", "'+5'", "whole numbers"}},
    {"--n 8k", {"--n", "'8k'", "1..1048576"}},
    {"--n 1e3", {"--n", "'1e3'", "whole numbers"}},
    {"--n 0x10", {"--n", "'0x10'", "whole numbers"}},
    {"--n 1.5", {"--n", "'1.5'", "whole numbers"}},
    {"--n ~5", {"--n", "' 5'", "whole numbers"}},
    {"--n 5~", {"--n", "'5 '", "whole numbers"}},
    {"--n 99999999999999999999", {"--n", "'99999999999999999999'", "1..1048576"}},
    {"--n 18446744073709551617", {"--n", "'18446744073709551617'", "1..1048576"}},
    {"--n 4294967297", {"--n", "'4294967297'", "1..1048576"}},
    {"--n 1048577", {"--n", "'1048577'", "1..1048576"}},
    {"--n=", {"--n", "''", "1..1048576"}},
    {"--n ,", {"--n", "''", "comma-separated"}},
    {"--n 5,", {"--n", "''", "comma-separated"}},
    {"--n 5,,6", {"--n", "''", "comma-separated"}},
    {"--n 5;6", {"--n", "'5;6'", "comma-separated"}},
    {"--n nan", {"--n", "'nan'", "whole numbers"}},
    {"--n 9:8:1", {"--n", "'9:8:1'", "is empty"}},
    {"--n 1:9:0", {"--n", "'1:9:0'", "step 0"}},
    {"--n 1:9", {"--n", "'1:9'", "start:stop:step"}},
    {"--n 1:9:*1", {"--n", "'1:9:*1'", "factor"}},
    {"--n 1:9:*", {"--n", "'1:9:*'", "factor"}},
    {"--n 0:9:*2", {"--n", "0:9:*2", "1..1048576"}},
    {"--strategy xyz*", {"--strategy", "unknown strategy 'xyz*'", "known: bb"}},
    {"--workload xyz*", {"--workload", "unknown workload 'xyz*'", "known: "}},
    {"--baseline ltm*", {"--baseline", "unknown strategy 'ltm*'", "known: bb"}},
    {"--timing once --samples 3", {"--timing once", "leave --samples out", "once"}},
    {"--precision 1", {"--precision", "percentage", "'1'"}},
    {"--precision 0%", {"--precision", "above 0%", "'0%'"}},
    {"--precision 51%", {"--precision", "up to 50%", "'51%'"}},
    {"--precision %", {"--precision", "percentage", "'%'"}},
    {"--timing once --tune", {"--timing once", "leave --tune out", "once"}},
    {"--timing once --list", {"--timing once", "goes with a run", "only"}},
    {"--n 1:9:1:1", {"--n", "'1:9:1:1'", "start:stop:step"}},
    {"--n 1:9:-1", {"--n", "'1:9:-1'", "step"}},
    {"--n 0:9:1", {"--n", "'0:9:1'", "1..1048576"}},
    {"--n ::", {"--n", "'::'", "1..1048576"}},
    {"--n 1:1048576:1", {"--n", "'1:1048576:1'", "4096"}},
    {"--n", {"--n", "expected a value", "problem sizes"}},
    {"-n", {"--n", "expected a value", "problem sizes"}},
    {"-n8k", {"--n", "'8k'", "whole numbers"}},
    {"--strategy ltmr", {"--strategy", "'ltmr'", "did you mean 'ltm-r'"}},
    {"--strategy nonsense", {"--strategy", "'nonsense'", "known: bb"}},
    {"--strategy bb,,rb", {"--strategy", "'bb,,rb'", "empty name"}},
    {"--strategy=", {"--strategy", "''", "--list strategies"}},
    {"-s BB", {"--strategy", "'BB'", "known: bb"}},
    {"-s papr", {"--strategy", "'papr'", "known: bb"}},
    {"--workload edm5", {"--workload", "'edm5'", "did you mean 'edm"}},
    {"--workload=", {"--workload", "''", "known: dummy"}},
    {"-w dummy,", {"--workload", "''", "known: dummy"}},
    {"--block 0", {"--block", "'0'", "1024"}},
    {"--block 33", {"--block", "'33'", "1024"}},
    {"--block 64x32", {"--block", "'64x32'", "1024"}},
    {"--block 16x", {"--block", "'16x'", "64x4"}},
    {"--block x16", {"--block", "'x16'", "64x4"}},
    {"--block 16X16", {"--block", "'16X16'", "64x4"}},
    {"--block 2x2x2x2", {"--block", "'2x2x2x2'", "8x8x8"}},
    {"--block 1x1x128", {"--block", "'1x1x128'", "z at most 64"}},
    {"--block 4294967296x4294967296", {"--block", "'4294967296x4294967296'", "1024"}},
    {"--block -16", {"--block", "'-16'", "1024"}},
    {"--block=", {"--block", "''", "such as 16"}},
    {"--tile 0", {"--tile", "'0'", "1..4096"}},
    {"--tile 64x4x1", {"--tile", "'64x4x1'", "such as 64x4"}},
    {"--cutoff 0", {"--cutoff", "'0'", "1..1048576"}},
    {"--engine gpu", {"--engine", "'gpu'", "auto|cuda|cpu"}},
    {"--engine cud", {"--engine", "'cud'", "did you mean 'cuda'"}},
    {"--device one", {"--device", "'one'", "UUID"}},
    {"--device -1", {"--device", "'-1'", "ordinal"}},
    {"--device GPU-123", {"--device", "'GPU-123'", "UUID"}},
    {"--baseline lmt-i", {"--baseline", "'lmt-i'", "did you mean 'ltm-i'"}},
    {"--baseline=", {"--baseline", "''", "known: bb"}},
    {"--samples 0", {"--samples", "'0'", "1..1000000"}},
    {"--samples 51.0", {"--samples", "'51.0'", "whole number"}},
    {"--warmup=", {"--warmup", "''", "0..1000000"}},
    {"--seed=", {"--seed", "''", "whole number"}},
    {"--set density=", {"--set density", "''", "decimal"}},
    {"--set density", {"--set", "NAME=VALUE", "'density'"}},
    {"--set =3", {"--set", "NAME=VALUE", "'=3'"}},
    {"-w life --set rul=1",
     {"--set", "'rul'", "did you mean 'rule'? (the selected workloads have memory, cell"}},
    {"-w dummy --set x=1", {"--set", "'x'", "no selected workload has any"}},
    {"--rule 233", {"--rule", "was removed", "--set rule=ABCD"}},
    {"--warmup -1", {"--warmup", "'-1'", "0..1000000"}},
    {"--max-time 0", {"--max-time", "'0'", "more than 0"}},
    {"--max-time -1", {"--max-time", "'-1'", "0..86400"}},
    {"--max-time inf", {"--max-time", "'inf'", "decimal"}},
    {"--max-time 1e9", {"--max-time", "'1e9'", "decimal"}},
    {"--max-time .", {"--max-time", "'.'", "decimal"}},
    {"--max-time 1.2.3", {"--max-time", "'1.2.3'", "decimal"}},
    {"--timeout 1h", {"--timeout", "'1h'", "decimal"}},
    {"--seed -1", {"--seed", "'-1'", "0..18446744073709551615"}},
    {"--seed 18446744073709551616", {"--seed", "'18446744073709551616'", "18446744073709551615"}},
    {"--input=", {"--input", "FILE", "empty"}},
    {"--dump=", {"--dump", "FILE.npy", "empty"}},
    {"--output=", {"--output", "FILE", "empty"}},
    {"--input a.npy --dump a.npy", {"--input", "'a.npy'", "different files"}},
    {"--input ./a.npy --output a.npy", {"--input", "'./a.npy'", "different files"}},
    {"--dump a.npy --output ./a.npy", {"--dump", "'a.npy'", "different files"}},
    {"--dump a.npy --resume a.npy", {"--resume", "'a.npy'", "different files"}},
    {"--dump a.npy --resume b.jsonl", {"--dump", "leave --resume out", "one run"}},
    {"--dump a.npy --shard 0/2", {"--dump", "leave --shard out", "one run"}},
    {"--list -o a", {"--output", "--list", "standard output"}},
    {"--show --output a", {"--output", "--show", "standard output"}},
    {"--check-maps=8 -o a", {"--output", "--check-maps", "standard output"}},
    {"--check-maps=8 -f csv", {"--check-maps", "json or table", "'csv'"}},
    {"--check-maps=8 -f jsonl", {"--check-maps", "json or table", "'jsonl'"}},
    {"--dry-run -o a", {"--output", "--dry-run", "standard output"}},
    {"--layout dense", {"--layout", "'dense'", "packed|full"}},
    {"--verify some", {"--verify", "'some'", "full|none"}},
    {"--partition=rows", {"--partition", "was removed", "--ranks=HOW"}},
    {"--profile", {"--profile", "was removed", "--timing once"}},
    {"--setups", {"--setups", "was removed", "scripts/turns"}},
    {"--timing alone", {"--timing", "'alone'", "batched|host|once"}},
    {"--cache hot", {"--cache", "'hot'", "warm|cold"}},
    {"--schedule persistant", {"--schedule", "'persistant'", "did you mean 'persistent'"}},
    {"--steps 1e2", {"--steps", "'1e2'", "0..1000000"}},
    {"--set rule=233", {"--set rule", "'233'", "four digits"}},
    {"--set rule=2333x", {"--set rule", "'2333x'", "four digits"}},
    {"--set rule=0000", {"--set rule", "'0000'", "not all"}},
    {"--steps", {"--steps", "expected a value", "generations"}},
    {"--memory halp", {"--memory", "'halp'", "did you mean 'halo'"}},
    {"--cell=", {"--cell", "''", "u32|u8|bit"}},
    {"--steeps 3", {"--steeps", "unknown option", "did you mean '--steps'"}},
    {"--st 3", {"--st", "ambiguous", "--steps"}},
    {"--set density=1.01", {"--set density", "'1.01'", "0..1"}},
    {"--set density=-0.1", {"--set density", "'-0.1'", "0..1"}},
    {"--threads 0", {"--threads", "'0'", "1..4096"}},
    {"--format xml", {"--format", "'xml'", "json|jsonl|csv|table"}},
    {"--shard 3/3", {"--shard", "'3/3'", "I/K"}},
    {"--shard 3", {"--shard", "'3'", "I/K"}},
    {"--shard 0/0", {"--shard", "'0/0'", "I/K"}},
    {"--shard -1/3", {"--shard", "'-1/3'", "I/K"}},
    {"--shard 1/3/5", {"--shard", "'1/3/5'", "I/K"}},
    {"--shard auto", {"--shard auto", "SLURM_ARRAY_TASK_ID", "not set"}},
    {"--list things", {"--list", "'things'", "strategies|workloads"}},
    {"--list=stratgies", {"--list", "'stratgies'", "did you mean 'strategies'"}},
    {"--list --format csv", {"--list", "'csv'", "json"}},
    {"--list -o -:json", {"--output", "--list", "--format"}},
    {"-o a.json -o ./a.json", {"--output", "different files", "a.json"}},
    {"-o - -o /dev/stdout:csv", {"--output", "different files", "/dev/stdout"}},
    {"-o a.jsonl:csv --resume a.jsonl", {"--resume", "--output", "--format jsonl"}},
    {"--dry-run -o plan.txt", {"--output", "--dry-run", "standard output"}},
    {"--label", {"--label", "expected a value", "free text"}},
    {"--label a", {"--label", "NAME=TEXT", "'a'"}},
    {"--label =b", {"--label", "NAME=TEXT", "'=b'"}},
    {"--label a=", {"--label", "NAME=TEXT", "'a='"}},
    {"--label a.b=c", {"--label", "NAME=TEXT", "'a.b=c'"}},
    {"--show=tree", {"--show", "'tree'", "map|grid"}},
    {"--show --dry-run", {"--dry-run", "only one", "--show"}},
    {"--check-maps=0", {"--check-maps", "'0'", "1..92681"}},
    {"--resume a.jsonl --output a.jsonl --format json",
     {"--resume", "'a.jsonl'", "--format jsonl"}},
    {"--dry-run=yes", {"--dry-run", "takes no value", "yes"}},
    {"--color sometimes", {"--color", "'sometimes'", "auto|always|never"}},
    {"--strateggy bb", {"--strateggy", "unknown option", "did you mean '--strategy'"}},
    {"--lock-gpu-clocks base", {"--lock-gpu-clocks", "was removed", "nvidia-smi -lgc"}},
    {"--frames a", {"--frames", "was removed", "--dump FILE.npy --every K"}},
    {"--exhaustive", {"--exhaustive", "was removed", "--tile all"}},
    {"--overwrite", {"--overwrite", "was removed", "remove the file"}},
    {"--retry 3", {"--retry", "was removed", "scripts/turns"}},
    {"--retry=3", {"--retry", "was removed", "scripts/turns"}},
    {"--nonsense", {"--nonsense", "unknown option", "--help"}},
    {"--s 5", {"--s", "ambiguous", "--samples"}},
    {"-x", {"-x", "unknown option", "--help"}},
    {"-qx", {"-x", "unknown option", "--help"}},
    {"8192", {"'8192'", "unexpected argument", "--help"}},
    {"--n 5 8192", {"'8192'", "unexpected argument", "--help"}},
    {"-- ltm", {"'ltm'", "unexpected argument", "--help"}},
    {"--n 0 --help", {"--n", "'0'", "1..1048576"}},
};

static void bad_command_lines_name_option_value_and_what_is_accepted(void **state)
{
    const size_t count = sizeof bad_lines / sizeof bad_lines[0];
    (void)state;
    assert_true(count >= 60);
    for (size_t i = 0; i < count; i++) {
        command c;
        td_options options;
        td_error error = {{0}};
        split(bad_lines[i].line, &c);
        if (td_options_parse(c.argc, c.argv, &options, &error) != TD_USAGE) {
            td_options_free(&options);
            fail_msg("'%s' was accepted", bad_lines[i].line);
        }
        for (size_t f = 0; f < 3; f++) {
            if (strstr(error.text, bad_lines[i].fragments[f]) == NULL) {
                fail_msg("'%s': no \"%s\" in \"%s\"", bad_lines[i].line, bad_lines[i].fragments[f],
                         error.text);
            }
        }
        assert_null(strchr(error.text, '\n'));
    }
}

static void messages_stay_on_one_line_and_short(void **state)
{
    char value[300], *argv[] = {"tribench", "--n", value, NULL};
    td_options options;
    td_error error;
    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_command_lines_name_option_value_and_what_is_accepted),
        cmocka_unit_test(messages_stay_on_one_line_and_short),
    };
    return cmocka_run_group_tests_name("bad_options", tests, NULL, NULL);
}
