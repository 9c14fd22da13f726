#!/usr/bin/env bats
# study/tune-check: searches, and those that leave nothing out.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    export TRIBENCH=${TRIBENCH:-$PWD/tribench} PYTHON=${PYTHON:-$PWD/build/venv/bin/python}
}

@test "a timed search for each workload and N, and for each map how far its winner is from the best" {
    "$PYTHON" study/tune-check --tribench "$TRIBENCH" -w edm1,life -n 64 -s bb,rb-b --together bb \
        -o "$BATS_TEST_TMPDIR/out.json" -- --engine cpu --threads 1 --block 8,16 --tile 16,32 --max-time 0.02 \
        >"$BATS_TEST_TMPDIR/out"
    "$PYTHON" -c 'import json, sys
found = json.load(open(sys.argv[1]))
cases, searches = found["cases"], found["searches"]
assert [(c["workload"], c["n"], c["strategy"]) for c in cases] == [
    ("edm1", 64, "bb"), ("edm1", 64, "rb-b"), ("life", 64, "bb"), ("life", 64, "rb-b")], cases
assert cases[0]["candidates"] == 4 and cases[2]["candidates"] >= 20, cases
assert all(c["winner_over_best"] >= 1 and ("/" + c["strategy"] + "/") in c["winner"] for c in cases), cases
assert all(c["winner_over_best"] == 1 for c in cases if c["winner"] == c["best"]), cases
assert [(s["workload"], s["n"], s["strategies"]) for s in searches] == [
    ("edm1", 64, "bb"), ("life", 64, "bb")], searches
assert searches[0]["tried"] == 4 and all(s["search_s"] > 0 for s in searches), searches' "$BATS_TEST_TMPDIR/out.json"
    grep -qE '^[0-4] of 4 winners are within 1 % of the best; the longest search took [0-9.]+ s\.$' \
        "$BATS_TEST_TMPDIR/out"
}

@test "cases stay beside searches that are timed alone" {
    words=(--tribench "$TRIBENCH" -w life -s bb --together bb -o "$BATS_TEST_TMPDIR/out.json" -n)
    more=(-- --engine cpu --threads 1 --block '8,16' --tile 16 --max-time 0.02)
    "$PYTHON" study/tune-check "${words[@]}" 64 "${more[@]}"
    "$PYTHON" study/tune-check --times "${words[@]}" 64,65 "${more[@]}"
    "$PYTHON" -c 'import json, sys
found = json.load(open(sys.argv[1]))
assert [s["n"] for s in found["searches"]] == [64, 65] and [c["n"] for c in found["cases"]] == [64], found
' "$BATS_TEST_TMPDIR/out.json"
}
