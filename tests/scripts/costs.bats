#!/usr/bin/env bats
# The cost of additions to the program, in files and lines.

load ../additions

@test "a strategy of a known kind is one file, one include and one entry in a list" {
    copy_tree
    costs add_strategy 1 2
}

@test "a workload, and one that sums, is one file, one include and one entry in a list" {
    copy_tree
    costs add_workload 1 2
    costs add_sum 1 2
}

@test "an automaton under every technique is two files, one include and one entry in a list" {
    copy_tree
    costs add_automaton 2 2
}

@test "a kernel for tiles is one file, one include and one line in its descriptor" {
    copy_tree
    costs add_tile_kernel 1 2
}

# Files that know a fact: one strategy that has it, and the files that declare or query it.
@test "a kind of strategy is known to at most six files" {
    for fact in whole_rows few_wasted is_costly square_map is_stand_in in_paper; do
        ask=$(grep -rlw "$fact" main.c run report/*.[ch] report/format report/view engine workloads strategies |
            xargs grep -L "\.$fact = ")
        echo "$fact: $ask"
        [ -n "$ask" ]
        [ "$(wc -l <<<"$ask")" -le 5 ]
    done
}

above=(main.c run report/*.[ch] report/format report/view engine) # with the kernels

@test "nobody outside of strategies/ asks for a strategy by name" {
    names=$(sed -n 's/.*\.name = "\(.*\)",/\1/p; s/.*\.alias = "\(.*\)",/\1/p' strategies/*.h | paste -sd'|')
    run grep -rnE "\"($names)\"|td_strategy_find\(\"" "${above[@]}" workloads
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "nobody outside of strategies/ asks for a map by name" {
    ids=$(sed -n 's/^ *X(\([a-z0-9_]*\), A).*/\1/p' strategies/list.h | paste -sd'|')
    run grep -rnwE "(td_|TD_STRATEGY_)($ids)(_map|_plan|_tree|_child|_box)?" "${above[@]}" workloads
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "nobody outside of workloads/ asks for a workload by name" {
    ids=$(sed -n 's/^ *X(\([a-z0-9_]*\), *A).*/\1/p' workloads/list.h | paste -sd'|')
    [[ $ids == *edm4*gol*life3* ]]
    run grep -rnE "\"($ids)\"|td_workload_find\(\"|\b(td|TD_WORKLOAD|TD_ROW)_($ids)(\b|_)" "${above[@]}"
    echo "$output"
    [ "$status" -eq 1 ]
}
