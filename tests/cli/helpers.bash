# Helpers of the command-line tests. tests/run sets TRIBENCH and PYTHON.
# shellcheck shell=bash

export TRIBENCH=${TRIBENCH:-$PWD/tribench}
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} # the machine may be busy
export PYTHON=${PYTHON:-$PWD/build/venv/bin/python}

# Small and quick: these tests check the command line, not the times.
# shellcheck disable=SC2034  # bats files use it
quick=(--quiet --engine cpu --threads 2 --n 100 --samples 2 --warmup 0)

# The two streams in files, the exit status in $status.
# shellcheck disable=SC2034  # bats files read status
run_tribench() {
    status=0
    "$TRIBENCH" "$@" >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" </dev/null || status=$?
    stdout=$BATS_TEST_TMPDIR/stdout
    stderr=$BATS_TEST_TMPDIR/stderr
}

fails() { # WORDS...: prints why a test fails, and the program's output
    echo "$*"
    echo "--- exit status $status, stdout:"
    tail -c 20000 "$stdout"
    echo "--- stderr:"
    tail -c 20000 "$stderr"
    return 1
}

expect_status() {
    [ "$status" -eq "$1" ] || fails "expected exit status $1"
}

fits_schema() { # FILE
    "$PYTHON" tests/schema_check.py "$1" || fails "$1 does not fit the schema"
}

# The value of a Python expression over the document `d` on standard output.
value_of() {
    "$PYTHON" -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$stdout" "$1"
}

equals() { # EXPRESSION EXPECTED
    local value
    value=$(value_of "$1")
    [ "$value" = "$2" ] || fails "$1 is $value, not $2"
}

# Writes a workload, in as few lines as one takes.
dot_h() {
    cat >dot.h <<'END'
#include "own.h"

TD_FN void td_dot_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const float x = td_input(data, 0, row) * td_input(data, 0, col);
    TD_ELEMENT(float, data, row, col) = x + td_input(data, 1, row) * td_input(data, 1, col);
}

TD_DESCRIPTOR td_workload td_dot_workload = {.element = TD_F32, .input = &td_columns[2]};
END
}

# A rejected command line: exit 2, one line on stderr that holds the given words, silence on stdout, no new file.
rejects() { # EXPECTED WORDS...
    local expected=$1
    shift
    local work=$BATS_TEST_TMPDIR/work
    mkdir -p "$work"
    find "$work" | sort >"$BATS_TEST_TMPDIR/before"
    run_tribench "$@"
    [ "$status" -eq 2 ] || fails "not rejected with status 2: $*" || return
    [ ! -s "$stdout" ] || fails "words on standard output: $*" || return
    [ "$(wc -l <"$stderr")" -eq 1 ] || fails "not one line on stderr: $*" || return
    [[ $(cat "$stderr") == "tribench: "* ]] || fails "does not say who speaks: $*" || return
    [[ $(cat "$stderr") == *"$expected"* ]] || fails "does not say '$expected': $*" || return
    find "$work" | sort | cmp -s - "$BATS_TEST_TMPDIR/before" || fails "left a file: $(find "$work"), $*"
}
