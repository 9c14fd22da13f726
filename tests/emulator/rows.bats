#!/usr/bin/env bats
# Maps of whole rows on the emulator: cells, loops, and tiles of rows of a batch, in every schedule.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load helpers

maps=rows,rows-lpt,rows-fold,rows-list

@test "cells under maps of whole rows: one per thread, loops, and blocks that stay" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 36 -s $maps -w cover,edm2,accumulate -n 1,33,70 -b 16x4 --tile 16 --schedule $schedule --baseline none
        verified 24 -s $maps -w write,collision,gram -n 33,70 -b 8 --schedule $schedule --baseline none
    done
    verified 8 -s $maps -w write,edm1 -n 70 --layout full --tile 64 --baseline none
}

@test "rows of a batch: tiles of every side, sections, and odd numbers of rows" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 16 -s $maps -w rowsum -n 150 --tile 32,64,96,128 --schedule $schedule
        verified 20 -s $maps -w rowsum -n 33,129 --tile 32 --schedule $schedule \
            --set batch=5,group=1,3,order=descending,shift
    done
    # as many blocks as tiles in a square: no box
    verified 4 -s $maps -w rowsum -n 96 --tile 32 --set batch=3 --schedule dynamic
}

@test "sequences of several lengths, in every order and schedule" {
    local schedule
    printf '150\n1\n128\n129\n' >"$BATS_TEST_TMPDIR/lengths.csv"
    for schedule in grid persistent dynamic; do
        verified 3 -s rows-list -w rowsum -n 150 --tile 32 --schedule $schedule --baseline none \
            --set order=descending,ascending,shift,batch=4,lengths="$BATS_TEST_TMPDIR/lengths.csv"
        verified 1 -s rows-list -w attention -n 150 --schedule $schedule --baseline none \
            --set batch=4,heads=1,dim=64,lengths="$BATS_TEST_TMPDIR/lengths.csv"
    done
}

@test "attention: heads that share keys, windows, formats, and what a head has of columns" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 8 -s $maps -w attention -n 1,150 --set heads=2,kv-heads=1 --schedule $schedule --baseline none
    done
    verified 2 -s rows-fold -w attention -n 77,150 --set heads=2,mask=full,dim=64,operand=f16 --baseline none
    verified 1 -s rows-lpt -w attention -n 300 --set heads=1,window=50,dim=64 --baseline none
}
