#!/usr/bin/env bats
# Rejected command lines and inputs: exit 2, one line that names the error, and no other output.

load helpers

setup() {
    work=$BATS_TEST_TMPDIR/work
    mkdir -p "$work"
}

# tests/unit/bad_options_test.c has every message of the parser, sweep_test.c of combinations that cannot work.
@test "a rejected command line: exit 2, one line on stderr, nothing on stdout, no file" {
    rejects "got '0'" --n 0 --output "$work/out.json"
    rejects "did you mean '--strategy'" --strateggy bb -o "$work/out.json"
    rejects "unexpected argument '8192'" -o "$work/out.json" 8192
    rejects "only one" --list --dry-run
    rejects "exactly one run" --dump "$work/d.npy" -s bb,ltm -w edm4
}

@test "an image whose sums would be infinite is rejected with the place" {
    local image="$BATS_TEST_TMPDIR/image.npy"
    "$PYTHON" -c 'import sys, numpy as np; a = np.ones((9, 9), "f4"); a[7, 3] = -3.4e38; np.save(sys.argv[1], a)' \
        "$image"
    for workload in blur dog extrema water; do
        rejects "row 7, column 3: -3.4e+38 is beyond 1e+37" --engine cpu -s bb -w "$workload" --input "$image"
    done
}

rejects_points() { # WORDS WORKLOAD STRATEGY CSV
    printf '%b' "$4" >"$BATS_TEST_TMPDIR/points.csv"
    rejects "$1" --engine cpu -s "$3" -w "$2" --input "$BATS_TEST_TMPDIR/points.csv" --output "$work/out.json"
}

@test "points that float32 cannot compute with" {
    rejects_points "point 1 is so far from others" edm1 bb '3e38\n0\n-3e38\n'
    rejects_points "point 3 is so far from others" edm2 bb '0,0\n1.4e19,0\n0,1.4e19\n'
    rejects_points "point 2 has a radius below 0" collision bb '0,0,0,1\n1,0,0,-1\n'
    rejects_points "point 3 is so far from others" collision bb '0,0,0,1\n1,0,0,1\n0,0,2e19,1\n'
    rejects_points "point 1 is so large" collision bb '0,0,0,1e19\n1,0,0,1\n'
}

@test "an input that is no regular file" {
    mkfifo "$BATS_TEST_TMPDIR/pipe.csv" "$BATS_TEST_TMPDIR/pipe.npy"
    rejects 'a device or a pipe' --engine cpu -s ltm -w edm4 --input "$BATS_TEST_TMPDIR/pipe.csv"
    rejects 'a device or a pipe' --engine cpu -s ltm -w life --input "$BATS_TEST_TMPDIR/pipe.npy"
    mkdir "$BATS_TEST_TMPDIR/folder.csv"
    rejects 'a directory' --engine cpu -s ltm -w edm4 --input "$BATS_TEST_TMPDIR/folder.csv"
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
        (ulimit -v 4000000 && rejects "'$file' is not a regular file" --engine cpu --resume "$file")
    done
}
