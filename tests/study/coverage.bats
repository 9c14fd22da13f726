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
rows = re.findall(r"^\| ([0-9.]+)% \| ([0-9.]+) % \| ([0-9]+) \|$", open(sys.argv[1]).read(), re.M)
assert [float(row[0]) for row in rows] == [2, 1, 0.5, 0.2, 0.1], rows
assert all(float(row[1]) >= 94 for row in rows), rows
taken = [int(row[2]) for row in rows]
assert taken == sorted(taken) and 11 <= taken[0] and taken[-1] <= 501, rows' "$BATS_TEST_TMPDIR/measuring.md"
}
