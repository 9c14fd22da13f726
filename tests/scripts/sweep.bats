#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031,SC2317  # bats runs each test in a subshell
# scripts/sweep on this machine, and the jobs that it would submit.

setup() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench}
    sweep=$PWD/scripts/sweep
    cd "$BATS_TEST_TMPDIR" || return
    tiny=(-- --engine cpu --threads 1 --n "64,128" --samples 6 --warmup 0)
}

ok_keys() { # FILE...
    cat "$@" | grep '"status":"ok"' | sed 's/.*"key":"\([^"]*\)".*/\1/' | sort
}

@test "a sweep is merged, and done once" {
    runs=$("$sweep" quick --dry-run "${tiny[@]}" 2>&1 | sed -n 's/.*quick has \([0-9]*\) runs.*/\1/p')
    [ "$runs" -gt 20 ]
    "$sweep" quick "${tiny[@]}"
    [ "$(grep -c '"status":"ok"' results/quick/quick.jsonl)" -eq "$runs" ]
    [ "$(grep -oE '"key": ?"[^"]*"' results/quick/quick.json | sort -u | wc -l)" -eq "$runs" ]
    "$sweep" quick "${tiny[@]}" 2>err
    grep -q "$runs of $runs runs are done" err
    [ "$(grep -c '"status":"ok"' results/quick/quick.jsonl)" -eq "$runs" ]
}

# Signals only the script, like `kill` or a batch system; the script must pass the signal on to tribench. The sweep
# takes hours, so it cannot end by itself, even on a busy machine.
stops_at_once() { # SIGNAL STATUS FILES OPTION...
    local file files=$3
    # Background jobs ignore these signals, and bash passes that on.
    env --default-signal=INT "$sweep" quick -o "$1" "${@:4}" -- --engine cpu --threads 1 --n 64,128,4096 \
        --samples 1000000 --max-time 600 2>"$1.err" 3>&- &
    local script=$! status=0
    for file in $files; do
        until grep -q '"type":"header"' "$1/$file.jsonl" 2>/dev/null; do sleep 0.05; done
    done
    kill -s "$1" "$script"
    timeout 100 tail --pid="$script" -f /dev/null
    wait "$script" || status=$?
    [ "$status" -eq "$2" ]
    for file in $files; do
        tail -n 1 "$1/$file.jsonl" | grep -q '"type":"footer"' # and so every line is whole
    done
    [ ! -e "$1/quick.json" ]
}

@test "a signal to the script alone ends the sweep, its file whole, and the same command goes on" {
    stops_at_once TERM 143 quick
    stops_at_once INT 130 quick
    "$sweep" quick --output=INT "${tiny[@]}" --n 64,128,256
    [ -s INT/quick.json ]
}

@test "the full sweep has a part in 3D, merged with the one in 2D" {
    names=$("$TRIBENCH" --list strategies | awk '/3D/ {print $1}')
    run "$sweep" full -- --engine cpu --threads 1 --n 16 --samples 6 --warmup 0 --max-time 1 --steps 3 \
        --memory=conditional
    [ "$status" -eq 0 ]
    for name in $names; do
        grep -q "\"key\": *\"cpu/write/$name/n16/" results/full/full.json
    done
    grep -qE '"key": *"cpu/write/ltm-r/n16/' results/full/full.json
    grep -q '"key":"cpu/triplet/ltm-tetra/n16/' results/full/full-3d.jsonl
    [ "$(grep -c '"status":"failed"' results/full/full-3d.jsonl)" -eq 0 ]
}

@test "a dry run says how many runs there are and writes nothing" {
    run "$sweep" paper --dry-run -- --engine cpu
    [ "$status" -eq 0 ]
    [[ $output == *'paper has 1200 runs'* ]]
    [ -z "$(ls -A)" ]
}

@test "a dry run of a submission is a command that a shell understands" {
    "$sweep" full --slurm --dry-run --tasks 3 --sbatch='--comment=two words' -- --engine cpu >submit 2>err
    bash -n submit
    [ "$(grep -c -- "--array=0-2 .*two\\\\ words.*/sweep.sbatch results/full/full-[23]d --strategy" submit)" -eq 2 ]
    [ ! -e results ]
}

site_sweep() { # in site.json
    cat >site.json <<'END'
{
  "options": {"engine": "cpu", "threads": 1, "samples": 6, "warmup": 0},
  "blocks": [
    {"strategy": ["bb", "ltm-i"], "workload": "edm4", "n": [64, 96]},
    {"name": "tetra", "strategy": "3d", "workload": "write", "n": "8:16:8", "block": 4, "samples": 7,
     "verify": "beyond"}
  ]
}
END
}

@test "a sweep file: its blocks are parts of one result, and go on where they stopped" {
    site_sweep
    "$sweep" site.json 2>err
    [ "$(ok_keys results/site/site-1.jsonl | wc -l)" -eq 4 ]
    ok_keys results/site/site-tetra.jsonl | grep -q '^cpu/write/ltm-tetra/n16/b4x4x4/.*/inexact'
    grep -q '"samples": *{"count": *7,' results/site/site.json
    runs=$(grep -c '"status":"ok"' <(cat results/site/*.jsonl))
    [ "$(grep -o '"key": *"[^"]*"' results/site/site.json | sort -u | wc -l)" -eq "$runs" ]
    "$sweep" site.json -- --n 16 2>err # options behind -- come last
    grep -q '/ltm-i/n16/' results/site/site.json
}

@test "a sweep is merged from its own files, whatever else is in the folder" {
    for name in a b; do
        strategies=bb
        [ $name = a ] || strategies=bb,rec
        echo '{"blocks": [{"name": "x", "strategy": "'$strategies'", "workload": "dummy"}]}' >$name.json
        "$sweep" $name.json -o both "${tiny[@]}" 2>err
    done
    rm both/a-x.jsonl
    "$sweep" a.json -o both "${tiny[@]}" 2>err
    median() { grep -o '"median": *[0-9.e-]*' "$1" | head -n 1 | tr -d ' '; }
    [ "$(median both/a.json)" = "$(median both/a-x.jsonl)" ]
    [ "$(grep -c '/rec/' both/a.json)" -eq 0 ]
}

@test "the sweep file of docs/cluster.md works" {
    sed -n '/^where `site.json` is/,/^    }/s/^    //p' "$(dirname "$sweep")/../docs/cluster.md" >site.json
    run "$sweep" site.json --dry-run -- --engine cpu
    [ "$status" -eq 0 ]
    [[ $output == *'site-1 has 72 runs'*'site-tetra has '*'--block=4 --engine cpu'* ]]
}

@test "a sweep file that is wrong is rejected with what is wrong" {
    bad() { # WORD JSON
        echo "$2" >bad.json
        run "$sweep" bad.json
        [ "$status" -eq 2 ]
        [[ $output == *bad.json*"$1"* ]]
        [ ! -e results ]
    }
    bad 'is not JSON' '{"blocks": [}'
    bad "'blocks' is not a list" '{"options": {}}'
    bad "got 'bloks'" '{"bloks": []}'
    bad "'output' is no option" '{"blocks": [{"output": "x.json"}]}'
    bad "'outp' is no option" '{"options": {"outp": "precious.txt"}, "blocks": [{}]}'
    bad "'strat' is no option" '{"blocks": [{"strat": "bb"}]}'
    bad 'expected text, a number or a list' '{"blocks": [{"n": {"from": 1}}]}'
    bad 'name of its own' '{"blocks": [{"name": "a b"}]}'
    bad 'name of its own' '{"blocks": [{"name": "2"}, {"n": 64}]}'
    bad 'name of its own' '{"blocks": [{"name": "a"}, {"name": "a-2"}]}'
    run "$sweep" nowhere.json
    [ "$status" -eq 2 ]
    [[ $output == *'cannot be read'* ]]
}

@test "a sweep file may have every option that scripts/sweep does not set" {
    "$TRIBENCH" --help=all | sed -nE 's/^ +(-[a-zA-Z], )?--([a-z-]+).*/\2/p' | sort -u |
        grep -vxE 'output|format|resume|shard|device|quiet|verbose|color|dry-run|list|show|'\
'check-maps|dump|emit|help|version' >names
    [ "$(wc -l <names)" -gt 25 ]
    sed 's/.*/"&": false/' names | paste -sd, | sed 's/.*/{"options": {&}, "blocks": [{}]}/' >all.json
    "${sweep}-file" all.json
}

# `jobs` has a line for each submitted job.
fake_sbatch() {
    mkdir -p bin
    cat >bin/sbatch <<END
#!/usr/bin/env bash
echo "\$*" >>"$PWD/jobs"
wc -l <"$PWD/jobs"
END
    chmod +x bin/sbatch
    PATH=$PWD/bin:$PATH
}

@test "blocks of a sweep file are arrays, whose files are merged when they have ended" {
    fake_sbatch
    site_sweep
    "$sweep" site.json --slurm --tasks 3 --sbatch=--time=10 --sbatch=--array=0-7%2 2>err
    [ "$(wc -l <"jobs")" -eq 2 ]
    grep -q -- '--array=0-2 .*--time=10 --array=0-7%2 .*/sweep.sbatch results/site/site-1 .*--n=64,96' jobs
    grep -q -- '/sweep.sbatch results/site/site-tetra .*--verify=beyond' jobs
    grep -q 'submitted jobs 1 2;' err
    for task in 0 1; do
        "$TRIBENCH" "${tiny[@]:1}" --strategy bb,ltm-i --workload dummy --shard $task/2 --quiet \
            --output results/site/site-1-$task.jsonl
    done
    sh -c "$(tail -n 1 err)"
    grep -q '/ltm-i/n128/' results/site/site.json
}

# A machine with two GPUs, as far as the options go. A file records the device of each process.
two_gpus() {
    cat >two-gpus <<END
#!/usr/bin/env bash
if [[ \$* == *'--list devices'* ]]; then
    echo '[{"kind": "device", "name": "GPU A", "ordinal": 0}, {"kind": "device", "name": "GPU B", "ordinal": 1}]'
    exit
fi
words=()
while [ \$# -gt 0 ]; do
    case \$1 in
    --device) echo "\$2" >>"$PWD/used" && shift 2 ;;
    *) words+=("\$1") && shift ;;
    esac
done
exec "$TRIBENCH" "\${words[@]}"
END
    chmod +x two-gpus
}

@test "all devices share a sweep, each with groups of its own, and a stopped one goes on" {
    two_gpus
    "$sweep" quick --devices all --binary two-gpus "${tiny[@]}" 2>err
    [ "$(sort used | tr '\n' ' ')" = '0 1 ' ]
    [ "$(ok_keys results/quick/quick-?.jsonl | uniq | wc -l)" -eq 80 ]
    [ "$(ok_keys results/quick/quick-0.jsonl | wc -l)" -ge 32 ]
    [ "$(ok_keys results/quick/quick-1.jsonl | wc -l)" -ge 32 ]
    [ "$(grep -o '"key": *"[^"]*"' results/quick/quick.json | sort -u | wc -l)" -eq 80 ]
    [ -e results/quick/log/quick-0.txt ]
    [ -e results/quick/log/quick-1.txt ]
    ok_keys results/quick/quick-?.jsonl >before
    "$sweep" quick --devices 0,1 --binary two-gpus "${tiny[@]}" 2>err
    ok_keys results/quick/quick-?.jsonl | diff before -
}

@test "a signal ends the processes of all devices, their files whole" {
    two_gpus
    stops_at_once TERM 143 'quick-0 quick-1' --devices all --binary two-gpus
}

@test "a task of an array that holds two GPUs runs two shards" {
    two_gpus
    for task in 4 6; do
        TRIBENCH=$PWD/two-gpus SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_STEP=2 \
            SLURM_ARRAY_TASK_COUNT=2 SLURM_GPUS_ON_NODE=2 bash "$(dirname "$sweep")/sweep.sbatch" "$PWD/array/edm" \
            --strategy paper --workload edm4 --n 64:512:64 --samples 2 --warmup 0 --quiet
    done
    [ "$(sort used | tr '\n' ' ')" = '0 0 1 1 ' ]
    [ "$(ls array)" = "$(printf 'edm-%s.jsonl\n' 4-0 4-1 6-0 6-1)" ]
    "$(dirname "$sweep")/../report/tribench-report" merge array -o all.json # exits with 1 when a shard is missing
    [ "$(ok_keys array/*.jsonl | uniq | wc -l)" -eq 48 ]
}

rejected() { # STATUS WORD ARGUMENT...
    local wanted=$1 word=$2
    shift 2
    run "$sweep" "$@"
    [ "$status" -eq "$wanted" ]
    [[ $output == *"$word"* ]]
    [ -z "$(ls -A)" ]
}

@test "wrong use is rejected with a word on what is wanted" {
    rejected 2 'paper, quick or full'
    rejected 2 "no sweep 'papr'" papr
    rejected 2 "got 'quick' and 'full'" quick full
    rejected 2 "unknown option '--fast'" --fast quick
    rejected 2 '--tasks: expected' --tasks 0 quick
    rejected 2 '--output: expected a value' quick --output
    rejected 2 "got '0,x'" --devices 0,x quick
    rejected 2 'is for this machine' --devices all --slurm quick
    rejected 4 "no program '/nowhere'" quick --binary /nowhere
    rejected 2 "got '6x'" quick -- --n 6x
}

@test "clocks are locked for the sweep, and reset however it ends" {
    two_gpus
    mkdir bin
    printf '#!/bin/sh\necho "$*" >>smi\n[ ! -e fails ] || exit 1\n' >bin/nvidia-smi
    chmod +x bin/nvidia-smi
    PATH=$PWD/bin:$PATH "$sweep" quick --lock-clocks 1500 --devices 0,1 --binary two-gpus "${tiny[@]}" 2>err
    [ "$(cat smi)" = $'--id 0,1 --lock-gpu-clocks=1500\n--id 0,1 --reset-gpu-clocks' ]
    touch fails
    PATH=$PWD/bin:$PATH run "$sweep" quick -o other --lock-clocks=1500 "${tiny[@]}"
    [ "$status" -eq 1 ]
    [[ $output == *'nvidia-smi cannot'* ]]
    [ ! -e other/quick.jsonl ]
    run "$sweep" quick --lock-clocks 1.5GHz "${tiny[@]}"
    [ "$status" -eq 2 ]
}
