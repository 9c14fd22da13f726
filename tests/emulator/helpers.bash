# Helpers of the tests on the emulator.
# shellcheck shell=bash disable=SC2034,SC2154  # status and stdout are those of the helpers of cli

load ../cli/helpers

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
}

# RUNS ARGUMENT...: at least RUNS runs are verified, none is wrong or fails, and others are skipped with a reason. A new
# strategy adds more runs.
verified() {
    local expected=$1
    shift
    run_tribench --engine cuda --quiet --samples 1 --warmup 0 --max-time 0.01 --format csv "$@"
    expect_status 0
    "$PYTHON" -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert all("emulated GPU" in r["device"] for r in rows)
bad = [r["key"] for r in rows if (r["status"], r["verified.status"]) != ("ok", "pass") and r["status"] != "skipped"]
passed = sum(r["verified.status"] == "pass" for r in rows)
assert not bad and passed >= int(sys.argv[2]), (passed, bad[:5])' "$stdout" "$expected" || fails "$*"
}

# PARTITION ARGUMENT...: verifies the runs of three ranks on the one device.
shared() {
    local partition=$1 mpirun
    shift
    mpirun=$(command -v mpirun) || skip "there is no mpirun"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
    status=0 stdout=$BATS_TEST_TMPDIR/stdout stderr=$BATS_TEST_TMPDIR/stderr
    "$mpirun" --oversubscribe -n 3 "$TRIBENCH" "--ranks=$partition" -n 90 "$@" \
        --engine cuda --quiet --samples 1 --warmup 0 --max-time 0.01 \
        >"$stdout" 2>"$stderr" </dev/null || status=$?
    expect_status 0
    [ "$(value_of '{(r["status"], r["verified"]["status"]) for r in d["runs"]}')" = "{('ok', 'pass')}" ] ||
        fails "$partition"
}
