#!/usr/bin/env bats
# Automata without staging, at large N: strips completely inside the domain need fewer tests and cuts. At small N there
# are no such strips.

load helpers

@test "strips: those inside of the triangle and of the square, with a launch of fewer generations at the end" {
    local memory cell
    for memory in strip four-generation; do
        for cell in u32 u8 bit; do
            verified 1 -s bb -w life -n 1300 --steps 5 --memory "$memory" --cell "$cell"
            [ "$cell" = u32 ] || verified 1 -s bb -w gol -n 1300 --steps 5 --memory "$memory" --cell "$cell"
        done
    done
    # the tiles of large N
    verified 2 -s bb -w life,gol -n 1300 --steps 2 --memory strip --cell bit --tile 3840x32 --block 32x4
    verified 2 -s bb -w life,gol -n 1300 --steps 5 --memory four-generation --cell bit --tile 960 --block 32x8
    verified 4 -s bb -w life,gol -n 1300 --steps 5 --memory strip,four-generation --cell u8 --tile 480 --block 32x15
    verified 2 -s bb -w dog -n 1300 --memory strip --cell f32,f32x2
    verified 2 -s bb -w dog -n 1300 --memory strip --cell f32,f32x2 --set domain=square
    verified 1 -s bb -w blur -n 1300 --steps 2 --memory strip
    verified 1 -s bb -w blur -n 1024 --steps 2 --memory strip --tile 128 # the last strips end where the domain does
    for cell in u8 bit; do
        verified 1 -s bb -w life -n 1300 --steps 4 --memory four-generation --cell "$cell" --set domain=square
        verified 1 -s bb -w life -n 1300 --steps 1 --memory strip --cell "$cell" --set domain=square
    done
}

@test "strips: a tile's rows go to blocks in bands" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 12 -s bb,ltm-i -w life,gol -n 1,300,700 --steps 2 --memory strip --cell bit --tile 256x32 \
            --block 32x4 --schedule "$schedule"
    done
    verified 14 -s 2d -w life -n 300,700 --steps 3 --memory strip --cell u8 --tile 128x8 --block 32x2
    verified 2 -s rec,hmap -w blur -n 700 --steps 2 --memory strip --tile 128x16 --block 32x2
    verified 2 -s bb -w life -n 700 --steps 5 --memory strip,four-generation --tile 256x32 --block 32x4 \
        --set domain=square
    verified 2 -s ltm-i -w water -n 300 --steps 4 --memory strip,two-generation --tile 96x24 --block 32x4
    verified 2 -s ltm-i -w dog,extrema -n 700 --memory strip --tile 256x16 --block 32x4
    verified 1 -s bb -w life -n 700 --steps 5 --memory four-generation --cell bit --tile 160x40 --block 32x4
}

@test "strips of water: one generation and two" {
    local memory
    for memory in strip two-generation; do
        verified 1 -s bb -w water -n 1300 --steps 3 --memory "$memory"
        verified 1 -s bb -w water -n 600 --steps 3 --memory "$memory" --set domain=square
        # the last strips end where the domain does
        verified 1 -s bb -w water -n 1024 --steps 3 --memory "$memory" --tile 128
        verified 1 -s bb -w water -n 960 --steps 3 --memory "$memory" --tile 480
    done
}

@test "strips of water: quotients that take a division, and land as high and as low as it may be" {
    local image="$BATS_TEST_TMPDIR/land.npy" little memory
    little=$(printf '%.45f' 1e-40)
    "$PYTHON" -c 'import sys, numpy as np
a = np.random.default_rng(1).choice([-1e37, 0, 1e-38, 1e-3, 1, 1e37], (150, 150))
np.save(sys.argv[1], a.astype("f4"))' "$image"
    for memory in strip two-generation; do
        verified 2 -s bb -w water -n 33,150 --steps 3 --memory "$memory" --set rain="$little" --set infiltration=0
        verified 1 -s bb -w water -n 150 --steps 3 --memory "$memory" --input "$image"
        verified 1 -s bb -w water -n 150 --steps 3 --memory "$memory" --input "$image" --set domain=square \
            --set rain="$little"
    done
}
