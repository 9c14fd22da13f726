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

@test "waves: as many blocks as the device works on at a time, here four, and how full the last one is" {
    waves() { # EXPECTED OPTION...
        run_tribench --engine cuda -q --samples 1 --warmup 0 --baseline none --steps 2 "${@:2}"
        expect_status 0
        [ "$(value_of 'sorted({(r["strategy"], *(r["launch"][k] for k in ("at_once", "waves", "last_wave")))
            for r in d["runs"]}, key=str)')" = "$1" ]
    }
    waves "[('bb', 4, 25, 1), ('ltm-i', 4, 14, 0.75)]" -s bb,ltm-i -w edm1,life -b 8 -n 76
    waves "[('rec-tetra', None, None, None)]" -s rec-tetra -w write,life -b 4 -n 32 --cutoff 8 # several grids
}
