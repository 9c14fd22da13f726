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
