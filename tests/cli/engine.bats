#!/usr/bin/env bats
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers
# An engine is a folder and a table row. A program with tests/engine_null in the table knows that engine everywhere.

load helpers

setup() {
    TRIBENCH=${TRIBENCH%/*}/tests/tribench_null
    null=(--quiet --engine null --n 64 --samples 6)
}

@test "an engine costs a folder, an include and a row" {
    run diff engine/options/engines.c tests/engine_null/engines.c
    [ "$(grep -c '^>' <<<"$output")" -eq 2 ]
    [ "$(grep -c '^<' <<<"$output")" -eq 0 ]
    [ "$(cat tests/engine_null/* | wc -l)" -le 150 ]
}

@test "nothing of the program knows an engine by name but its folder and the table" {
    run grep -rlE 'td_(cuda|cpu|null)_ops|engine/(cuda|cpu)/' main.c run report engine --include='*.[ch]'
    # compile/ makes the host's half of a workload from a file, which the cpu engine runs
    others=$(grep -vE '^engine/(cuda|cpu|compile)/' <<<"$output")
    [ "$others" = engine/options/engines.c ] || { echo "$others" && false; }
}

@test "--list engines has it, and says what it can do" {
    run_tribench --list engines
    expect_status 0
    grep -qE '^null +host +- +- +- +- +executes nothing' "$stdout" || fails "not as its row says"
    run_tribench --list engines --format json
    [ "$(value_of '[e["name"] for e in d]')" = "['cuda', 'cpu', 'null']" ] || fails "not the table's order"
    [ "$(value_of '[e["trees"] for e in d]')" = "[True, True, False]" ] || fails "not the table's facts"
}

@test "--help and messages have its name" {
    run_tribench --help=all
    grep -q 'auto|cuda|cpu|null' "$stdout" || fails "not in the help"
    rejects 'auto|cuda|cpu|null' --engine nil
    rejects "did you mean 'null'" --engine nul
}

@test "a sweep of everything is whole and valid: unverified, in no time, at no rate" {
    for format in json jsonl; do
        run_tribench "${null[@]}" -s all -w all --format "$format"
        expect_status 0
        fits_schema "$stdout"
    done
    run_tribench "${null[@]}" -s all -w all
    [ "$(value_of '{r["engine"] for r in d["runs"]}')" = "{'null'}" ] || fails "not on the null engine"
    [ "$(value_of '{r["verified"]["status"] for r in d["runs"]}')" = "{'none'}" ] || fails "said to be verified"
    [ "$(value_of '{r["time_ms"]["median"] for r in d["runs"] if r["time_ms"]}')" = "{0}" ] || fails "timed"
    [ "$(value_of '{r["throughput"]["cells_per_s"] for r in d["runs"]}')" = "{None}" ] || fails "at a rate"
    [ "$(value_of 'any(r["improvement"] for r in d["runs"])')" = False ] || fails "an improvement over nothing"
    [ "$(value_of 'all(r["key"].startswith("null/") for r in d["runs"])')" = True ] || fails "keys do not say so"
}

@test "what it cannot do is skipped with a reason, or an error" {
    run_tribench "${null[@]}" -s all
    [ "$(value_of '[r["reason"] for r in d["runs"] if r["strategy"] == "dp"]')" = \
        "['dp: the null engine cannot launch trees of kernels']" ] || fails "no word on trees"
    rejects 'cannot launch trees of kernels' "${null[@]}" -s dp
    run_tribench --engine null --check-maps=8
    expect_status 4
    run_tribench "${null[@]}" -s bb -w edm1 --dump "$BATS_TEST_TMPDIR/nothing.npy"
    expect_status 1
    [ ! -e "$BATS_TEST_TMPDIR/nothing.npy" ] || fails "dumped what nobody computed"
}

@test "--resume does again what nobody verified" {
    file=$BATS_TEST_TMPDIR/r.jsonl
    run_tribench "${null[@]}" -s bb --resume "$file" -o "$file"
    run_tribench "${null[@]}" -s bb --resume "$file" -o "$file"
    [ "$(grep -c '"status":"ok"' "$file")" -eq 2 ] || fails "it counts as done"
}
