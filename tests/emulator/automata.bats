#!/usr/bin/env bats
# The cuda engine's kernels on the emulator: automata, trees, maps and ranks, verified.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load helpers

@test "automata: every memory, width of a cell and domain, at odd numbers of steps" {
    local memory cell workload square=(--set domain=square)
    for memory in halo conditional shared aligned rect two-cell two-generation four-generation strip; do
        for cell in u32 u8 bit; do
            [[ $cell = bit && $memory != @(strip|four-generation) ]] && continue
            verified 3 -s bb,ltm-i,rec -w life -n 70 --steps 5 --memory "$memory" --cell "$cell"
            [ "$cell" = u32 ] || verified 3 -s bb,ltm-i,rec -w gol -n 70 --steps 5 --memory "$memory" --cell "$cell"
        done
        [ "$memory" = four-generation ] && continue
        for workload in blur water; do
            verified 3 -s bb,ltm-i,rec -w "$workload" -n 70 --steps 3 --memory "$memory"
            verified 1 -s bb -w "$workload" -n 70 --steps 3 --memory "$memory" "${square[@]}"
        done
        [ "$memory" = two-generation ] && continue
        verified 6 -s bb,ltm-i,rec -w extrema,dog -n 70 --memory "$memory"
        verified 2 -s bb -w extrema,dog -n 70 --memory "$memory" "${square[@]}"
    done
}

# One and two cells per thread in the published blocks, and shapes that have no instance; N is no multiple of them.
@test "automata: tiles of the square that are not square" {
    local memory shape all=life,water,blur,dog,extrema
    for memory in shared aligned rect two-cell; do
        for shape in 64x4:64x4 128x4:64x4 32x16:16x16 8x16:4x16 10x3:2x3; do
            [ "$memory $shape" != "two-cell 64x4:64x4" ] || continue
            verified 5 -s bb -w "$all" -n 70 --steps 3 --set domain=square --memory "$memory" \
                --tile "${shape%:*}" --block "${shape#*:}"
        done
    done
    verified 2 -s bb -w life,dog -n 131 --steps 3 --set domain=square --memory rect
    verified 3 -s bb -w life -n 1,64,131 --steps 3 --set domain=square --memory two-cell --cell u32
    verified 1 -s bb -w dog -n 131 --set domain=square --memory two-cell --cell f32x2
}

@test "trees launch their children, graphs repeat a run" {
    verified 40 -s dp,rec-tetra,dp-tetra -w all -n 100 --cutoff 16 --steps 2
    verified 3 -s rec,hmap -w edm1 -n 200 --samples 3 --warmup 3
}

@test "maps: each is right on the device" {
    run_tribench --engine cuda --quiet --check-maps=24 -s all
    expect_status 0
    [ "$(value_of '{s["exact"] for s in d["strategies"]}')" = '{True}' ] || fails "a map is wrong"
}

@test "ranks: parts of domains, and halos that go through the host" {
    shared rows -s bb,rec,ltm-i -w life,gol,edm4,collision --steps 5
    # a workload without exchange has no exchange time, not that of the automaton before it
    [ "$(value_of 'sorted({r["workload"] for r in d["runs"] if r["ranks"]["exchange_ms"] is None})')" = \
        "['collision', 'edm4']" ] || fails "exchange_ms"
    shared cells -s bb,rec,ltm-i -w edm4,collision,life,gol --steps 5
}
