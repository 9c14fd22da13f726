#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031,SC2154  # quick, status, stdout and stderr come from helpers
# Exit statuses; after every error, the result is whole and well formed.

load helpers

has_no_cuda() {
    ! "$TRIBENCH" --engine cuda -q -s bb -n 32 --samples 1 -o "$BATS_TEST_TMPDIR/probe.json" 2>/dev/null
}

# ltm-n's three Newton steps are right up to 1949 tiles; beyond, verification finds errors.
wrong=(-q --engine cpu -s ltm-n -w cover -n 2048 --block 1 --verify beyond --baseline none --samples 1)

# tests/data/shown has more of them: refused.txt, rejected.txt.
@test "2: a rejected command line has one line on stderr, nothing on stdout, and leaves no file" {
    work=$BATS_TEST_TMPDIR/work
    rejects "got '0'" --n 0 --output "$work/out.json"
    rejects "did you mean '--strategy'" --strateggy bb -o "$work/out.json"
    rejects "unexpected argument '8192'" -o "$work/out.json" 8192
    rejects "only one" --list --dry-run
    rejects "exactly one run" --dump "$work/d.npy" -s bb,ltm -w edm4
    rejects --n --engine cpu -s ltm -w edm4 --input tests/data/iris.csv -n 100 -o "$work/out.json"
}

@test "3: a verification failed; every format tells, and runs that are right are written all the same" {
    cd "$BATS_TEST_TMPDIR" || return
    run_tribench "${wrong[@]}" -s bb,ltm-n -o out.json -o out.jsonl -o out.csv -o -:table
    expect_status 3
    for file in out.json out.jsonl out.csv "$stdout"; do
        grep -q ltm-n "$file" || fails "$file: no word of the wrong run"
        grep -q bb "$file" || fails "$file: no word of the right run"
    done
    stdout=out.json
    [ "$(value_of '[(r["verified"]["status"], r["status"], r["verified"]["mismatches"] > 0, r["time_ms"] is None)
        for r in d["runs"] if r["strategy"] == "ltm-n"]')" = "[('fail', 'failed', True, True)]" ] || fails "not told"
    cd "$OLDPWD" || return
    fits_schema "$BATS_TEST_TMPDIR/out.json"
    fits_schema "$BATS_TEST_TMPDIR/out.jsonl"
}

@test "3: a map that gives columns below 0" {
    run_tribench "${wrong[@]}" -s ltm-r -w write,edm4 -n 5000
    expect_status 3
    [ "$(value_of '[r["verified"]["mismatches"] > 0 for r in d["runs"]]')" = "[True, True]" ] || fails "no mismatches"
}

@test "4: an engine that is not there" {
    has_no_cuda || skip "there is a CUDA device"
    run_tribench -q --engine cuda -s ltm -n 64 -o "$BATS_TEST_TMPDIR/out.json"
    expect_status 4
    [ "$(wc -l <"$stderr")" -eq 1 ] || fails "not one line on stderr"
    [ ! -s "$stdout" ] || fails "words on stdout"
    [ ! -e "$BATS_TEST_TMPDIR/out.json" ] || fails "left a file"
}

@test "4: a device that is not there" {
    for engine in cuda auto; do
        run_tribench -q --engine "$engine" --device 1023 -s ltm -n 64
        expect_status 4
        [ "$(wc -l <"$stderr")" -eq 1 ] || fails "not one line on stderr"
    done
}

@test "5: a problem larger than the memory, and the runs that fit are measured all the same" {
    run_tribench -q --engine cpu -s bb -w edm1 -n 1048576,50 --samples 1
    expect_status 5
    fits_schema "$stdout"
    [ "$(value_of 'sorted((r["n"], r["status"]) for r in d["runs"])')" = "[(50, 'ok'), (1048576, 'failed')]" ] ||
        fails "not both as they should be"
    [[ $(value_of '[r["reason"] for r in d["runs"] if r["n"] > 50]') == *" TB and "*" GB are free"* ]] ||
        fails "does not say how much"
}

@test "1: a recursion into more launches than there may be" {
    run_tribench -q --engine cpu -s dp --block 1 --cutoff 1 --baseline none -n 65535 --samples 1
    expect_status 1
    fits_schema "$stdout"
    [[ $(value_of 'd["runs"][0]["reason"]') =~ "larger --cutoff" ]] || fails "does not say what to take"
}

