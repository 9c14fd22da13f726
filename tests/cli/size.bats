#!/usr/bin/env bats
# What a reader has to hold in mind, counted: each bound is met by fewer ideas, not by denser lines.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    git rev-parse --git-dir >/dev/null 2>&1 || skip "this is no repository"
    code=('*.c' '*.h' '*.cu' '*.cuh' ':!tests' ':!examples' ':!docs')
}

at_most() { # BOUND COUNT WHAT
    echo "$2 $3, at most $1"
    [ "$2" -gt 0 ] && [ "$2" -le "$1" ]
}

@test "options" {
    at_most 46 "$("$TRIBENCH" --help=all | grep -cE '^ {2}(-.,|   ) --[a-z-]+')" options
}

@test "macros that look like functions" {
    at_most 70 "$(git grep -hE '^ *# *define +[A-Za-z_0-9]+\(' -- "${code[@]}" | wc -l)" macros
}

@test "files that know of ranks" {
    at_most 25 "$(git grep -lwiE 'ranks?' -- "${code[@]}" | wc -l)" files
}

@test "members of a workload's descriptor" {
    members=$(sed -n '/^typedef struct td_workload {/,/^} td_workload;/p' workloads/workload.h |
        grep -vE '^ *(/?\*|/\*)' | grep -cE ';')
    at_most 19 "$members" lines # one of them ends the struct
}

@test "rooms of the engine" {
    at_most 10 "$(find engine -mindepth 1 -maxdepth 1 -type d | wc -l)" rooms
}
