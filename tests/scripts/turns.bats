#!/usr/bin/env bats
# scripts/turns: the order of its runs, and its report on a slower build.

setup() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench}
    export PYTHON=${PYTHON:-$PWD/build/venv/bin/python}
    turns=$PWD/scripts/turns
    export PYTHONPATH=$PWD/report/tests:$PWD/report
    cd "$BATS_TEST_TMPDIR" || return
    for side in old new; do
        printf '#!/usr/bin/env bash\necho %s >>order\nexec "%s" "$@"\n' $side "$TRIBENCH" >$side
    done
    chmod +x old new
    tiny=(-- --quiet --engine cpu --threads 1 --strategy "bb,ltm-i" --workload cover --n 64 --samples 6 --warmup 0)
}

# Programs with simulated times: same and like differ by chance, slow takes 1.05 times as long.
builds() {
    "$PYTHON" -c 'import pathlib, synthetic
for name, factor, seed in ("same", 1.0, 0), ("like", 1.0, 50), ("slow", 1.05, 100):
    for turn in range(9):
        runs = synthetic.triangle(ns=(4096,), factor=factor, seed=seed + turn)
        synthetic.save(pathlib.Path(f"{name}-{turn}.jsonl"), runs)'
    for name in same like slow; do
        # shellcheck disable=SC2016  # for the program to expand
        printf '#!/usr/bin/env bash\nnext=("%s"-*.jsonl)\nmv "${next[0]}" "${!#}"\n' "$PWD/$name" >"$name"
        chmod +x "$name"
    done
}

@test "the order changes from turn to turn, and every file is compared" {
    "$turns" -o out old new "${tiny[@]}" >said
    [ "$(paste -sd' ' order)" = 'old new new old old new' ]
    [ "$(grep -c '"status":"ok"' out/old-3.jsonl)" -eq 2 ]
    grep -q '^2 keys: ' said
}

@test "a build that is slower is found, and its likes are not" {
    builds
    "$turns" --fail-on=slower -o equal same like -- --n 4096 >said
    grep -q '^15 keys: 15 SAME' said
    status=0
    "$turns" --fail-on slower -o slower same slow -- --n 4096 >said || status=$?
    [ "$status" -eq 1 ]
    grep -q '^15 keys: 15 SLOWER' said
    "$turns" --fail-on slower --threshold 6 --by=strategy -o within same slow -- --n 4096 >said
    grep -q '^STRATEGY  KEYS' said
}

@test "results of another build are not taken for these: the folder is a new one" {
    "$turns" --turns 1 --no-compare old new "${tiny[@]}"
    grep -q '"status":"ok"' results/turns-*/new-1.jsonl
    run "$turns" --turns 1 --no-compare -o results old new "${tiny[@]}"
    [ "$status" -eq 2 ]
    [[ $output == *"results is there"* ]]
}

@test "a signal stops it" {
    long=(-- --quiet --engine cpu --threads 1 --strategy "bb,ltm-i" --workload cover --n "64,4096" --samples 1000)
    env --default-signal=INT "$turns" --turns 1 --no-compare -o out old new "${long[@]}" 2>err 3>&- &
    script=$! status=0
    until grep -q '"status":"ok"' out/old-1.jsonl 2>/dev/null; do sleep 0.05; done
    kill -TERM "$script"
    wait "$script" || status=$?
    [ "$status" -eq 143 ]
    [ ! -e out/new-1.jsonl ]
}

@test "a command line that makes no sense ends with status 2, a program that is not there with 4" {
    for arguments in "old -- --n 64" "old new" "old new --" "old new new -- --n 64" "--turns 0 old new -- --n 64" \
        "--turns" "--fast old new -- --n 64"; do
        # shellcheck disable=SC2086  # words
        run "$turns" $arguments
        [ "$status" -eq 2 ] || { echo "$arguments: $status" && return 1; }
    done
    run "$turns" old there -- --n 64
    [ "$status" -eq 4 ]
    run "$turns" -o out old new -- --no-such-option
    [ "$status" -eq 2 ]
    [ ! -e out ]
}

@test "--dry-run says what would be run, and runs nothing" {
    run "$turns" --dry-run --turns 2 -o out old new -- --n 64
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 5 ]
    [[ ${lines[2]} == *"/new --n 64 --format jsonl --output out/new-2.jsonl" ]]
    [[ ${lines[4]} == *"report/tribench-report compare out/old-1.jsonl out/old-2.jsonl"* ]]
    [[ ${lines[4]} == *" -- out/new-1.jsonl out/new-2.jsonl" ]]
    [ ! -e out ]
}
