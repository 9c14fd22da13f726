#!/usr/bin/env bats
# --lock-gpu-clocks with a fake of NVIDIA's library, however the sweep ends; and the state of the device in the record.

load helpers


setup() {
    export FAKE_NVML_LOG=$BATS_TEST_TMPDIR/clocks
    null=${TRIBENCH%/*}/tests/tribench_null # where tests/run finds the build
    fake=${null%/*}/fake
    { [ -x "$null" ] && [ -e "$fake/libnvidia-ml.so.1" ]; } || skip "there is no $null, or no library beside it"
    lock=(env LD_LIBRARY_PATH="$fake" "$null" -q --engine null -s bb -w dummy -n 64 --baseline none)
    long=(--samples 1000000 --warmup 0 --max-time 86400)
}

told() { # LINES: what the library was asked to do
    local deadline=$((SECONDS + 10))
    until [ "$(tr '\n' ' ' <"$FAKE_NVML_LOG")" = "$1" ]; do
        [ "$SECONDS" -lt "$deadline" ] || { cat "$FAKE_NVML_LOG" && return 1; }
        sleep 0.05
    done
}

start_long() { # in $sweep; returns when it samples
    rm -f "$BATS_TEST_TMPDIR/err"
    "${lock[@]}" "${long[@]}" -n 64,65,66,67,68,69 -v --lock-gpu-clocks 1500 "$@" >"$BATS_TEST_TMPDIR/out" \
        2>"$BATS_TEST_TMPDIR/err" 3>&- &
    sweep=$!
    until grep -q verify "$BATS_TEST_TMPDIR/err" 2>/dev/null; do
        kill -0 "$sweep" || return
        sleep 0.02
    done
}

@test "clocks are locked for the time of a sweep, and the words mean what NVML takes them for" {
    "${lock[@]}" --lock-gpu-clocks 1500 >"$BATS_TEST_TMPDIR/out"
    told 'lock 1500 unlock '
    "${lock[@]}" --lock-gpu-clocks base >"$BATS_TEST_TMPDIR/out"
    "${lock[@]}" --lock-gpu-clocks max >"$BATS_TEST_TMPDIR/out"
    told "lock 1500 unlock lock $((0xffffff01)) unlock lock $((0xffffff02)) unlock "
}

@test "clocks are given back after a signal, after SIGKILL, and after a worker that hung" {
    for signal in INT TERM HUP KILL; do
        rm -f "$FAKE_NVML_LOG"
        start_long
        kill -"$signal" "$sweep"
        wait "$sweep" || true
        told 'lock 1500 unlock '
    done
    rm -f "$FAKE_NVML_LOG"
    start_long --timeout 1 -n 64
    # the keeper is the one of its two children that has its own session
    for child in $(pgrep -P "$sweep"); do
        [ "$(ps -o sid= -p "$child" | tr -d ' ')" = "$child" ] || kill -STOP "$child"
    done
    status=0
    wait "$sweep" || status=$?
    [ "$status" -eq 1 ]
    grep -q 'did not finish within --timeout' "$BATS_TEST_TMPDIR/out"
    told 'lock 1500 unlock '
}

@test "whoever may not lock clocks is told so, and nothing is measured" {
    export FAKE_NVML_REFUSES=1
    status=0
    "${lock[@]}" --lock-gpu-clocks max -o "$BATS_TEST_TMPDIR/none.json" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    [ "$status" -eq 4 ]
    grep -q 'lock-gpu-clocks max: NVML says Insufficient Permissions' "$BATS_TEST_TMPDIR/err"
    [ ! -e "$BATS_TEST_TMPDIR/none.json" ]
    [ ! -e "$FAKE_NVML_LOG" ]
}

# shellcheck disable=SC2154 # helpers.bash makes quick
@test "--lock-gpu-clocks is rejected where it means nothing" {
    rejects 'no clocks' "${quick[@]}" --lock-gpu-clocks max
    rejects 'no clocks' "${quick[@]}" --lock-gpu-clocks max --resume "$BATS_TEST_TMPDIR/none.jsonl"
    rejects "got 'fast'" "${quick[@]}" --lock-gpu-clocks fast
    rejects "got '0'" "${quick[@]}" --lock-gpu-clocks 0
    rejects 'runs only' --list --lock-gpu-clocks max
}

# TEXT: the state of the device in the first run's record, and the caveats that come from it; the host may be busy
flagged() {
    "${lock[@]}" --samples 2 >"$BATS_TEST_TMPDIR/out"
    local is
    is=$("$PYTHON" -c 'import json, sys
r = json.load(open(sys.argv[1]))["runs"][0]
d = r["device_state"]
print(d["throttled"], d["other_processes"], *sorted({"throttled", "shared"} & set((r["caveats"] or "").split(", "))))' \
        "$BATS_TEST_TMPDIR/out")
    [ "$is" = "$1" ] || { echo "expected $1, got $is" && return 1; }
}

@test "a device that throttles or that others use is flagged" {
    export FAKE_NVML_PROCESSES=1
    FAKE_NVML_THROTTLES=0 flagged 'False 0'
    FAKE_NVML_THROTTLES=99 flagged 'True 0 throttled'
    FAKE_NVML_PROCESSES=3 flagged 'False 2 shared'
}
