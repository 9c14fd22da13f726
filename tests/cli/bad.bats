#!/usr/bin/env bats
# Rejected command lines and inputs: exit 2, one line that names the error, and no other output.

load helpers

setup() {
    work=$BATS_TEST_TMPDIR/work
    mkdir -p "$work"
}

# tests/unit/bad_options_test.c has every message of the parser.
@test "a rejected command line: exit 2, one line on stderr, nothing on stdout, no file" {
    rejects "got '0'" --n 0 --output "$work/out.json"
    rejects "did you mean '--strategy'" --strateggy bb -o "$work/out.json"
    rejects "unexpected argument '8192'" -o "$work/out.json" 8192
    rejects "only one" --list --dry-run
    rejects "exactly one run" --dump "$work/d.npy" -s bb,ltm -w edm4
}

@test "tiles" {
    rejects "at most 128x4 or 32x16" -w life --set domain=square --memory aligned --block 1 --tile 64x8
    rejects "a multiple of 2 by any" -w life --set domain=square --memory two-cell --block 1 --tile 63x4
    rejects "not a multiple" -w life --set domain=square --memory rect --tile 64x2
    rejects "only the whole square" -s bb -w life --memory rect --tile 64x4
    rejects "works cell by cell" -w life --set domain=square --tile 64x4 --block 64x4
    rejects "a multiple of 16, at most 4096, by a divisor" -w life --memory strip --tile 480x36 --block 32x4
    rejects "a multiple of 16, at most 4096, by a divisor" -w life --memory strip --tile 24x12 --block 8x4
    rejects "needs a multiple of 32 threads" -w life --memory strip --tile 480x16 --block 16x1
    rejects "takes square tiles only" -w life --set domain=square --memory two-generation --tile 64x4
    rejects "persistent: blocks that loop" -w life --set domain=square --memory rect --schedule persistent
    rejects "dynamic: blocks that loop" -w life --set domain=square --memory rect --schedule dynamic
    rejects "not a multiple" -s ltm --block 16 --tile 24
    rejects "no tiles but the block" -s rb --block 16 --tile 32
}

@test "combinations that cannot work, asked for by name" {
    rejects "exactly one run" --dump "$work/d.npy" -s ltm -w edm4 -n 5,6
    rejects "no output of its own" --dump "$work/d.npy" -s ltm -w dummy
    rejects "takes no input" --input tests/data/iris.csv -s ltm -w dummy
    rejects "persistent" --schedule persistent -s rb
    rejects "persistent" --schedule persistent -s dp
    rejects "--layout full" --layout full -w dummy
    rejects "life reads neighbours, which may lie in other tiles" --layout blocked -w life -s bb
    rejects "use --memory conditional and --cell u8" --layout blocked -w life -s bb --memory conditional --cell u32
    rejects "use --memory conditional and --cell u8" --layout blocked -w gol -s bb --cell bit
    rejects "use --memory conditional and --cell u8" --layout blocked -w blur -s bb --memory conditional
    rejects "use --set domain=triangle" --layout blocked -w life -s bb --memory conditional --set domain=square
    rejects "no tile kernel of its own for --layout blocked" --layout blocked -w gol -s bb --kernel tile
    rejects "dp launches kernels of its own" --layout blocked -w gol -s dp
    rejects "use --memory conditional and --cell u8" --layout blocked -w life -s bb-tetra --memory strip
    rejects "life has no full layout" --layout full -w life -s bb-tetra --memory strip
    rejects "no tile kernel of its own for --layout blocked" --layout blocked -w life -s bb-tetra --kernel tile
    rejects "collision has no blocked layout" --layout blocked -w collision -s bb
    rejects "utm maps threads, whose cells make no tile" --layout blocked -w write -s utm
    rejects "ltm-rows has tiles of whole rows" --layout blocked -w write -s ltm-rows
    rejects "1920" --engine cpu -s ltm -n 30737 --block 16
    rejects "three sides" -s ltm --block 8x8x8
}

@test "options that nothing selected can use" {
    rejects "four-generation, got 'foo'" -w life --memory aligned,foo
    rejects "four-generation, got ''" -w life --memory aligned,
    rejects "--memory: no selected workload takes it" \
        -w edm1 --memory strip
    rejects "--cell: expected one of auto|u8|bit, got 'u32'" -w gol --cell u32
    rejects "--cell bit goes with --memory strip" -w gol --cell bit --memory halo
    rejects "this workload has no kernel with this --memory and --cell" -w extrema --memory two-generation
    rejects "--cell: expected one of auto|u8, got 'bit'" -s bb-tetra -w life --cell bit
    rejects "--memory is conditional or strip on a tetrahedron" -s bb-tetra -w life --memory halo
    rejects "--memory strip: dp-tetra launches" -s dp-tetra -w life --memory strip --baseline none
    rejects "a multiple of 16, at most 64" -s bb-tetra -w life --memory strip --tile 80 --baseline none
    rejects "--cell: no selected workload takes it" \
        -w dummy,edm4 --cell u8
    rejects "--baseline bb-tetra: no selected run is 3D" -w edm1 -s ltm --baseline bb-tetra -o "$work/out.json"
    rejects "--steps: no selected workload takes it" -w edm1 --steps 3
    rejects "--set rule: no selected workload takes it" -w edm1 --set rule=2333
    rejects "--set density: no selected workload takes it" -w write --set density=0.5 \
        -o "$work/out.json"
    rejects "--set domain=square: edm1" -w edm1 --set domain=square
    rejects "--cutoff: no selected strategy takes it" -s bb,ltm --cutoff 8
}

