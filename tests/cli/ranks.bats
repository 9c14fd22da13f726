#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031  # bats runs each test in a subshell
# --ranks: one domain shared among processes of MPI, on the cpu engine.

load helpers

setup() {
    mpirun=$(command -v mpirun) || skip "there is no mpirun"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
    export ASAN_OPTIONS=detect_leaks=0 # those of MPI
    cd "$BATS_TEST_DIRNAME/../.." || return
    out=$BATS_TEST_TMPDIR
    run_tribench --ranks --n 1 "${small[@]}"
    if grep -q "built without MPI" "$stderr"; then
        skip "built without MPI"
    fi
}

# One sample: these tests check results, not times.
small=(--quiet --engine cpu --threads 1 --samples 1 --warmup 0)

# COUNT ARGUMENT...: runs COUNT processes; streams and status are those of run_tribench
run_ranks() {
    local count=$1
    shift
    status=0
    timeout 100 "$mpirun" --oversubscribe -n "$count" "$TRIBENCH" --ranks "$@" \
        >"$out/stdout" 2>"$out/stderr" </dev/null || status=$?
    stdout=$out/stdout
    stderr=$out/stderr
}

all_pass() { # LINES: so many runs in the CSV on standard output, all of them ok and verified
    "$PYTHON" -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
words = [(r["key"], r["status"], r["verified.status"], r["reason"]) for r in rows]
bad = [word for word in words if word[1:3] != ("ok", "pass")]
assert not bad and len(rows) == int(sys.argv[2]), (bad, len(rows))' "$stdout" "$1" || fails "not all pass"
}

