#!/usr/bin/env bats
# shellcheck disable=SC2317  # the command lines of the files call these functions
# What the program prints, word for word: a file of tests/data/shown has command lines, each after "$ ", and what they
# print. RENEW=1 bats tests/cli/shown.bats writes the files anew; then read what git diff says.

load helpers

tribench() {
    "$TRIBENCH" "$@" || echo "exit status $?"
}

# Rows of CSV from standard input, without fields that are empty or as in the row before.
fields() { # PATTERN: of their names
    "$PYTHON" -c 'import csv, re, sys
before = {}
for run in csv.DictReader(sys.stdin):
    run = {k: v for k, v in run.items() if v and re.match(sys.argv[1], k)}
    print(run.pop("key"), *(f"{k}={v}" for k, v in run.items() if before.get(k) != v))
    before = run' "$1"
}

planned() { # OPTION...: records without the machine
    "$TRIBENCH" --dry-run -e cpu -f csv "$@" | fields '(?!device|host|version|document)'
}

measured() { # OPTION...: records and progress without the times
    local err=$BATS_TEST_TMPDIR/err
    ("$TRIBENCH" -v -e cpu --threads 1 --samples 2 --warmup 0 -f csv "$@" || echo "exit status $?" >&2) 2>"$err" |
        fields 'key|status|reason|verified|result|samples.(count|timing|graph)|throughput.bytes|improvement.baseline'
    sed -E "s/[0-9.]+ ms|in [0-9]+ s/#/; s,$BATS_TEST_TMPDIR/,,; /^  /d" "$err"
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

@test "runs" {
    is_as_shown run
}

@test "checks of the maps" {
    is_as_shown maps
}
