#!/usr/bin/env bats
# study/coverage: the table of docs/measuring.md, from a few draws.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    export PYTHON=${PYTHON:-$PWD/build/venv/bin/python}
}

@test "the intervals of samples that --precision ended cover, and the table says so" {
    cp docs/measuring.md "$BATS_TEST_TMPDIR/measuring.md"
    "$PYTHON" study/coverage --draws 400 --into "$BATS_TEST_TMPDIR/measuring.md"
    "$PYTHON" -c 'import re, sys
text = open(sys.argv[1]).read()
rows = re.findall(r"^\| ([0-9.]+)% \| ([0-9.]+) % \| ([0-9.]+) % \| ([0-9.]+) % \| ([0-9]+) \|$", text, re.M)
assert [float(row[0]) for row in rows] == [2, 1, 0.5, 0.2, 0.1], rows
assert all(float(row[1]) >= 94 for row in rows), rows
taken = [int(row[4]) for row in rows]
assert taken == sorted(taken) and 11 <= taken[0] and taken[-1] <= 501, rows
# Nearly as many in order; that of another invocation less often the narrower the interval is.
repeated = [float(row[3]) for row in rows]
assert all(float(row[2]) >= 85 for row in rows) and repeated == sorted(repeated, reverse=True) and repeated[0] < 90
assert re.search(r"^Of [0-9,]+ pairs of maps .* reverses 0\. Half", text, re.M)' "$BATS_TEST_TMPDIR/measuring.md"
}
