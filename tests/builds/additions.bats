#!/usr/bin/env bats
# What CONTRIBUTING adds to the program, whose cost tests/scripts/costs.bats counts, in a build of its own.

load ../additions

@test "what was added is built, listed, run and verified" {
    copy_tree tests/tests.mk tests/unit
    add_strategy
    add_workload
    add_sum
    add_automaton
    make CUDA=0 CFLAGS=-O0 tribench build/cpu/tests/unit/{strategies,refusal}_test >make.log 2>&1 || {
        cat make.log && false
    }
    TD_TEST='*/yours' build/cpu/tests/unit/strategies_test
    TD_TEST='element_off_by_one_*' build/cpu/tests/unit/refusal_test

    ./tribench --list strategies | grep -q '^yours '
    ./tribench --engine cpu --strategy yours --workload cover --n 100 --samples 1 --format csv >run.csv
    grep -q '^cpu/cover/yours/.*,ok,' run.csv || { cat run.csv && false; }

    ./tribench --engine cpu --strategy 2d --workload haversine --n 100 --samples 1 --format csv >run.csv
    [ "$(grep -c '/haversine/.*,ok,.*,pass,' run.csv)" -gt 15 ] || { cat run.csv && false; }

    ./tribench --engine cpu --strategy 3d --workload ones --n 20 --samples 1 --format csv >run.csv
    [ "$(grep -c ',ok,.*,pass,total,1540,0,' run.csv)" -ge 6 ] || { cat run.csv && false; }

    ./tribench --list workloads | grep -q '^vote '
    verifies_votes ./tribench cpu
}
