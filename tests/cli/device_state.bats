#!/usr/bin/env bats
# The state of the device in the record, with a fake of NVIDIA's library.

load helpers

setup() {
    null=${TRIBENCH%/*}/tests/tribench_null # where tests/run finds the build
    fake=${null%/*}/fake
    { [ -x "$null" ] && [ -e "$fake/libnvidia-ml.so.1" ]; } || skip "there is no $null, or no library beside it"
    null=(env LD_LIBRARY_PATH="$fake" "$null" -q --engine null -s bb -w dummy -n 64 --baseline none)
}

# TEXT: the state of the device in the first run's record, and the caveats that come from it; the host may be busy
flagged() {
    "${null[@]}" --samples 2 >"$BATS_TEST_TMPDIR/out"
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
