#!/usr/bin/env bats
# The cost of additions to the program, in files and lines.

# A copy of the sources, to change.
copy_tree() {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"
    cp -r --parents -t "$tree" main.c Makefile run engine report/*.[ch] report/format report/view strategies workloads
    cp -r "$tree" "$tree.before"
}

costs_one_file_and_two_lines() {
    run diff -rq "$tree.before" .
    [ "${#lines[@]}" -eq 3 ] || return # the new file and two changed ones
    run diff -r "$tree.before" .
    [ "$(grep -c '^>' <<<"$output")" -eq 2 ] || return # a line each
    [ "$(grep -c '^<' <<<"$output")" -eq 0 ]
}

@test "few macros: at most 60 in engine/, 60 in workloads/" {
    for room in engine workloads; do
        count=$(grep -rhE '^ *# *define ' "$room" --include='*.[ch]' --include='*.cu' --include='*.cuh' |
            grep -cvE '_(H|CUH)$')
        echo "$room/: $count"
        [ "$count" -gt 0 ]
        [ "$count" -le 60 ]
    done
}

@test "a strategy of a known kind is one file, one include and one entry in a list" {
    copy_tree
    cd "$tree" || return
    sed 's/utm_b/yours/g; s/UTM_B/YOURS/g; s/utm-b/yours/g' strategies/utm_b.h >strategies/yours.h
    sed -i '/#include "utm_t.h"/a #include "yours.h"' strategies/strategies.h
    sed -i 's/X(hmap, A)/X(yours, A) \\\n    X(hmap, A)/' strategies/list.h

    costs_one_file_and_two_lines

    make CUDA=0 CFLAGS=-O0 tribench >make.log 2>&1 || { cat make.log && false; }
    ./tribench --engine cpu --strategy yours --workload cover --n 100 --samples 1 --format csv >run.csv
    grep -q '^cpu/cover/yours/.*,ok,' run.csv || { cat run.csv && false; }
    ./tribench --list strategies | grep -q '^yours '
}

@test "a workload, and one that sums, is one file, one include and one entry in a list" {
    copy_tree
    cd "$tree" || return
    cat >workloads/yours.h <<'END'
/* yours - how many cells there are: a sum of ones. */
#ifndef TD_WORKLOADS_YOURS_H
#define TD_WORKLOADS_YOURS_H

#include "layout3.h"

TD_FN double td_yours_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    (void)data;
    (void)x;
    (void)y;
    (void)z;
    return 1.0;
}

static inline double td_yours_total(const td_problem *problem, const void *input, double *scale)
{
    (void)input;
    *scale = (double)td_tetrahedron(problem->n);
    return (double)td_tetrahedron(problem->n);
}

static inline uint64_t td_yours_bytes(const td_problem *problem)
{
    (void)problem;
    return sizeof(double);
}

TD_DESCRIPTOR td_sum td_yours_sum = {.total = td_yours_total};

TD_DESCRIPTOR td_workload td_yours_workload = {
    .name = "yours",
    .summary = "a sum of ones",
    .dimension = 3,
    .finding = {"cells", TD_FINDS_REAL},
    .element = TD_F64,
    .poison = 0x7f,
    .proven_by_count = true,
    .sum = &td_yours_sum,
    .output_elements = td_sum_elements,
    .setup = td_setup_sum,
    .bytes = td_yours_bytes,
};

#endif
END
    sed -i '/#include "write3.h"/a #include "yours.h"' workloads/workloads.h
    sed -i 's/define TD_SUMS_3D(X, A) .*/&\n    X(yours, A) \\/' workloads/list.h

    costs_one_file_and_two_lines

    make CUDA=0 CFLAGS=-O0 tribench >make.log 2>&1 || { cat make.log && false; }
    ./tribench --engine cpu --strategy 3d --workload yours --n 20 --samples 1 --format csv >run.csv
    [ "$(grep -c ',ok,.*,pass,total,1540,0,' run.csv)" -ge 6 ] || { cat run.csv && false; }
}