@test "of several failures the first is told" {
    run_tribench "${wrong[@]}" --n 2048,1048576
    expect_status 3
    run_tribench "${wrong[@]}" --n 1048576,2048
    expect_status 5
    fits_schema "$stdout"
}

# tests/cli/output.bats has what a sweep does then.
@test "1: a full disk or a closed standard output under what is printed" {
    for action in --list --help --version --dry-run --show; do
        for shell in 'exec "$@" >/dev/full' 'exec "$@" >&-'; do
            status=0
            bash -c "$shell" - "$TRIBENCH" "$action" 2>"$BATS_TEST_TMPDIR/stderr" || status=$?
            [ "$status" -eq 1 ] || { echo "$action, $shell: $status" && false; }
            [ -s "$BATS_TEST_TMPDIR/stderr" ] || { echo "$action, $shell: silence" && false; }
        done
    done
}

@test "1: a full disk under the dump, of an output or of a stack of states" {
    for run in '-w edm4 --dump /dev/full' '-w life --steps 200 --dump /dev/full:1'; do
        # shellcheck disable=SC2086  # several words
        run_tribench "${quick[@]}" -s bb --baseline none $run
        expect_status 1
        fits_schema "$stdout"
        [ "$(value_of 'd["runs"][0]["status"]')" = failed ] || fails "not said to have failed"
    done
}

@test "0: standard output is closed and nobody needs it" {
    "$TRIBENCH" "${quick[@]}" -s ltm -o "$BATS_TEST_TMPDIR/out.json" >&-
    "$PYTHON" tests/schema_check.py "$BATS_TEST_TMPDIR/out.json"
}

@test "little memory: the peak bandwidth is measured on less, or not at all" {
    (ulimit -v 2000000 && "$TRIBENCH" --version >/dev/null 2>&1) || skip "this build needs more address space"
    run_tribench "${quick[@]}" -e cpu -n 8
    cache_kb=$(value_of 'd["environment"]["cpu"]["cache_bytes"] // 1024')
    # an output that no cache holds, which is when the peak is of interest
    n=$("$PYTHON" -c "print(int((512 * $cache_kb) ** 0.5) + 64)")
    large=(-q --engine cpu --threads 1 -w write -s bb --baseline none -n "$n" --max-time 0.01 --verify none)
    for spare in 300000 80000; do
        (ulimit -v $((spare + cache_kb)) && "$TRIBENCH" "${large[@]}" >"$stdout" 2>"$stderr")
        [ ! -s "$stderr" ] || fails "$spare"
    done
    [ "$(value_of 'd["environment"]["peak_bandwidth"]["fill_gb_per_s"]')" = None ] || fails "measured all the same"
    run_tribench "${large[@]}"
    equals '0.1 < (p := d["environment"]["peak_bandwidth"])["copy_gb_per_s"] / p["fill_gb_per_s"] < 10' True
}

@test "nothing stays in /dev/shm, where clang's OpenMP has a file while it runs" {
    local library
    library=$(find /usr/lib /usr/local/lib -name libomp.so.5 -print -quit 2>/dev/null)
    [ -n "$library" ] || skip "there is no libomp"
    ln -s "$library" "$BATS_TEST_TMPDIR/libgomp.so.1"
    # the processes of these files; those that still run may have one
    processes() { find /dev/shm -name '__KMP_*' | sed 's/.*LIB_//; s/_.*//' | sort; }
    processes >"$BATS_TEST_TMPDIR/before"
    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR run_tribench "${quick[@]}" -s bb -w write
    expect_status 0
    for pid in $(processes | comm -13 "$BATS_TEST_TMPDIR/before" -); do
        [ -d "/proc/$pid" ] || fails "a file of process $pid"
    done
}

@test "threads that share a core are told" {
    command -v taskset >/dev/null || skip "there is no taskset"
    core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
    shares=(--engine cpu -s ltm-i --baseline none -w edm1 -n 2048 --tile 128 --samples 101 --quiet)
    taskset -c "$core" "$TRIBENCH" "${shares[@]}" --threads 2 --format csv >"$BATS_TEST_TMPDIR/two.csv"
    head -1 "$BATS_TEST_TMPDIR/two.csv" | grep -q caveats
    tail -1 "$BATS_TEST_TMPDIR/two.csv" | grep -q 'busy host'
}
