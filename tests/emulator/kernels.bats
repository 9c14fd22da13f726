#!/usr/bin/env bats
# The cuda engine's kernels on the emulator: verifies every one that a launch of cells and tiles can choose.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load helpers

@test "one cell per thread: every strategy with every workload" {
    verified 660 -s all -w all -n 1,17,50 --steps 2
}

@test "full layouts, and blocks that are not square" {
    verified 84 -s 2d -w write,edm4 -n 45 --layout full -b 16x4,32x8,8
    verified 60 -s 2d -w write,edm4 -n 70 --layout full -b 16x4,32x8,8 --tile 32
    verified 6 -s 3d -w write -n 20 --layout full
}

@test "tiles larger than the block: kernels for tiles where there are some, else loops" {
    verified 164 -s all -w all -n 70 --tile 32 --steps 2
    verified 164 -s all -w all -n 70 --tile 32 --steps 2 --kernel loop
    verified 27 -s bb,rec,ltm-i -w edm2,edm4,collision,life,gol,blur,water,extrema,dog -n 200 --tile 64 --steps 2
}

@test "distances and spheres in tiles of every side, and blocks with more threads than a tile has work for" {
    local layout
    verified 28 -s bb,ltm-i -w edm1,edm2,edm3,edm4,collision -n 1,70,200 --kernel tile
    verified 16 -s bb,rb-b -w edm1,edm4 -n 33,70,140,300 --kernel tile --tile 32 -b 8,32
    verified 12 -s bb,rb-b -w edm2,edm3,edm4 -n 140,300 --kernel tile --tile 64 -b 32x4
    verified 8 -s bb,ltm-i -w edm2,edm4 -n 200 --kernel tile --tile 128 -b 32x8,32x32
    for layout in full blocked; do
        verified 12 -s bb,ltm-i -w edm1,edm4 -n 200 --kernel tile --tile 32,64,128 --layout $layout
    done
    verified 20 -s bb,ltm-i -w collision -n 70,300 --kernel tile --tile 64,128,192,256,384 -b 32x4
}

@test "products in tiles: every layout and format, odd N, and K that no step divides" {
    local layout
    for layout in packed full mirrored; do
        verified 6 -s bb,ltm-i -w gram -n 1,127,129 --kernel tile --set columns=40 --layout $layout
        verified 4 -s ltm-g,morton -w gram -n 300 --kernel tile --set columns=72,operand=f16,result=f32 \
            --layout $layout --schedule grid,persistent --baseline none
    done
    verified 1 -s ltm-i -w gram -n 2049 --kernel tile --set columns=8 --baseline none
}

@test "tiles in a row are for clusters, which not every GPU has: told, not taken in another order" {
    local workload
    for workload in gram attention; do
        run_tribench --engine cuda --quiet -s 2d -w $workload -n 50 --kernel tile --schedule contiguous
        expect_status 1
        [ "$(value_of '{"only clusters take tiles in a row" in r["reason"] for r in d["runs"]
            if r["status"] != "skipped"}')" = '{True}' ] || fails "$workload"
    done
}

@test "a check of rows that have more columns than a block of it" {
    verified 6 -s ltm-i -w write,edm2,collision -n 2070,2300
    verified 2 -s ltm-i -w write,edm1 -n 2070 --layout full
    verified 1 -s ltm-i -w edm1 -n 2070 --layout blocked --kernel tile
    verified 4 -s ltm-i -w life,blur -n 2070 --steps 1 --memory halo,strip --baseline none
    verified 1 -s ltm-i -w gol -n 2070 --steps 1 --memory strip --cell bit
}

@test "rows of a cube that end within a sector: a tile for a block, and many at once" {
    verified 10 -s 3d -w write -n 72,136 --layout full --kernel tile --tile 32
    verified 10 -s 3d -w write -n 72,136 --layout full --kernel tile --tile 32 --schedule persistent
    verified 4 -s bb-tetra -w write -n 72 --layout full --kernel tile --tile 4,8,12,24 -b 4
    verified 4 -s bb-tetra -w write -n 72 --layout full --kernel tile --tile 4,8,12,24 -b 4 --schedule persistent
    verified 6 -s ltm-rows -w write -n 8,72,264 --layout full --kernel tile --tile 4,16 --schedule persistent
    verified 1 -s ltm-rows -w write -n 384 --layout full --kernel tile --tile 8 --schedule dynamic --baseline none
}

