#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031,SC2317  # bats runs each test in a subshell
# On a real Slurm: scripts/sweep, an array of four shards of which one is requeued and one cancelled in the middle, and
# --ranks, which srun starts.

setup_file() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench}
    export SLURM_DIR SLURM_CONF
    SLURM_DIR=$(mktemp -d /tmp/tribench-slurm.XXXXXX)
    SLURM_CONF=$SLURM_DIR/slurm.conf
    local status=0
    tests/slurm/one-node start "$SLURM_DIR" >"$SLURM_DIR/said" 2>&1 3>&- || status=$?
    if [ "$status" -eq 77 ]; then
        touch "$SLURM_DIR/missing"
    elif [ "$status" -ne 0 ]; then
        cat "$SLURM_DIR/said" "$SLURM_DIR"/log/*.log >&2
        return 1
    fi
}

setup() {
    [ ! -e "$SLURM_DIR/missing" ] || skip "$(cat "$SLURM_DIR/said")"
}

teardown_file() {
    scancel --quiet --user "$(id -un)" 2>/dev/null || true
    tests/slurm/one-node stop "$SLURM_DIR"
    rm -rf "$SLURM_DIR"
}

keys() { # STATUS FILE...
    local status=$1
    shift
    cat "$@" | grep '"type":"run"' | grep "\"status\":\"$status\"" | sed 's/.*"key":"\([^"]*\)".*/\1/' | sort
}

wait_for() { # SECONDS COMMAND...
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.1
    done
}

has_runs() { # FILE COUNT
    [ -e "$1" ] && [ "$(grep -c '"status":"ok"' "$1")" -ge "$2" ]
}

started_twice() { # FILE
    [ -e "$1" ] && [ "$(grep -c '"type":"header"' "$1")" -ge 2 ]
}

queue_is_empty() {
    [ -z "$(squeue --noheader)" ]
}

@test "an array of four shards, requeued and cancelled in the middle, is exact in the end" {
    out=$SLURM_DIR/sweep
    options=(--engine cpu --threads 1 --n 128:1024:128 --workload 'dummy,edm1' --samples 31 --max-time 1)
    sweep=(scripts/sweep quick --slurm --tasks 4 --output "$out" --binary "$TRIBENCH"
        --sbatch=--cpus-per-task=1 --sbatch=--gres=none -- "${options[@]}")
    "${sweep[@]}"
    array=$(squeue --noheader --name=tribench-quick --format=%F | head -n 1)

    # Two tasks run at a time. One is requeued, one is cancelled.
    wait_for 60 has_runs "$out/quick-0.jsonl" 2
    wait_for 60 has_runs "$out/quick-1.jsonl" 2
    scontrol requeue "${array}_0"
    scancel "${array}_1"
    cp "$out/quick-0.jsonl" "$SLURM_DIR/before"

    wait_for 120 started_twice "$out/quick-0.jsonl"
    cmp -n "$(wc -c <"$SLURM_DIR/before")" "$SLURM_DIR/before" "$out/quick-0.jsonl"
    wait_for 120 queue_is_empty

    "$TRIBENCH" --strategy paper,ltm-x,ltm-n "${options[@]}" \
        --dry-run --format jsonl --quiet >"$SLURM_DIR/planned"
    keys planned "$SLURM_DIR/planned" >"$SLURM_DIR/wanted"
    [ "$(wc -l <"$SLURM_DIR/wanted")" -eq 128 ]
    [ "$(keys ok "$out"/quick-?.jsonl | wc -l)" -lt 128 ]
    mine=$("$TRIBENCH" --strategy paper,ltm-x,ltm-n "${options[@]}" --dry-run --format jsonl --quiet \
        --shard 0/4 | grep -c '"type":"run"')
    [ "$(keys ok "$out/quick-0.jsonl" | wc -l)" -eq "$mine" ]

    merge=(report/tribench-report merge "$out" --output "$SLURM_DIR/quick.json")
    run "${merge[@]}"
    [ "$status" -eq 1 ]
    [[ $output == *'of 128 runs, missing: '* ]]

    # The same command again does the rest.
    "${sweep[@]}"
    wait_for 120 queue_is_empty
    diff "$SLURM_DIR/wanted" <(keys ok "$out"/quick-?.jsonl)
    "${merge[@]}"
    "${PYTHON:-python3}" - "$SLURM_DIR/quick.json" "$SLURM_DIR/wanted" <<'END'
import json, sys
runs = json.load(open(sys.argv[1]))["runs"]
assert sorted(run["key"] for run in runs) == sorted(open(sys.argv[2]).read().split())
assert all(run["status"] == "ok" for run in runs)
END
}

@test "srun starts ranks, with the plug-in that MPI knows" {
    export ASAN_OPTIONS=detect_leaks=0 # those of MPI
    "$TRIBENCH" --ranks --engine cpu --n 1 --quiet >/dev/null 2>"$SLURM_DIR/err" || {
        grep -q "built without MPI" "$SLURM_DIR/err"
        skip "built without MPI"
    }
    srun --mpi=list 2>&1 | grep -q pmix || skip "this Slurm has no pmix"
    out=$SLURM_DIR/ranks
    options=(--engine cpu --threads 1 --strategy ltm-i --workload "edm4,life" --memory strip --n 211 --samples 2)
    cat >"$SLURM_DIR/job" <<END
#!/usr/bin/env bash
export SLURM_MPI_TYPE=pmix
srun --kill-on-bad-exit=1 -n 2 "$TRIBENCH" --ranks -o "$out.json" --quiet ${options[@]}
END
    sbatch --wait --ntasks=2 --output="$out.txt" "$SLURM_DIR/job" || { cat "$out.txt" && return 1; }
    "${PYTHON:-python3}" - "$out.json" <<'END'
import json, sys
runs = json.load(open(sys.argv[1]))["runs"]
assert len(runs) == 4 and all(run["ranks"]["count"] == 2 for run in runs), [run["key"] for run in runs]
assert all(run["status"] == "ok" and run["verified"]["status"] == "pass" for run in runs)
END
}
