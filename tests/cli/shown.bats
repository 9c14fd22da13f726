#!/usr/bin/env bats
# shellcheck disable=SC2317  # the command lines of the files call these functions
# What the program prints, word for word: a file of tests/data/shown has command lines, each after "$ ", and what they
# print. RENEW=1 bats tests/cli/shown.bats writes the files anew; then read what git diff says.

load helpers

tribench() {
    "$TRIBENCH" "$@" || echo "exit status $?" >&2
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

# A folder with inputs and other files, most of which are not what they should be.
made_files() {
    cd "$BATS_TEST_TMPDIR" && mkdir folder folder.csv && mkfifo pipe.csv pipe.npy || return
    ln -s b a && ln -s a b || return
    printf '1,2\n3,x\n' >word.csv && printf '1,2\n3\n' >short.csv && printf 'a,b\n' >empty.csv
    printf '1,1e39\n' >huge.csv && printf '1\0002\n' >zero.csv && printf '3e38\n0\n-3e38\n' >far.csv
    printf '0,0\n1.4e19,0\n0,1.4e19\n' >apart.csv && printf '0,0,0,1\n1,0,0,1\n0,0,2e19,1\n' >gone.csv
    printf '0,0,0,1e19\n1,0,0,1\n' >giant.csv && printf '1,2,3,4\n1,1,1,-1\n' >radius.csv
    printf '1,2,3\n4,5,6\n' >few.csv && echo '{"type":"run"}' >run.jsonl
    echo '{"type":"header","schema":{"name":"tribench","major":1}}' >old.jsonl && head -c 20 /dev/zero >zero.npy
    "$PYTHON" -c 'import numpy as np
for name, a in {"i8": np.ones((3, 2), "i8"), "wide": np.ones((3, 5), "f4"), "flat": np.ones(7, "u1"),
                "cube": np.ones((2, 2, 2), "u1"), "nan": np.array([[1, np.nan], [3, 4]]), "none": np.ones((0, 4), "f4"),
                "two": np.full((3, 3), 2, "u1"),
                "bright": np.array([[1, 1, 1], [1, 1, 1], [1, -3.4e38, 1]], "f4")}.items():
    np.save(name + ".npy", a)'
    head -c 90 flat.npy >cut.npy && head -c 133 flat.npy >less.npy && sed 's/fortran/Fortran/' flat.npy >key.npy
}

is_as_shown() { # NAME
    local line file=tests/data/shown/$1.txt now=$BATS_TEST_TMPDIR/now
    grep '^\$ ' "$file" | while IFS= read -r line; do
        echo "$line"
        eval "${line#\$ }" </dev/null 2>&1 || true
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

@test "what is refused, and why" {
    is_as_shown refused
}

@test "checks of the maps" {
    is_as_shown maps
}