@test "a dump that cannot be written is rejected before the first run" {
    rejects --dump --engine cpu -s ltm -w edm4 -n 64 --dump "$work/no/such/folder.npy"
    rejects --dump --engine cpu -s ltm -w edm4 -n 64 --dump /proc/out.npy
}

@test "inputs that are not there or not what they should be" {
    rejects --input --engine cpu -w edm4 --input "$work/none.csv"
    rejects --input --engine cpu -w edm4 --input "$BATS_TEST_TMPDIR"
    printf '1,2,3,4\n' >"$BATS_TEST_TMPDIR/data.txt"
    rejects --input --engine cpu -w edm4 --input "$BATS_TEST_TMPDIR/data.txt"
}

rejects_csv() { # EXPECTED CONTENT
    printf '%b' "$2" >"$BATS_TEST_TMPDIR/bad.csv"
    rejects "$1" --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/bad.csv" --output "$work/out.json"
}

@test "a bad CSV is rejected with line and column" {
    rejects_csv 'line 2, column 2' '1,2\n3,x\n'
    rejects_csv 'line 3' '1,2\n3,4\n5\n'
    rejects_csv 'line 2' '1,2\n3,4,5\n'
    rejects_csv 'line 1, column 2' '1,nan\n'
    rejects_csv 'line 1, column 1' 'inf,1\n'
    rejects_csv 'line 2, column 1' '1,2\n,4\n'
    rejects_csv 'line 1, column 1' '1e99,2\n'
    rejects_csv --input ''
    rejects_csv --input 'a,b\n'
}

rejects_npy() { # EXPECTED NUMPY-EXPRESSION
    "$PYTHON" -c 'import sys, numpy as np; np.save(sys.argv[1], eval(sys.argv[2]))' "$BATS_TEST_TMPDIR/bad.npy" "$2"
    rejects "$1" --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/bad.npy" --output "$work/out.json"
}

@test "a .npy of the wrong kind is rejected with the reason" {
    rejects_npy dtype 'np.ones((4, 2), "<i8")'
    rejects_npy big-endian 'np.ones((4, 2), ">f4")'
    rejects_npy shape 'np.ones((2, 4), "<f4")'
    rejects_npy shape 'np.ones(3, "<f4")'
    rejects_npy rows 'np.ones((0, 2), "<f4")'
    rejects_npy 'row 1, column 1' 'np.array([[1, 2], [3, np.nan]], "<f4")'
    rejects_npy 'row 0, column 0' 'np.array([[np.inf, 2]], "<f4")'
}

@test "an image whose sums would be infinite is rejected with the place" {
    local image="$BATS_TEST_TMPDIR/image.npy"
    "$PYTHON" -c 'import sys, numpy as np; a = np.ones((9, 9), "f4"); a[7, 3] = -3.4e38; np.save(sys.argv[1], a)' \
        "$image"
    for workload in blur dog extrema water; do
        rejects "row 7, column 3: -3.4e+38 is beyond 1e+37" --engine cpu -s bb -w "$workload" --input "$image"
    done
}

@test "a .npy that was cut off is rejected" {
    "$PYTHON" -c 'import sys, numpy as np; np.save(sys.argv[1], np.ones((4, 2), "<f4"))' "$BATS_TEST_TMPDIR/cut.npy"
    truncate -s -3 "$BATS_TEST_TMPDIR/cut.npy"
    rejects --input --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/cut.npy"
    printf '\x93NUMPY' >"$BATS_TEST_TMPDIR/cut.npy"
    rejects --input --engine cpu -s ltm -w edm2 --input "$BATS_TEST_TMPDIR/cut.npy"
}

rejects_points() { # WORDS WORKLOAD STRATEGY CSV
    printf '%b' "$4" >"$BATS_TEST_TMPDIR/points.csv"
    rejects "$1" --engine cpu -s "$3" -w "$2" --input "$BATS_TEST_TMPDIR/points.csv" --output "$work/out.json"
}

@test "points that float32 cannot compute with" {
    rejects_points "point 1 is so far from others" edm1 bb '3e38\n0\n-3e38\n'
    rejects_points "point 3 is so far from others" edm2 bb '0,0\n1.4e19,0\n0,1.4e19\n'
    rejects_points "point 2 has a radius below 0" collision bb '0,0,0,1\n1,0,0,-1\n'
    rejects_points "point 3 is so large, or so far" collision bb '0,0,0,1\n1,0,0,1\n0,0,2e19,1\n'
    rejects_points "point 1 is so large, or so far" collision bb '0,0,0,1e19\n1,0,0,1\n'
    rejects_points "point 4 is where another particle is" triplet bb-tetra '1,2,0\n-0,0,0\n1,0,2\n0,0,-0\n'
}

@test "--n beside an input has to be its size" {
    rejects --n --engine cpu -s ltm -w edm4 --input tests/data/iris.csv -n 100
}

@test "a resume file that is no result" {
    echo 'not json' >"$BATS_TEST_TMPDIR/bad.jsonl"
    rejects --resume --engine cpu --resume "$BATS_TEST_TMPDIR/bad.jsonl"
    rejects --resume --engine cpu --resume "$BATS_TEST_TMPDIR"
    mkfifo "$BATS_TEST_TMPDIR/pipe"
    for file in /dev/full /dev/zero /dev/null "$BATS_TEST_TMPDIR/pipe"; do
        (ulimit -v 4000000 && rejects "'$file' is a device or a pipe" --engine cpu --resume "$file")
    done
}
