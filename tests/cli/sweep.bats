#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031,SC2054,SC2317  # bats runs each test in a subshell; lists of names have commas
# Sweeps that are cut in shards, resumed, interrupted, given up, watched.

setup() {
    TRIBENCH=${TRIBENCH:-$PWD/tribench}
    SCHEMA_CHECK=$PWD/tests/schema_check.py
    cd "$BATS_TEST_TMPDIR" || return
    quick=(--engine cpu --threads 1 --samples 6 --warmup 0)
    sweep=("${quick[@]}" --n 32:256:32 --strategy bb,ltm-r,rec,utm,rb --workload dummy)
    endless=(--engine cpu --threads 1 --n 512:2048:512 --samples 100000 --max-time 600)
}

valid() { # FILE...: against the schema where Python can, else only that there is something
    if "${PYTHON:-python3}" -c 'import jsonschema' 2>/dev/null; then
        "${PYTHON:-python3}" "$SCHEMA_CHECK" "$@"
    else
        [ -s "$1" ]
    fi
}

keys() { # STATUS FILE...
    local status=$1
    shift
    cat "$@" | grep '"type":"run"' | grep "\"status\":\"$status\"" | sed 's/.*"key":"\([^"]*\)".*/\1/' | sort
}

planned() {
    "$TRIBENCH" "$@" --quiet --dry-run --format jsonl >planned.jsonl
    keys planned planned.jsonl
}

# Starts $TRIBENCH in the background, as $pid, and returns once it takes samples.
start() {
    rm -f out err
    "$TRIBENCH" "$@" -v >out 2>err 3>&- & # bats waits for whoever holds its descriptor 3
    pid=$!
    local i
    for i in {1..200}; do
        if grep -sq ': warm up$' err; then
            return
        fi
        sleep 0.05
    done
    return 1
}

# Ends $pid with a signal; its exit status in $status, the time it took in $took_ms.
stop_with() {
    local start=$EPOCHREALTIME end
    kill -"$1" "$pid"
    status=0
    wait "$pid" || status=$?
    end=$EPOCHREALTIME
    took_ms=$(((${end/./} - ${start/./}) / 1000))
}

