#!/usr/bin/env bats
# Calls to a profiler, which the emulator prints on stderr.
# shellcheck disable=SC2154  # stdout and stderr come from helpers

load helpers

told() { # WORDS...: what the profiler hears, and the kernels that it may see
    export TRIBENCH_EMULATOR_TRACE=1
    run_tribench --quiet --engine cuda "$@"
    expect_status 0
}

@test "--timing once launches one kernel, and the profiler is on for that one alone" {
    told --timing once -s ltm-i -w edm1 -n 64
    [ "$(grep -c kernel "$stderr")" -eq 1 ] || fails "more than one kernel"
    [ "$(grep -A1 'profiler on' "$stderr" | tail -1 | xargs)" = kernel ] || fails "before the profiler is on"
    [ "$(grep -A1 kernel "$stderr" | tail -1 | xargs)" = 'profiler off' ] || fails "no end"
}

@test "--timing once of an automaton launches its steps, without a graph" {
    told --timing once -s bb -w gol --steps 3 -n 64
    [ "$(grep -c kernel "$stderr")" -eq 3 ] || fails "not three kernels"
}

@test "groups, runs and phases are ranges within each other, also without --timing once" {
    told -s bb,ltm-i -w edm1 -n 64 --samples 2 --warmup 1
    grep -q '^range edm1, n 64, 2 runs$' "$stderr" || fails "no range of the group"
    grep -A1 '^  range cuda/edm1/bb/n64/' "$stderr" | grep -q '^    range sample$' || fails "no range of a phase"
    [ "$(grep -c '^    range sample$' "$stderr")" -eq 4 ] || fails "not each sample"
    [ "$(grep -c profiler "$stderr")" -eq 0 ] || fails "the profiler was started"
}