# Adds to the tree: a majority vote of the eight neighbours under every technique, and a kernel for tiles of cover.
add_automaton() {
    cp tests/seventh/vote.h tests/seventh/vote.c workloads/automata/
    sed -i '/automata\/water.h/a #include "workloads/automata/vote.h"' workloads/workloads.h
    sed -i 's/^    X(gol, A).*/&\n    X(vote, A) \\/' workloads/list.h
}

add_tile_kernel() {
    cat >workloads/cover_tile.cuh <<'END'
/* cover_tile.cuh - visits, tile by tile. */
#ifndef TD_WORKLOADS_COVER_TILE_CUH
#define TD_WORKLOADS_COVER_TILE_CUH

#include "cover.h"
#include "tile_of.cuh"

__device__ inline void td_cover_tile(const td_data &data, td_work_tile tile)
{
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (uint32_t k = thread; k < tile.side * tile.side; k += blockDim.x * blockDim.y) {
        const uint32_t row = tile.y * tile.side + k / tile.side;
        const uint32_t col = tile.x * tile.side + k % tile.side;
        if (col <= row && row < data.n) {
            td_cover_cell(&data, row, col);
        }
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_cover> = td_cover_tile;

#endif
END
    sed -i '/#include "edm_tile.cuh"/i #include "cover_tile.cuh"' workloads/tiles.cuh
    sed -i 's/    .int_ops = 1,/&\n    .tiles = \&td_any_tiles,/' workloads/cover.h
}

# Verifies every technique and cell of the added automaton.
verifies_votes() { # TRIBENCH ENGINE
    local memory cell square
    for memory in conditional halo shared aligned rect two-cell two-generation strip four-generation; do
        for cell in u8 bit; do
            [[ $cell = bit && $memory != @(strip|four-generation) ]] && continue
            for square in triangle square; do
                "$1" --engine "$2" --strategy bb --workload vote --memory "$memory" --cell "$cell" --domain $square \
                    --n 75 --steps 5 --samples 1 --warmup 0 --format csv >>votes.csv || return
            done
        done
    done
    [ "$(grep -c '^[^,]*/vote/.*,ok,.*,pass,' votes.csv)" -eq 22 ] || { cat votes.csv && return 1; }
    rm votes.csv
}

@test "an automaton under every technique is two files, one include and one entry in a list" {
    copy_tree
    cp -r --parents -t "$tree" tests/seventh
    cp -r --parents -t "$tree.before" tests/seventh
    cd "$tree" || return
    add_automaton
    run diff -rq "$tree.before" .
    [ "${#lines[@]}" -eq 4 ] # the new files and two changed ones
    run diff -r "$tree.before" .
    [ "$(grep -c '^>' <<<"$output")" -eq 2 ]
    [ "$(grep -c '^<' <<<"$output")" -eq 0 ]

    make CUDA=0 CFLAGS=-O0 tribench >make.log 2>&1 || { cat make.log && false; }
    verifies_votes ./tribench cpu
    ./tribench --list workloads | grep -q '^vote '
}

@test "a kernel for tiles is one file, one include and one line in its descriptor" {
    copy_tree
    cd "$tree" || return
    add_tile_kernel
    costs_one_file_and_two_lines
}

@test "the emulator verifies what was added: the automaton under every technique, and cover tile by tile" {
    copy_tree
    cp -r --parents -t "$tree" tests/seventh tests/emulator
    cd "$tree" || return
    add_automaton
    add_tile_kernel
    make CUDA=emulated CFLAGS=-O0 build/emulated/tribench >make.log 2>&1 || { tail -50 make.log && false; }
    verifies_votes build/emulated/tribench cuda
    build/emulated/tribench --engine cuda --strategy bb,ltm-i --workload cover --kernel tile --n 100 --samples 1 \
        --warmup 0 --format csv >cover.csv
    [ "$(grep -c ',ok,.*,pass,[a-z]*,5050,0,' cover.csv)" -eq 2 ] || { cat cover.csv && false; }
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
