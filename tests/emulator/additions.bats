#!/usr/bin/env bats
# What is added to the program runs in the cuda engine as well.

load ../additions

@test "the emulator verifies what was added: the automaton under every technique, and cover tile by tile" {
    cd "$BATS_TEST_DIRNAME/../.." || return
    copy_tree tests/emulator
    add_automaton
    add_tile_kernel
    make CUDA=emulated CFLAGS=-O0 build/emulated/tribench >make.log 2>&1 || { tail -50 make.log && false; }
    verifies_votes build/emulated/tribench cuda
    build/emulated/tribench --engine cuda --strategy bb,ltm-i --workload cover --kernel tile --n 100 --samples 1 \
        --warmup 0 --format csv >cover.csv
    [ "$(grep -c ',ok,.*,pass,[a-z]*,5050,0,' cover.csv)" -eq 2 ] || { cat cover.csv && false; }
}
