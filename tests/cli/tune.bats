#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031,SC2154  # bats runs each test in a subshell; helpers.bash sets the streams
# --tune: a sweep that drops what is slow, its summary, and that it continues where it stopped.

load helpers

setup() {
    few=(--tune --engine cpu --threads 1 --n 100 --samples 7 --max-time 0.05 --block '8,16,32x8' --tile '32,64,96,128'
        --kernel loop --schedule grid --strategy 'bb,rb-b' --workload edm1)
    work=$BATS_TEST_TMPDIR/work
    mkdir -p "$work"
}

runs_with() { # STATUS FILE
    grep -c "\"type\":\"run\".*\"status\":\"$1\"" "$2" || true
}

@test "the last few of each search are runs like any other, and a summary names the fastest of each map" {
    run_tribench "${few[@]}" -o "$work/out.json" -o "$work/out.csv" -o -:table
    expect_status 0
    [ "$(grep -cE '^  (bb|rb-b) .* pass' "$stdout")" -eq 10 ]
    [ "$(grep -cE ' -b [0-9x]+ --tile [0-9]+ --kernel loop' "$stdout")" -eq 10 ]
    [ "$(wc -l <"$work/out.csv")" -eq 25 ]
    stdout=$work/out.json
    fits_schema "$stdout"
    [ "$(value_of 'len(d["runs"]), len({r["key"] for r in d["runs"]})')" = '(24, 24)' ]
    [ "$(value_of '[sum(r["strategy"] == s and r["status"] == "ok" for r in d["runs"]) for s in ("bb", "rb-b")]')" = \
        '[5, 5]' ]
    [ "$(value_of '{(r["status"], r["verified"]["status"], r["reason"] is None) for r in d["runs"]} == {
        ("ok", "pass", True), ("dropped", "none", False)}')" = True ]
    [ "$(value_of 'all(r["samples"]["count"] == 7 for r in d["runs"] if r["status"] == "ok")')" = True ]
    # the summary is the end, the fastest map first; what was tried is not told unless asked for
    best=$(value_of '(lambda r: "{} -b {}x{} --tile {}".format(r["strategy"], *r["block"][:2], r["tile"]))(
        min((r for r in d["runs"] if r["time_ms"]), key=lambda r: (r["status"] != "ok", r["time_ms"]["median"])))')
    grep -q '^24 runs in [0-9]* s: 10 ok, 10 verified, 14 dropped$' "$stderr"
    [ "$(grep -c '^  edm1       2D       100 .* -b [0-9x]* --tile [0-9]* --kernel loop$' "$stderr")" -eq 2 ]
    grep '^  edm1 ' "$stderr" | head -n 1 | grep -q " ${best%% *} .* ${best#* } "
    [ "$(grep -cE ' bb +1\.000 ' "$stderr")" -eq 1 ] && grep -qE ' rb-b +[0-9]+\.[0-9]{3} ' "$stderr" # I
    grep -nE '^12 of 24 runs, [0-9]+ s, about [0-9]+ s left$' "$stderr" | grep -q '^1:'
    [ "$(tail -n 3 "$stderr" | cut -c 1-12)" = $'  workload  \n  edm1      \n  edm1      ' ]
    [ "$(wc -l <"$stderr")" -eq 5 ]
    run_tribench "${few[@]}" -v -o "$work/out.json"
    [ "$(grep -c '^\[[0-9]*/24\] ' "$stderr")" -eq 10 ]
    run_tribench "${few[@]}" --quiet -o "$work/quiet.json"
    [ ! -s "$stderr" ]
}

@test "a dry run lists what there is to try" {
    run_tribench "${few[@]}" --dry-run
    expect_status 0
    [ "$(grep -c '^cpu/edm1/' "$stdout")" -eq 24 ]
    run_tribench "${few[@]}" --dry-run --format json
    expect_status 0
    fits_schema "$stdout"
    [ "$(value_of 'len(d["runs"])')" = 24 ]
    run_tribench "${few[@]}" --dry-run --shard 1/2
    [ "$(grep -c '^cpu/edm1/' "$stdout")" -eq 12 ]
}

@test "a search goes on where it stopped, and one that is done is not made again" {
    local all=$work/all.jsonl torn=$work/torn.jsonl
    few+=(--quiet)
    "$TRIBENCH" "${few[@]}" --output "$all" --format jsonl
    fits_schema "$all"
    [ "$(runs_with ok "$all")" -eq 10 ]
    [ "$(runs_with dropped "$all")" -eq 14 ]
    head -n 13 "$all" >"$torn" # the header and the first search
    "$TRIBENCH" "${few[@]}" --resume "$torn" --output "$torn"
    fits_schema "$torn"
    [ "$(grep -c '"type":"run"' "$torn")" -eq 24 ]
    "$TRIBENCH" "${few[@]}" --resume "$torn" --output "$torn"
    [ "$(grep -c '"type":"run"' "$torn")" -eq 24 ]
    # a sweep of the same runs measures those that were dropped
    "$TRIBENCH" "${few[@]:1}" --baseline none --samples 2 --resume "$torn" --output "$torn"
    [ "$(runs_with ok "$torn")" -eq 24 ]
}

@test "of an automaton, runs of several storages race" {
    run_tribench --tune --quiet --engine cpu --threads 1 --n 40 --steps 30 --samples 3 --max-time 0.02 --block 16 \
        --strategy bb --workload life --cell u8,bit
    expect_status 0
    [ "$(value_of 'sum(r["verified"]["status"] == "pass" for r in d["runs"] if r["status"] == "ok")')" = 5 ]
    [ "$(value_of 'sorted({r["parameters"]["cell"] for r in d["runs"] if r["time_ms"]})')" = "['bit', 'u8']" ]
}

@test "where nothing that is tried has room, the exit status is that of memory" {
    run_tribench --tune --quiet --engine cpu --strategy bb --workload edm1 --n 1000000 --block 16 --tile 64
    expect_status 5
    [ "$(value_of '[" TB and " in r["reason"] for r in d["runs"]]')" = '[True]' ]
}

# At one cell per tile ltm-n is beyond its range here, at two it is not.
@test "a wrong result does not win, and the exit status tells of it" {
    run_tribench --tune --quiet --engine cpu --strategy ltm-n --workload cover --n 2048 --block 1,2 --kernel cell \
        --verify beyond --samples 1 --max-time 0.02
    expect_status 3
    fits_schema "$stdout"
    [ "$(value_of '[(r["block"][0], r["status"], r["verified"]["status"]) for r in d["runs"]]')" = \
        "[(1, 'failed', 'fail'), (2, 'ok', 'pass')]" ]
}
