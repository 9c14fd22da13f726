#!/usr/bin/env bats
# --emit: maps as functions in other languages. report/tests/test_emit.py compares what they do.
# shellcheck disable=SC2154  # the streams come from helpers

load helpers

setup() {
    PATH=$(dirname "$PYTHON"):$PATH # its python3 has what tribench-report needs
}

@test "every language prints every map that is asked for, with its grid" {
    words=$("$TRIBENCH" --help=all | grep -A 4 -e '--emit' | tr '\n' ' ' | grep -oE 'one of +[a-z|]+' | tr -d ' ')
    [ "$words" = 'oneofcuda|triton|numba|cute|python' ]
    for language in cuda triton numba cute python; do
        run_tribench --emit "$language" -s rb-b,ltm
        expect_status 0
        for name in rb_b rb_b_grid ltm_r ltm_r_grid; do
            grep -qE "(def|bool|void) $name\(" "$stdout" || fails "$language has no $name"
        done
    done
    "$PYTHON" "$stdout"
}

@test "a map from a file is a function, too" {
    printf '#include "strategies/own.h"\n%s\n' 'TD_FN td_pair td_one_pair(uint64_t index, uint32_t n)
{ (void)n; td_pair at; at.row = (uint32_t)index; at.col = 0; return at; }' >"$BATS_TEST_TMPDIR/one.h"
    run_tribench --emit cuda -s "$BATS_TEST_TMPDIR/one.h"
    expect_status 0
    grep -q 'bool one(unsigned x, unsigned y, unsigned n, ' "$stdout"
}

@test "without maps, with a map of threads, without Python or the report: a sentence" {
    run_tribench --emit cuda
    expect_status 2
    grep -q -- '--emit: expected 1..45 maps, named by --strategy' "$stderr"
    run_tribench --emit cuda -s rb
    expect_status 2
    [ "$(cat "$stderr")" = 'tribench-report emit: rb maps threads to cells, not blocks to tiles' ]
    mkdir "$BATS_TEST_TMPDIR/bin"
    ln -s /usr/bin/env "$BATS_TEST_TMPDIR/bin/env"
    PATH=$BATS_TEST_TMPDIR/bin run_tribench --emit cuda -s rb-b
    expect_status 4
    grep -q -- '--emit needs Python 3' "$stderr"
    cp "$TRIBENCH" "$BATS_TEST_TMPDIR/bin/tribench"
    TRIBENCH=$BATS_TEST_TMPDIR/bin/tribench run_tribench --emit cuda -s rb-b
    expect_status 4
    grep -q 'tribench-report is not beside' "$stderr"
}
