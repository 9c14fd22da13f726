# What the tests on the emulator share.
# shellcheck shell=bash disable=SC2154  # status and stdout come from the helpers of cli

load ../cli/helpers

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
}

# RUNS ARGUMENT...: at least so many runs are verified, and none is wrong or fails; others are skipped with a reason. A
# strategy that is added makes more of them.
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
