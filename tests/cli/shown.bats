#!/usr/bin/env bats
# shellcheck disable=SC2317  # the command lines of the files call these functions
# What the program prints, word for word: a file of tests/data/shown has command lines, each after "$ ", and what they
# print. RENEW=1 bats tests/cli/shown.bats writes the files anew; then read what git diff says.

load helpers

tribench() {
    "$TRIBENCH" "$@" || echo "exit status $?"
}

# A plan as records, one field a line, without those that are empty, as of the first run, or about the machine.
planned() {
    "$TRIBENCH" --dry-run -e cpu -f csv "$@" | "$PYTHON" -c 'import csv, sys
before = {}
for run in csv.DictReader(sys.stdin):
    run = {k: v for k, v in run.items() if v and k not in ("device", "host", "version") and "document." not in k}
    print(run.pop("key"), *(f"{k}={v}" for k, v in run.items() if before.get(k) != v))
    before = run'
}

is_as_shown() { # NAME
    local line file=tests/data/shown/$1.txt now=$BATS_TEST_TMPDIR/now
    grep '^\$ ' "$file" | while IFS= read -r line; do
        echo "$line"
        eval "${line#\$ }" </dev/null 2>&1
    done >"$now"
    [ -z "${RENEW:-}" ] || cp "$now" "$file"
    diff -u "$file" "$now" >&2
}

@test "help" {
    is_as_shown help
}

@test "lists" {
    is_as_shown list
}

@test "drawings of the maps, and the same as data" {
    is_as_shown show
}

@test "plans" {
    is_as_shown plan
}

@test "checks of the maps" {
    is_as_shown maps
}