@test "what cells add to: rows that start anywhere, whole layers, and narrow tiles" {
    local layout
    for layout in packed full; do
        verified 20 -s 2d -w accumulate -n 45,70 --layout $layout --tile 32 -b 16x4
        verified 15 -s 3d -w accumulate -n 31,72,137 --layout $layout --kernel tile --tile 32
        verified 6 -s ltm-rows,bb-tetra -w accumulate -n 72,137 --layout $layout --kernel tile --tile 4,12 -b 4 \
            --schedule persistent
        verified 4 -s ltm-rows,bb-tetra -w accumulate -n 72 --layout $layout --kernel loop --tile 8,16 -b 4
    done
    verified 1 -s ltm-rows -w accumulate -n 344 --layout packed --kernel tile --tile 4 -b 32x4x2 --baseline none
}

@test "outputs that consist of tiles: cells, loops, and kernels for tiles, under every schedule" {
    local schedule
    verified 60 -s all -w write,edm4 -n 33 -b 8 --tile 8,24 --layout blocked
    for schedule in grid persistent dynamic; do
        verified 8 -s bb,bb-tetra -w write,accumulate -n 33 -b 8 --tile 8,24 --layout blocked --schedule $schedule
        verified 6 -s bb-tetra -w write,accumulate -n 33 -b 4x4x2 --tile 4,12,32 --layout blocked --kernel tile \
            --schedule $schedule
        verified 12 -s bb,rb-b -w edm1,edm3,edm4 -n 200 --layout blocked --kernel tile --tile 64,128 \
            --schedule $schedule
    done
    verified 4 -s bb -w write,edm4 -n 150 --layout blocked --tile 64 -b 16x4,32x8
}

@test "life on a tetrahedron, cell by cell: packed and full, cells and loops" {
    local layout
    for layout in packed full; do
        verified 14 -s 3d -w life -n 9,34 --steps 3 --layout $layout -b 4
        verified 7 -s 3d -w life -n 34 --steps 3 --layout $layout --kernel loop --tile 16
    done
}

@test "life on a tetrahedron in strips: every map of blocks, tile, size of a block, schedule and rule" {
    local schedule
    verified 420 -s 3d -w life -n 1:70:1 --steps 1 --memory strip
    verified 18 -s 3d -w life -n 33,70,103 --steps 3 --memory strip --tile 64 -b 32x4x1
    verified 4 -s ltm-rows -w life -n 31,70,103,140 --steps 2 --memory strip --tile 16 -b 32x4x1 --baseline none
    verified 4 -s ltm-rows,bb-tetra -w life -n 31,45 --steps 3 --set rule=5766 --memory strip -b 32x1x1
    verified 4 -s ltm-rows,bb-tetra -w life -n 31,45 --steps 3 --set rule=0099 --memory strip
    for schedule in persistent dynamic; do
        verified 6 -s 3d -w life -n 70 --steps 3 --memory strip --schedule $schedule
    done
}

@test "an output that nobody verifies is the same: its border was made, and memory is not 0 by itself" {
    local case
    for case in "bb 70 halo" "bb 70 strip" "bb 70 conditional" "bb-tetra 20 strip"; do
        read -ra case <<<"$case"
        for verify in full none; do
            run_tribench --engine cuda --quiet -s "${case[0]}" -w life -n "${case[1]}" --steps 7 --memory "${case[2]}" \
                --samples 1 --warmup 0 --verify "$verify" --dump "$BATS_TEST_TMPDIR/$verify.npy"
            expect_status 0
        done
        cmp "$BATS_TEST_TMPDIR/full.npy" "$BATS_TEST_TMPDIR/none.npy" || fails "${case[*]}"
    done
}

# Touching spheres must still seem to touch when rounded to bytes: spheres far from 0, in one place, of all sizes, too
# small for float squares, and too many for any list.
@test "spheres that a large tile cannot round well are decided all the same" {
    local spheres tile
    for spheres in 'grid, .5' 'grid + 1e6, .5' 'grid * .1, .05' 'cloud, cloud[:, :1] * .2' 'cloud, cloud[:, :1] * 5' \
        'cloud * 1e-20, 1e-22' 'cloud * 5e18, 1e18' 'grid * 0 + 3.7, .5' 'grid, 0' 'cloud * 1e-40, 1e-41' \
        'far, .05'; do
        "$PYTHON" -c "import numpy as np
grid = np.array([(i // 49, i // 7 % 7, i % 7) for i in range(270)], float)
cloud = np.random.default_rng(1).random((270, 3))
far = np.where(np.arange(270)[:, None] == 100, 1e9, cloud)
places, radius = $spheres
np.save('$BATS_TEST_TMPDIR/spheres.npy', np.c_[places, np.zeros((270, 1)) + radius].astype('f4'))"
        for tile in 64 256; do
            verified 1 -s ltm-i -w collision -n 270 --tile $tile --baseline none --input "$BATS_TEST_TMPDIR/spheres.npy"
        done
    done
}