@test "shards together are the sweep, and each run has its improvement" {
    for i in 0 1 2 3; do
        "$TRIBENCH" "${sweep[@]}" --quiet --shard "$i/4" --format jsonl --output "shard$i.jsonl"
    done
    diff <(planned "${sweep[@]}") <(keys ok shard?.jsonl)
    [ "$(grep -c '"type":"run".*"strategy":"[^b].*"improvement":null' shard0.jsonl)" -eq 0 ]
    valid shard?.jsonl
}

@test "a sweep that is through has nothing left to do" {
    "$TRIBENCH" "${sweep[@]}" --format jsonl --output all.jsonl 2>err
    [ "$(grep -c '^\[[0-9]*/40\] cpu/dummy/' err)" -eq 40 ] # a line per run where stderr is no terminal
    keys ok all.jsonl >before
    "$TRIBENCH" "${sweep[@]}" --resume all.jsonl --output all.jsonl 2>err
    diff before <(keys ok all.jsonl)
    [ "$(cat err)" = "tribench: 40 of 40 runs are done in 'all.jsonl'" ]
}

@test "a torn last line is cut off and its run done again" {
    few=("${sweep[@]}" --quiet --n 32,64)
    "$TRIBENCH" "${few[@]}" --format jsonl --output all.jsonl
    keys ok all.jsonl >expected
    footer=$(tail -n 1 all.jsonl | wc -c)
    whole=$(wc -c <all.jsonl)
    for cut in 1 2 40 $((footer - 1)) "$footer" $((footer + 1)) 400 2000 $((whole - 14)); do # in the header
        cp all.jsonl torn.jsonl
        truncate -s "-$cut" torn.jsonl
        "$TRIBENCH" "${few[@]}" --resume torn.jsonl --output torn.jsonl
        diff expected <(keys ok torn.jsonl)
        valid torn.jsonl
    done
}

@test "--resume without --output writes the rest to standard output, and --dry-run plans it" {
    "$TRIBENCH" "${sweep[@]}" --quiet --n 32 --format jsonl --output part.jsonl
    cp part.jsonl before.jsonl
    rest=("${sweep[@]}" --quiet --n 32,64 --resume part.jsonl)
    "$TRIBENCH" "${rest[@]}" --format jsonl >rest.jsonl
    valid rest.jsonl
    diff <(planned "${rest[@]}") <(keys ok rest.jsonl)
    [ "$(keys ok rest.jsonl | grep -c /n64/)" -eq 5 ]
    [ "$(keys ok rest.jsonl | wc -l)" -eq 5 ]
    run "$TRIBENCH" "${sweep[@]}" --dry-run --resume part.jsonl --output part.jsonl --format jsonl
    [ "$status" -eq 2 ]
    cmp part.jsonl before.jsonl
}

@test "a run given up after --timeout has failed with its reason, and --resume tries it again" {
    slow=("${quick[@]}" --quiet --n 64,6000 --strategy utm --baseline none --resume slow.jsonl --output slow.jsonl)
    status=0
    "$TRIBENCH" "${slow[@]}" --timeout 0.1 2>err || status=$?
    [ "$status" -eq 1 ]
    [ "$(keys ok slow.jsonl)" = cpu/dummy/utm/n64/b16x16/t16/packed/seed1/threads1 ]
    [ "$(keys failed slow.jsonl)" = cpu/dummy/utm/n6000/b16x16/t16/packed/seed1/threads1 ]
    grep -q '"reason":"did not finish within --timeout 0.1 s' slow.jsonl
    "$TRIBENCH" "${slow[@]}" --verify none
    [ "$(keys ok slow.jsonl | wc -l)" -eq 2 ]
    [ "$(keys ok slow.jsonl | uniq -d | wc -l)" -eq 0 ]
    valid slow.jsonl
}

@test "a skipped run gives its reason, once" {
    all=("${quick[@]}" --quiet --n 64 --strategy all --workload dummy --resume all.jsonl --output all.jsonl)
    "$TRIBENCH" "${all[@]}" --tile 32
    [ "$(keys skipped all.jsonl | wc -l)" -gt 0 ]
    [ "$(grep -c '"status":"skipped","reason":null' all.jsonl)" -eq 0 ]
    keys skipped all.jsonl >before
    "$TRIBENCH" "${all[@]}" --tile 32
    diff before <(keys skipped all.jsonl)
}

@test "a killed sweep leaves no worker behind" {
    start "${endless[@]}"
    worker=$(pgrep -P "$pid")
    stop_with KILL
    for _ in {1..100}; do
        if [ ! -e "/proc/$worker" ] || grep -sq '^State:.Z' "/proc/$worker/status"; then
            return 0
        fi
        sleep 0.02
    done
    return 1
}

@test "SIGINT ends with 130 and SIGTERM with 143, within two seconds, with a whole json document" {
    for signal in INT:130 TERM:143; do
        start "${endless[@]}"
        stop_with "${signal%:*}"
        [ "$status" -eq "${signal#*:}" ]
        [ "$took_ms" -lt 2000 ]
        valid out
        [ "$(grep -c '"status":"interrupted","reason":"interrupted"' out)" -eq 6 ]
        grep -q "stopped by SIG${signal%:*}" err
    done
}

@test "an interrupted jsonl file is resumed, and what was finished stays" {
    # The first size is quick, the second never ends.
    two=(--engine cpu --threads 1 --strategy ltm-r --baseline none --workload dummy
        --resume two.jsonl --output two.jsonl)
    "$TRIBENCH" "${two[@]}" --n 64 --samples 6 --quiet
    start "${two[@]}" --n 64,2048 --samples 100000 --max-time 600
    stop_with TERM
    [ "$status" -eq 143 ]
    [ "$(keys interrupted two.jsonl)" = cpu/dummy/ltm-r/n2048/b16x16/t16/packed/seed1/threads1 ]
    [ "$(keys ok two.jsonl)" = cpu/dummy/ltm-r/n64/b16x16/t16/packed/seed1/threads1 ]
    "$TRIBENCH" "${two[@]}" --n 64,2048 --samples 6 --quiet
    [ "$(keys ok two.jsonl | wc -l)" -eq 2 ]
    valid two.jsonl
}

@test "stopped before the device is open: a whole document without runs, or no file" {
    for delay in 0.01 0.05 0.1; do
        # Shells make background jobs ignore SIGINT, so one sent before tribench catches it would be lost.
        env --default-signal=INT "$TRIBENCH" "${endless[@]}" --output early.json 2>err 3>&- &
        pid=$!
        until [ "$(cat "/proc/$pid/comm")" = tribench ]; do # on a busy machine env may take longer than the delay
            sleep 0.002
        done
        sleep "$delay"
        stop_with INT
        [ "$took_ms" -lt 2000 ]
        [ ! -e early.json ] || valid early.json
        [ -z "$(find . -name '.tribench-*')" ]
    done
}

@test "a reader that waits for longer than --timeout loses nothing" {
    "$TRIBENCH" "${quick[@]}" -q --n 32:320:4 --strategy bb,ltm-i,rb --timeout 1 -f jsonl |
        (sleep 2.5 && cat) >late.jsonl
    [ "${PIPESTATUS[0]}" -eq 0 ]
    [ "$(wc -c <late.jsonl)" -gt 200000 ] # more than a pipe holds
    [ "$(keys ok late.jsonl | wc -l)" -eq 219 ]
}
