#!/usr/bin/env bats
# tests/run counts honestly: a test that fails, dies or prints nothing does not pass.

setup() {
    out=$BATS_TEST_TMPDIR/out
    mkdir -p "$out/tests/unit"
    unset CI
}

program() { # NAME BODY
    printf '#!/bin/sh\n%s\n' "$2" >"$out/tests/unit/$1_test"
    chmod +x "$out/tests/unit/$1_test"
}

closes() { # STATUS LINE
    run tests/run --out "$out" unit
    echo "$output"
    [ "$status" -eq "$1" ]
    [ "${lines[-1]}" = "$2" ]
}

@test "passes and skips are added up" {
    program a 'echo 1..2; echo ok 1 - x; echo why; echo "not ok 2 # SKIP y"'
    program b 'echo 1..1; echo ok 1 - z'
    closes 0 "2 passed, 0 failed, 1 skipped"
    [[ $output == *"1 skipped: why"* ]]
}

@test "in CI a skip is a failure, but for a GPU that is not there" {
    export CI=true
    program a 'echo 1..1; echo no CUDA device; echo "not ok 1 # SKIP y"'
    program b 'echo 1..1; echo ok 1 - z'
    closes 0 "1 passed, 0 failed, 1 skipped"
    program a 'echo 1..1; echo there is no zsh; echo "not ok 1 # SKIP y"'
    closes 1 "1 passed, 1 failed, 1 skipped"
    [[ $output == *"skips what CI has, or should have"*"there is no zsh"* ]]
}

@test "a failure is shown and counted" {
    program a 'echo 1..2; echo ok 1 - x; echo "not ok 2 - y"; echo "# 1 != 2"; exit 1'
    closes 1 "1 passed, 1 failed, 0 skipped"
    [[ $output == *"# 1 != 2"* ]]
}

@test "a program that dies, ran fewer tests than it announced, or says nothing has failed" {
    closes 1 "0 passed, 0 failed, 0 skipped" # there is none
    program a 'echo 1..1; echo ok 1 - x; kill -SEGV $$'
    closes 1 "1 passed, 1 failed, 0 skipped"
    program a 'echo 1..3; echo ok 1 - x'
    closes 1 "1 passed, 1 failed, 0 skipped"
    program a 'exit 0'
    closes 1 "0 passed, 1 failed, 0 skipped"
}

@test "only skips are a failure, too: nothing was tested" {
    program a 'echo 1..1; echo "ok 1 x # SKIP y"'
    closes 1 "0 passed, 0 failed, 1 skipped"
}
