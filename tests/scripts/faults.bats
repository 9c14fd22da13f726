#!/usr/bin/env bats
# Calls that fail, some of them; `make check-faults` lets every call fail in turn.

@test "memory, files, pipes and processes that are denied cost no more than they must" {
    local faults=${TRIBENCH%/*}/tests/tribench_faults
    [ -x "$faults" ] || skip "there is no $faults: make check-build"
    [[ $faults != *-sanitize/* ]] || skip "the sanitizers have wrappers of their own"
    tests/faults/run --every 9 "$faults" fork rename fdatasync fclose write mmap
    tests/faults/run --every 60 "$faults" realloc
}

@test "every call that maps memory is one that may be denied" {
    run grep -rnwE 'mremap|shm_open' main.c run report engine workloads strategies
    [ "$status" -eq 1 ] || { echo "$output: tests/faults has to know it" >&2 && return 1; }
    grep -q '^WRAP.*, mmap,' tests/faults/faults.c
}
