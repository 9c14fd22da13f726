#!/usr/bin/env bats
# The cuda engine's kernels on the emulator: every kernel that a launch can choose, verified as on a GPU.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load ../cli/helpers

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
}

# RUNS ARGUMENT...: so many runs are verified, and none is wrong or fails; others are skipped with a reason.
verified() {
    local expected=$1
    shift
    run_tribench --engine cuda --quiet --samples 1 --warmup 0 --max-time 0.01 --format csv "$@"
    expect_status 0
    "$PYTHON" -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert all("emulated GPU" in r["device"] for r in rows)
bad = [r["key"] for r in rows if (r["status"], r["verified.status"]) != ("ok", "pass") and r["status"] != "skipped"]
passed = sum(r["verified.status"] == "pass" for r in rows)
assert not bad and passed == int(sys.argv[2]), (passed, bad[:5])' "$stdout" "$expected" || fails "$*"
}

@test "one cell per thread: every strategy with every workload" {
    verified 660 -s all -w all -n 1,17,50 --steps 2
}

@test "full layouts, and blocks that are not square" {
    verified 84 -s 2d -w write,edm4 -n 45 --layout full -b 16x4,32x8,8
    verified 60 -s 2d -w write,edm4 -n 70 --layout full -b 16x4,32x8,8 --tile 32
    verified 6 -s 3d -w write -n 20 --layout full
}

@test "tiles larger than the block: kernels for tiles where there are some, else loops" {
    verified 164 -s all -w all -n 70 --tile 32 --steps 2
    verified 164 -s all -w all -n 70 --tile 32 --steps 2 --kernel loop
    verified 27 -s bb,rec,ltm-i -w edm2,edm4,collision,life,gol,blur,water,extrema,dog -n 200 --tile 64 --steps 2
}

@test "persistent blocks: cells, loops and tiles" {
    verified 146 -s all -w all -n 70 --schedule persistent --steps 2
    verified 12 -s bb,rec,ltm-i -w edm1,collision,life,blur -n 200 --tile 64 --steps 2 --schedule persistent
}

@test "automata: every memory, width of a cell and domain, at odd numbers of steps" {
    local memory cell workload square=(--domain square)
    for memory in halo conditional shared aligned rect two-cell two-generation four-generation strip; do
        for cell in u32 u8 bit; do
            [[ $cell = bit && $memory != @(strip|four-generation) ]] && continue
            verified 3 -s bb,ltm-i,rec -w life -n 70 --steps 5 --memory "$memory" --cell "$cell"
            [ "$cell" = u32 ] || verified 3 -s bb,ltm-i,rec -w gol -n 70 --steps 5 --memory "$memory" --cell "$cell"
        done
        [ "$memory" = four-generation ] && continue
        for workload in blur water; do
            [[ $workload = water && $memory = strip ]] && continue
            verified 3 -s bb,ltm-i,rec -w "$workload" -n 70 --steps 3 --memory "$memory"
            verified 1 -s bb -w "$workload" -n 70 --steps 3 --memory "$memory" "${square[@]}"
        done
        [ "$memory" = two-generation ] && continue
        verified 6 -s bb,ltm-i,rec -w extrema,dog -n 70 --memory "$memory"
        verified 2 -s bb -w extrema,dog -n 70 --memory "$memory" "${square[@]}"
    done
}

@test "trees launch their children, isolated samples wait at the gate, graphs repeat a run" {
    verified 40 -s dp,rec-tetra,dp-tetra -w all -n 100 --cutoff 16 --steps 2
    verified 8 -s ltm-i,dp,rec -w edm4,life -n 100 --timing isolated --samples 3
    verified 3 -s rec,hmap -w edm1 -n 200 --samples 3 --warmup 3
}

@test "the last thread first: no kernel hangs on the order of its threads" {
    export TRIBENCH_EMULATOR_ORDER=reverse
    verified 220 -s all -w all -n 50 --steps 2
    verified 164 -s all -w all -n 70 --tile 32 --steps 2
}

@test "maps: each is right on the device" {
    run_tribench --engine cuda --quiet --check-maps=24 -s all
    expect_status 0
    [ "$(value_of '{s["exact"] for s in d["strategies"]}')" = '{True}' ] || fails "a map is wrong"
}

@test "ranks: parts of domains, and halos that go through the host" {
    mpirun=$(command -v mpirun) || skip "there is no mpirun"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
    shared() { # PARTITION ARGUMENT...: three ranks on the one device
        local partition=$1
        shift
        status=0 stdout=$BATS_TEST_TMPDIR/stdout stderr=$BATS_TEST_TMPDIR/stderr
        "$mpirun" --oversubscribe -n 3 "$TRIBENCH" --ranks --oversubscribe --partition "$partition" -n 90 "$@" \
            --engine cuda --quiet --samples 1 --warmup 0 --max-time 0.01 \
            >"$stdout" 2>"$stderr" </dev/null || status=$?
        expect_status 0
        [ "$(value_of '{(r["status"], r["verified"]["status"]) for r in d["runs"]}')" = "{('ok', 'pass')}" ] ||
            fails "$partition"
    }
    shared rows -s bb,rec,ltm-i -w edm4,collision,life,gol --steps 5
    shared cells -s bb,rec,ltm-i -w edm4,collision,life,gol --steps 5
    shared blocks -s ltm-i,ltm-x,utm-b -w edm4,collision
}
