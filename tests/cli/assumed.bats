#!/usr/bin/env bats
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers
# --engine auto assumes that its first engine is usable. tests/engine_gone has one that seems so and does not open.

load helpers

setup() {
    TRIBENCH=${TRIBENCH%/*}/tests/tribench_gone
    small=(-w write --threads 1 -n 64 --samples 2 --warmup 0)
    fallen='on the cpu engine: the device has fallen off the bus'
    cd "$BATS_TEST_TMPDIR" || return
}

engines_of() { # FILE: of each run
    stdout=$1
    value_of '[r["engine"] for r in d["runs"]]'
}

@test "an engine that does not open is replaced, and every output is as on the other" {
    run_tribench "${small[@]}" -s bb,ltm -o one.json -o one.csv -o one.jsonl
    expect_status 0
    [ "$(engines_of one.json)" = "['cpu', 'cpu']" ] || fails "not on the cpu engine"
    [ "$(grep -c '"type":"header"' one.jsonl)" -eq 1 ] || fails "not one document"
    (cd "$OLDPWD" && fits_schema "$BATS_TEST_TMPDIR/one.json" && fits_schema "$BATS_TEST_TMPDIR/one.jsonl")
    [ "$(wc -l <one.csv)" -eq 3 ] || fails "not two rows"
    [ "$(find . -name '.?*')" = '' ] || fails "left a file"
    ! grep -q gone "$stderr" || fails "speaks of an engine that nobody asked for"
}

@test "only --verbose says why, once, before all else" {
    run_tribench "${small[@]}" -s bb --quiet
    [ ! -s "$stderr" ] || fails "not quiet"
    run_tribench "${small[@]}" -s bb,ltm-tetra --verbose
    [[ $(head -1 "$stderr") == *"$fallen" ]] || fails "not the first line"
    [ "$(grep -c 'fallen off' "$stderr")" -eq 1 ] || fails "said twice"
}

@test "outputs that can be opened only once" {
    seq 1 128 | paste -sd' \n' | tr ' ' , >points.csv
    "$TRIBENCH" --engine cpu "${small[@]}" -s bb -w edm2 --input points.csv --dump expected.npy -q -o one.json
    mkfifo out.json dump.npy
    cat out.json >got.json &
    cat dump.npy >got.npy &
    run_tribench "${small[@]}" -s bb -w edm2 --input points.csv --dump dump.npy -o out.json
    wait
    expect_status 0
    cmp got.npy expected.npy
    [ "$(engines_of got.json)" = "['cpu']" ] || fails "not one whole document"
}

@test "--resume, --tune and --shard count the runs of the engine that runs" {
    for _ in first second; do
        run_tribench "${small[@]}" -s bb,ltm --resume all.jsonl -o all.jsonl
        expect_status 0
    done
    [ "$(grep -c '"type":"run"' all.jsonl)" -eq 2 ] || fails "not resumed"
    [ "$(cat "$stderr")" = "tribench: 2 of 2 runs are done in 'all.jsonl'" ] || fails "does not say so once"
    run_tribench "${small[@]}" -n 64,128 -s bb --shard 1/2 -o shard.json
    [ "$(engines_of shard.json)" = "['cpu']" ] || fails "not half of the sweep"
    run_tribench "${small[@]}" -s bb --tune -b 8,16 --tile 16 -o tuned.json
    expect_status 0
    [ "$(engines_of tuned.json)" = "['cpu', 'cpu']" ] || fails "not on the cpu engine"
}

@test "what only the engine that runs can do is planned, and what it cannot do is rejected" {
    run_tribench "${small[@]}" -s dp --quiet # trees, which the first engine does not have
    expect_status 0
    rejects 'missing.csv: cannot be read' "${small[@]}" -s bb -w edm1 --input missing.csv
}

@test "--dry-run, --check-maps and --list tell what is, not what seems" {
    run_tribench "${small[@]}" -s bb --dry-run --format json
    [ "$(value_of '{r["key"].split("/")[0] for r in d["runs"]}')" = "{'cpu'}" ] || fails "planned for another engine"
    run_tribench --check-maps=8 -s bb
    expect_status 0
    run_tribench --list engines
    grep -q 'does not open; not here: the device has fallen off the bus' "$stdout" || fails "lists it as usable"
}

@test "an engine that is usable and does not open is an error, as one that was named" {
    GONE_BUSY=1 run_tribench "${small[@]}" -s bb -o one.json
    expect_status 4
    [ "$(cat "$stderr")" = 'tribench: the device does not open' ] || fails "another message"
    run_tribench --engine gone "${small[@]}" -s bb -o one.json
    expect_status 4
    [ ! -e one.json ] || fails "left a file"
}
