#!/usr/bin/env bats
# scripts/tune-check: a search, and all of its candidates.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    export TRIBENCH=${TRIBENCH:-$PWD/tribench} PYTHON=${PYTHON:-$PWD/build/venv/bin/python}
}

@test "every case has its search, its candidates and how far the winner is from the best of them" {
    "$PYTHON" scripts/tune-check --tribench "$TRIBENCH" -w edm1,life -n 64 -s bb --together bb,rb-b --samples 3 \
        -o "$BATS_TEST_TMPDIR/out.json" -- --engine cpu --threads 1 --block 8,16 --tile 16,32 --max-time 0.02 \
        >"$BATS_TEST_TMPDIR/out"
    "$PYTHON" -c 'import json, sys
cases = json.load(open(sys.argv[1]))["cases"]
assert [(c["workload"], c["n"], c["strategy"]) for c in cases] == [("edm1", 64, "bb"), ("life", 64, "bb")], cases
assert [c["candidates"] for c in cases][0] == 4 and cases[1]["candidates"] >= 20, cases
assert all(c["winner_over_best"] >= 1 and c["search_s"] > 0 and c["measurements"] > 5 for c in cases), cases' \
        "$BATS_TEST_TMPDIR/out.json"
    "$PYTHON" -c 'import json, sys
searches = json.load(open(sys.argv[1]))["searches"]
assert [(s["workload"], s["n"], s["strategies"]) for s in searches] == [
    ("edm1", 64, "bb,rb-b"), ("life", 64, "bb,rb-b")], searches
assert searches[0]["tried"] == 8 and all(s["search_s"] > 0 for s in searches), searches' "$BATS_TEST_TMPDIR/out.json"
    grep -qE '^[0-2] of 2 winners are within 1 % of the best; the longest search took [0-9.]+ s\.$' \
        "$BATS_TEST_TMPDIR/out"
}
