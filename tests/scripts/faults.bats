#!/usr/bin/env bats
# Calls that fail, some of them; `make check-faults` lets every call fail in turn.

@test "memory, files, pipes and processes that are denied cost no more than they must" {
    local faults=${TRIBENCH%/*}/tests/tribench_faults
    [ -x "$faults" ] || skip "there is no $faults: make check-build"
    tests/faults/run --every 9 "$faults" fork rename fdatasync fclose
    tests/faults/run --every 60 "$faults" realloc
}
