#!/usr/bin/env bats
# Maps of whole rows, and workloads that compute along them.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers
load helpers

maps=rows,rows-lpt,rows-fold,rows-list

runs() { # ARGUMENT...
    run_tribench "${quick[@]}" "$@"
    expect_status 0
    equals '{(r["status"], r["verified"]["status"]) for r in d["runs"]}' "{('ok', 'pass')}"
}

@test "rows of a batch: what is launched, and in which sections" {
    runs -s $maps -w rowsum --tile 32 --set batch=5
    equals '[(r["group"], *(r["launch"][k] for k in ("blocks", "blocks_wasted", "cells"))) for r in d["runs"]]' \
        "[(1, 20, 0, 500), (5, 20, 0, 500), (5, 10, 0, 500), (5, 20, 0, 500)]"
    equals '{r["key"].split("/seed1/")[1] for r in d["runs"]}' "{'batch5/threads2'}"
    runs -s rows-lpt -w rowsum --tile 32 --set batch=5,group=1,2,9
    equals '[(r["group"], r["key"].split("/seed1/")[1]) for r in d["runs"]]' \
        "[(1, 'group1/batch5/threads2'), (2, 'group2/batch5/threads2'), (5, 'batch5/threads2')]"
    runs -s $maps -w rowsum --tile 32 # a triangle alone has no sections
    equals '{(r["group"], r["parameters"]["batch"]) for r in d["runs"]}' "{(None, 1)}"
    run_tribench "${quick[@]}" -s rows-lpt -w rowsum --tune --set batch=6 --baseline none
    expect_status 0
    equals 'sorted({r["group"] for r in d["runs"]})' '[1, 4, 6]'
}

@test "rows in the order of a table: each order is a run beside the others" {
    runs -s rows-lpt,rows-list -w rowsum --tile 32 --set batch=5,group=2,order=shift,descending
    equals '[(r["strategy"], r["order"]) for r in d["runs"]]' \
        "[('rows-lpt', None), ('rows-list', 'descending'), ('rows-list', 'shift')]"
    equals '{r["key"].split("/seed1/")[1] for r in d["runs"]} - {"group2/batch5/threads2"}' \
        "{'group2/shift/batch5/threads2'}"
    run_tribench "${quick[@]}" -s rows-list -w rowsum --set order=shift,ascending --baseline rows-list --format table
    grep -q '^ *rows-list/ascending ' "$stdout"
    grep -q '^ *rows-list/shift ' "$stdout"
    run_tribench -s rows-list --show -b 1 -n 3 --set order=ascending
    grep -qx ' 2 2 2' "$stdout"
    rejects "--set order: expected one of descending|ascending|shift, got 'shif', did you mean 'shift'?" \
        -s rows-list --set order=shif
    rejects "--set order: no selected strategy takes it" "${quick[@]}" -s rows -w rowsum --set order=shift
}

@test "an order from a file: beside the others, of as many rows of tiles as the run has" {
    local order=$BATS_TEST_TMPDIR/order.csv
    printf '2\n0\n1\n' >"$order"
    runs -s rows-list -w rowsum -n 70 --tile 32 --set batch=3,order=shift,table="$order"
    equals '[r["order"] for r in d["runs"]]' "['shift', 'given']"
    equals 'd["runs"][1]["key"].split("/seed1/")[1].split("/")[:2]' "['given', 'batch3']"
    equals '[d["runs"][1]["key"].split("/table-")[1][:-32]]' "['order.csv-']"
    rejects "--set table: the file has 3 rows, and N = 100 has 4 rows of tiles" \
        "${quick[@]}" -s rows-list -w rowsum --tile 32 --set table="$order"
    rejects "--set table: no selected strategy takes it" "${quick[@]}" -s rows -w rowsum --set table="$order"
    rejects "--set table and lengths: leave --show out: they go with a run only" \
        -s rows-list --show --set table="$order"
    printf '2\n0\n2\n' >"$order"
    rejects "row 3: expected each of 0..2 once, got 2" "${quick[@]}" -s rows-list -w rowsum --set table="$order"
    printf '3\n0\n1\n' >"$order"
    rejects "row 1: expected each of 0..2 once, got 3" "${quick[@]}" -s rows-list -w rowsum --set table="$order"
}