@test "every map and every workload covers its part, also on more ranks than rows of tiles" {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR
    local maps=bb,ltm-x,ltm-n,ltm-r,ltm-i,ltm-t,ltm-g,morton,utm-b,rb-b,rec,hmap part count runs ranks arguments
    # runs, ranks, how the domain is cut
    local cases=("48 1,3 rows --strategy $maps --workload dummy,cover --n 37,211 --block 8"
        "48 2 cells --strategy $maps --workload dummy,cover --n 37,211 --block 8"
        "27 5 cells --strategy ltm-i --baseline none --steps 3 --n 1,17,33
            --workload cover,write,edm1,edm3,collision,gol,life,examples/rbf.h,examples/pairs.h")
    for case in "${cases[@]}"; do
        read -r -d '' runs ranks part arguments <<<"$case" || true
        for count in ${ranks//,/ }; do
            # shellcheck disable=SC2086  # words
            run_ranks "$count" "${small[@]}" $arguments --ranks="$part" --format csv
            expect_status 0
            all_pass "$runs"
        done
    done
}

@test "a rank whose first thread the runtime has bound has the threads of its processors" {
    export OMP_PROC_BIND=true
    run_ranks 1 --quiet --engine cpu -n 9 --samples 1 --format json
    [ "$(value_of 'd["environment"]["cpu"]["threads"]')" = "$(env -u OMP_PROC_BIND nproc)" ]
}

@test "the output is bit for bit that of one process" {
    "$PYTHON" -c 'import random
for _ in range(211): print(random.randint(0, 99), random.randint(0, 99), sep=",")' >"$out/points.csv"
    local cases=("3 cells --workload edm2 --input $out/points.csv" "3 cells --workload edm4"
        "5 rows --workload edm2 --layout full" "3 cells --workload collision" "3 cells --workload gol --steps 6"
        "5 rows --workload life --steps 5 --memory halo --cell u32"
        "2 cells --workload life --steps 6 --memory strip --cell bit --tile 128 --block 32x4")
    for case in "${cases[@]}"; do
        read -r count partition arguments <<<"$case"
        # shellcheck disable=SC2086  # words
        run_tribench "${small[@]}" --output /dev/null --strategy ltm-i --n 211 $arguments --dump "$out/one.npy"
        expect_status 0
        # shellcheck disable=SC2086
        run_ranks "$count" "${small[@]}" --output /dev/null --strategy ltm-i --n 211 $arguments \
            --ranks="$partition" --dump "$out/parts.npy"
        expect_status 0
        cmp "$out/one.npy" "$out/parts.npy" || fails "$case: the outputs differ"
    done
}

@test "the record says how the domain was shared, and sums up what was found" {
    run_tribench "${small[@]}" --strategy ltm-i --baseline none --workload collision --n 300
    pairs=$(value_of 'd["runs"][0]["result"]["pairs"]')
    alone=$(value_of 'd["runs"][0]["working_set_bytes"]')
    run_ranks 3 "${small[@]}" --strategy ltm-i --baseline none --workload collision,gol --steps 4 --n 300
    expect_status 0
    fits_schema "$stdout"
    [ "$(value_of 'd["runs"][0]["result"]["pairs"]')" = "$pairs" ]
    [ "$(value_of '"/ranks3/cells" in d["runs"][0]["key"]')" = True ]
    [ "$(value_of '[r["ranks"]["transport"] for r in d["runs"]]')" = "[None, 'mpi']" ]
    [ "$(value_of 'sum(e["cells"] for e in d["runs"][0]["ranks"]["each"])')" -eq 44850 ]
    [ "$(value_of 'd["runs"][0]["launch"]["blocks_needed"]')" -eq 190 ] # T(19)
    [ "$(value_of 'd["runs"][1]["verified"]["checked"]')" -eq 45150 ]
    [ "$(value_of '1 <= d["runs"][1]["ranks"]["imbalance"] < 1.1')" = True ]
    # of all ranks together; three exchanges are part of the time of four generations
    [ "$(value_of 'd["runs"][0]["working_set_bytes"]')" -gt "$alone" ]
    [ "$(value_of '0 <= 3 * d["runs"][1]["ranks"]["exchange_ms"] <= d["runs"][1]["samples"]["ms"][-1]')" = True ]
    [ "$(value_of 'all(d["started"] < r["started"] < d["finished"] for r in d["runs"])')" = True ]
}

@test "a sample is the slowest rank's, and each rank has a median of its own" {
    run_ranks 1 "${small[@]}" --samples 7 --strategy ltm-i --baseline none --workload edm1 --n 300
    expect_status 0
    [ "$(value_of 'd["runs"][0]["ranks"]["each"][0]["median_ms"] == d["runs"][0]["time_ms"]["median"]')" = True ]
    run_ranks 2 "${small[@]}" --samples 7 --strategy ltm-i --baseline none --workload edm1 --n 300 --ranks=rows
    expect_status 0
    # rank 1 has three times the cells
    medians='{e["median_ms"] for e in d["runs"][0]["ranks"]["each"]}'
    [ "$(value_of "d['runs'][0]['time_ms']['median'] >= max($medians)")" = True ]
    [ "$(value_of "len($medians)")" -eq 2 ]
}

@test "what cannot be cut is refused with the reason" {
    local -A reasons=(["--strategy rb"]="maps threads" ["--strategy dp"]="launches kernels of its own"
        ["--strategy bb-tetra"]="on a tetrahedron"
        ["--strategy bb --workload life --set domain=square"]="on the whole square")
    for arguments in "${!reasons[@]}"; do
        # shellcheck disable=SC2086  # words
        run_tribench --ranks "${small[@]}" --n 50 $arguments
        expect_status 2
        grep -q -e "${reasons[$arguments]}" "$stderr" || fails "$arguments: expected ${reasons[$arguments]}"
    done
}

@test "ranks with another command line do not start" {
    status=0
    "$mpirun" --oversubscribe -n 1 "$TRIBENCH" --ranks "${small[@]}" --n 50 : \
        -n 1 "$TRIBENCH" --ranks "${small[@]}" --n 51 >"$out/stdout" 2>"$out/stderr" </dev/null || status=$?
    stdout=$out/stdout stderr=$out/stderr
    expect_status 2
    grep -q "rank 1: another command line than" "$stderr"
    [ ! -s "$stdout" ]
}

@test "processes that MPI takes for the only one each do not start" {
    SLURM_STEP_NUM_TASKS=4 run_tribench --ranks --n 10 "${small[@]}"
    expect_status 2
    grep -q 'srun started 4 processes, and MPI sees one' "$stderr"
    [ ! -s "$stdout" ]
    SLURM_STEP_NUM_TASKS=4 run_ranks 1 --n 10 "${small[@]}" # by mpirun, in a job
    expect_status 0
}

@test "a mismatch names the rank and the first wrong cell" {
    # the triangle of rank 0 is beyond the range of ltm-n, that of rank 1 is not
    run_ranks 2 "${small[@]}" --strategy ltm-n --baseline none --workload write --n 2800 --block 1 --verify beyond
    expect_status 3
    reason=$(value_of 'd["runs"][0]["reason"]')
    [[ $reason =~ "the first on rank "[01]" is at row "[0-9]+", column "[0-9]+ ]] || fails "$reason"
}

# Starts a sweep of many runs in the background on three ranks; $job is its mpirun, its file is $out/sweep.jsonl.
start_sweep() {
    "$mpirun" --oversubscribe -n 3 "$TRIBENCH" --ranks --engine cpu --threads 1 --strategy ltm-i --baseline none \
        --workload cover --n 100:400:10 --samples 5 --timeout "$1" --output "$out/sweep.jsonl" --format jsonl \
        >"$out/stdout" 2>"$out/stderr" </dev/null 3>&- &
    job=$!
    until grep -qs '"type":"run"' "$out/sweep.jsonl"; do kill -0 "$job"; sleep 0.1; done
}

# The sweep has ended by itself, and none of its processes is left.
expect_end() {
    status=0
    timeout 60 tail --pid="$job" -f /dev/null
    wait "$job" || status=$?
    [ "$status" -ne 0 ] || fails "a sweep that lost a rank succeeded"
    for rank in $ranks; do
        for _ in $(seq 600); do
            kill -0 "$rank" 2>/dev/null || continue 2
            sleep 0.1
        done
        fails "rank $rank is still there"
    done
}

@test "a rank that is killed ends all, and --resume goes on" {
    start_sweep 60
    mapfile -t pids < <(pgrep -P "$job")
    ranks=${pids[*]}
    kill -KILL "${pids[2]}"
    expect_end
    before=$(grep -c '"status":"ok"' "$out/sweep.jsonl")
    run_ranks 3 --quiet --engine cpu --threads 1 --strategy ltm-i --baseline none --workload cover --n 100:400:10 \
        --samples 5 --resume "$out/sweep.jsonl" --output "$out/sweep.jsonl"
    expect_status 0
    [ "$(grep -c '"status":"ok"' "$out/sweep.jsonl")" -eq 31 ]
    [ "$before" -lt 31 ] || skip "the sweep was over before the rank was killed"
}

@test "a rank that hangs ends all within --timeout, with a sentence" {
    start_sweep 4
    mapfile -t pids < <(pgrep -P "$job")
    ranks=${pids[*]}
    for rank in $ranks; do # not rank 0: what it writes has no time limit
        ! grep -qz '^OMPI_COMM_WORLD_RANK=1$' "/proc/$rank/environ" || kill -STOP "$rank"
    done
    expect_end
    grep -q "did not finish within --timeout 4 s" "$out/stderr" || { cat "$out/stderr" && false; }
    grep -q "did not finish within --timeout 4 s" "$out/sweep.jsonl"
    tail -n 1 "$out/sweep.jsonl" | grep -q '"timing":{"wall_s":[1-9]' # and where the time went
}

@test "without --ranks MPI is not started" {
    LD_DEBUG=files "$TRIBENCH" --list >"$out/stdout" 2>"$out/stderr"
    grep -q "libmpi" "$out/stderr" # else this shows nothing
    if grep -q "mca_" "$out/stderr"; then false; fi
}
