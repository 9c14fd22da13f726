#!/usr/bin/env bats
# Maps of whole rows on the emulator: cells, loops, and tiles of rows of a batch, in every schedule.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load helpers

maps=rows,rows-lpt,rows-fold

@test "cells under maps of whole rows: one per thread, loops, and blocks that stay" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 27 -s $maps -w cover,edm2,accumulate -n 1,33,70 -b 16x4 --tile 16 --schedule $schedule --baseline none
        verified 18 -s $maps -w write,collision,gram -n 33,70 -b 8 --schedule $schedule --baseline none
    done
    verified 6 -s $maps -w write,edm1 -n 70 --layout full --tile 64 --baseline none
}

@test "rows of a batch: tiles of every side, sections, and odd numbers of rows" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 12 -s $maps -w rowsum -n 150 --tile 32,64,96,128 --schedule $schedule
        verified 12 -s $maps -w rowsum -n 33,129 --tile 32 --set batch=5,group=1,3 --schedule $schedule
    done
    # as many blocks as tiles in a square: no box
    verified 3 -s $maps -w rowsum -n 96 --tile 32 --set batch=3 --schedule dynamic
}