@test "sequences of several lengths: rows that one lacks have no blocks, and are not checked" {
    local lengths=$BATS_TEST_TMPDIR/lengths.csv
    printf '70\n1\n32\n33\n' >"$lengths"
    runs -s rows-list -w rowsum,attention -n 70 --set batch=4,heads=2,order=descending,shift,lengths="$lengths"
    equals '[[r["launch"][k] for k in ("blocks", "blocks_wasted", "cells")] for r in d["runs"]]' \
        '[[4, 0, 136], [4, 0, 136], [8, 0, 272], [8, 0, 272]]'
    equals '{r["key"].split("/threads2/")[1][:-32] for r in d["runs"]}' "{'lengths-lengths.csv-'}"
    runs -s rows-list -w rowsum -n 70 --tile 32 --set batch=4,lengths="$lengths" --dump "$BATS_TEST_TMPDIR/out.npy"
    equals '[r["launch"]["blocks"] for r in d["runs"]]' '[7]'
    "$PYTHON" - "$BATS_TEST_TMPDIR/out.npy" <<'END'
import sys, numpy
written = ~numpy.isnan(numpy.load(sys.argv[1]).reshape(4, 70))
# whole tiles of 32 rows
assert written.sum(axis=1).tolist() == [70, 32, 32, 64]
END
    rejects "--set lengths: rows takes triangles of N rows only" \
        "${quick[@]}" -s rows -w rowsum --set batch=4,lengths="$lengths"
    rejects "--set lengths: edm1 has no sequences" "${quick[@]}" -s rows-list -w edm1 --set lengths="$lengths"
    rejects "--set lengths: the file has 4 sequences, and batch is 1" \
        "${quick[@]}" -s rows-list -w rowsum --set lengths="$lengths"
    rejects "--set lengths: a sequence is longer than N = 69" \
        "${quick[@]}" -s rows-list -w rowsum -n 69 --set batch=4,lengths="$lengths"
    rejects "--set lengths: is for --set mask=causal" \
        "${quick[@]}" -s rows-list -w attention --set batch=4,mask=full,lengths="$lengths"
    printf '70\n1.5\n' >"$lengths"
    rejects "row 2: expected a whole number from 1 to 1048576, got 1.5" \
        "${quick[@]}" -s rows-list -w rowsum --set batch=2,lengths="$lengths"
}

@test "cells under maps of whole rows, of every size" {
    runs -s $maps -w cover,write,edm3,collision,gram,accumulate -n 1,2,31,33,100 -b 8 --tile 8,24 --kernel cell,loop
    runs -s $maps -w cover -n 100 --layout full --kernel loop --tile 32
}

@test "without -s, the maps that a workload can run under" {
    runs -w rowsum -n 70
    equals '[r["strategy"] for r in d["runs"]]' "['rows', 'rows-lpt', 'rows-fold', 'rows-list']"
    runs -w triplet -n 9
    equals '{r["verified"]["status"] for r in d["runs"]}' "{'pass'}"
}

@test "what goes with whole rows, and why all else does not" {
    rejects "rowsum computes whole rows, and ltm-i deals out tiles: use --strategy 'rows*'" \
        "${quick[@]}" -s ltm-i -w rowsum
    rejects "rows deals out whole rows, and life has no kernel that goes along one" "${quick[@]}" -s rows -w life
    rejects "--layout blocked stores tile after tile, and rows has tiles of whole rows" \
        "${quick[@]}" -s rows -w write --layout blocked
    rejects "--kernel tile: rows deals out whole rows, and the tile kernel of edm1 takes tiles" \
        "${quick[@]}" -s rows -w edm1 --kernel tile
    rejects "--kernel cell: rowsum --kernel tile works on whole tiles, use --kernel tile" \
        "${quick[@]}" -s rows -w rowsum --kernel cell
    rejects "--set batch: expected a whole number in 1..4096, got '4097'" \
        "${quick[@]}" -s rows -w rowsum --set batch=4097
    rejects "--tile 40: rowsum --kernel tile needs a multiple of 32, at most 128" \
        "${quick[@]}" -s rows -w rowsum --tile 40
    rejects "rows numbers rows of tiles in 32 bits, and 8192 in each of 4194304 triangles are too many" \
        "${quick[@]}" -s rows -w attention -n 1048576 --set heads=1024,batch=4096 --dry-run
    rejects "--tile 256x128: gram takes such tiles only with --kernel tile" "${quick[@]}" -s bb -w gram --tile 256x128
    "$PYTHON" -c 'print(*["1.5"] + ["1"] * 63, sep=","); print(*["1"] * 64, sep=",")' >"$BATS_TEST_TMPDIR/in.csv"
    rejects "expected N rows for each of 4 matrices, got 2" \
        "${quick[@]}" -s rows -w attention --set heads=2,kv-heads=1,dim=64 --input "$BATS_TEST_TMPDIR/in.csv"
    "$PYTHON" -c 'for row in range(3): print(*[9e4] * 64, sep=",")' >"$BATS_TEST_TMPDIR/large.csv"
    one=("${quick[@]:0:5}" --samples 2 -s rows -w attention --input "$BATS_TEST_TMPDIR/large.csv"
        --set "heads=1,dim=64")
    run_tribench "${one[@]}"
    expect_status 0
    rejects "row 0 has a number beyond 65504" "${one[@]}" --set operand=f16
    rejects "row 0 has a number beyond 1" "${quick[@]}" -s rows -w rowsum --input "$BATS_TEST_TMPDIR/in.csv"
}
