#!/usr/bin/env bats
# The order of a launch's tiles and threads, on the emulator. Not in kernels.bats, so that both files run in parallel.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load helpers

@test "persistent blocks: cells, loops and tiles" {
    verified 146 -s all -w all -n 70 --schedule persistent --steps 2
    verified 12 -s bb,rec,ltm-i -w edm1,collision,life,blur -n 200 --tile 64 --steps 2 --schedule persistent
}

@test "blocks that take the next tile: cells, loops and tiles, and grids beside each other" {
    verified 146 -s all -w all -n 70 --schedule dynamic --steps 2
    verified 12 -s bb,rec,ltm-i -w edm1,collision,life,blur -n 200 --tile 64 --steps 2 --schedule dynamic
    verified 3 -s rec,ltm-i,bb -w edm1 -n 200 -b 4 --schedule dynamic --samples 3
    verified 24 -s 2d -w edm1,collision -n 70 --kernel tile --schedule dynamic
    verified 12 -s bb,ltm-i -w edm1,edm4,collision -n 200 --kernel tile --tile 64,128 --schedule dynamic
}

@test "the last thread first: no kernel hangs on the order of its threads" {
    export TRIBENCH_EMULATOR_ORDER=reverse
    verified 220 -s all -w all -n 50 --steps 2
    verified 164 -s all -w all -n 70 --tile 32 --steps 2
}
