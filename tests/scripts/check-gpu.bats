#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031  # bats runs each test in a subshell
# The GPU checks of a bundle: cuda_check's choice of checks, and check-gpu with stand-ins for the programs.

setup() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench}
    cuda_check=${TRIBENCH%/*}/tests/cuda_check
    [ -x "$cuda_check" ] || cuda_check=build/cpu/tests/cuda_check
}

@test "cuda_check: a name that no check has is an error, beside names that some have, too" {
    for names in nope 'nope*' 'bb nope' '--list nope'; do
        # shellcheck disable=SC2086  # words
        run "$cuda_check" $names
        [ "$status" -eq 1 ]
        [[ $output == *"no check is called 'nope"*": see cuda_check --list" ]]
    done
    TD_TEST=nope run "$cuda_check"
    [ "$status" -eq 1 ]
    run "$cuda_check" --sanitize
    [ "$status" -eq 2 ]
}

@test "cuda_check: names choose" {
    [ "$("$cuda_check" --list bb 'tiles/rec*')" = $'bb\ntiles/rec\ntiles/rec-tetra' ]
    [ "$("$cuda_check" --list 'large*' group_is_sampled_in_rounds)" = \
        $'large_tetrahedra_are_written\ngroup_is_sampled_in_rounds' ]
    [ "$("$cuda_check" --list | sort | uniq -d)" = '' ]
    [ "$("$cuda_check" --list | wc -l)" -gt 35 ]
}

# ---- the script, in a bundle of stand-ins that record their calls

bundle() {
    cp tests/cuda/check-gpu "$BATS_TEST_TMPDIR/"
    cd "$BATS_TEST_TMPDIR" || return
    export CALLS=$PWD/calls
    program cuda_check <<'END'
[[ " $* " != *' nope '* ]] || { echo "no check is called 'nope'" >&2 && exit 1; }
[ "$1" != --list ] || exit 0
echo "cuda_check $*" >>"$CALLS"
echo "[  PASSED  ] 5 test(s)."
exit "${CHECKS_END:-0}"
END
    program pairs <<'END'
echo pairs >>"$CALLS"
END
    program check-own <<'END'
echo "check-own" >>"$CALLS"
exit "${OWN_ENDS:-0}"
END
    program tribench <<'END'
echo "tribench $*" >>"$CALLS"
record='{"type":"run","workload":"life","status":"planned","parameters":{"memory":"halo","cell":"u8","steps":5}}'
case "$*" in
*--list=strategies*) sed 's/^/ /' <<'LIST' ;;
{"kind":"strategy","name":"bb","dimension":2,"maps":"block","tree":false,"by_rows":false}
{"kind":"strategy","name":"rows","dimension":2,"maps":"block","tree":false,"by_rows":true}
{"kind":"strategy","name":"rb","dimension":2,"maps":"thread","tree":false,"by_rows":false}
{"kind":"strategy","name":"bb-tetra","dimension":3,"maps":"block","tree":false,"by_rows":false}
{"kind":"strategy","name":"dp","dimension":2,"maps":"block","tree":true,"by_rows":false}
LIST
*--list=workloads*)
    echo '{"kind":"workload","name":"life","parameters":[{"name":"memory","kind":"choice","choices":["auto","halo"]},' \
        '{"name":"cell","kind":"choice","choices":["auto","u8","bit"]}]}'
    ;;
*--dry-run*bit*) exit 2 ;;
*--dry-run*) echo "$record" ;;
*--output*)
    all=$*
    file=${all#*--output }
    for _ in 1 2; do echo '{"status":"ok","verified":{"status":"pass"}}'; done >"${file%% *}"
    exit "${TRIBENCH_ENDS:-0}"
    ;;
esac
END
    mkdir bin
    program bin/compute-sanitizer <<'END'
echo "sanitizer $*" >>"$CALLS"
tool=$2
found=0
case $* in
*--fault*) found=${SEEN:-1} ;;
*) [ "$tool" != "${FINDING:-}" ] || found=3
    while [[ $1 = --* ]]; do shift 2; done
    [ "${RUNS:-1}" -eq 0 ] || "$@" || status=$? ;;
esac
[ "$tool" != "${SILENT:-}" ] || exit 0
case $tool in
racecheck) echo "========= RACECHECK SUMMARY: $found hazards displayed ($found errors, 0 warnings)" ;;
*) echo "========= ERROR SUMMARY: $found errors" ;;
esac
[ "$found" -eq 0 ] || exit 86
exit "${status:-0}"
END
    export PATH=$PWD/bin:$PATH
}

program() { # NAME <SCRIPT
    { echo '#!/usr/bin/env bash' && cat; } >"$1"
    chmod +x "$1"
}

says() { # STATUS WORDS...: of the last run
    [ "$status" -eq "$1" ] || { echo "exit status $status:" && head -n 20 <<<"$output" && return 1; }
    for words in "${@:2}"; do
        [[ $output = *"$words"* ]] || { echo "does not say '$words':" && head -n 20 <<<"$output" && return 1; }
    done
}

ends() { # STATUS WORDS ARGUMENT...: check-gpu, which says these words
    run ./check-gpu "${@:3}"
    says "$1" "$2"
}

@test "check-gpu: the checks, then pairs, a workload from a file and tribench" {
    bundle
    ends 0 '[  PASSED  ] 5 test(s).' a 'tiles/*'
    [ "$(<calls)" = "cuda_check a tiles/*
pairs
check-own
tribench --engine cuda --strategy all --n 1000 --workload all --samples 5 --format table" ]
}

@test "check-gpu: what fails is the exit status, and the rest runs" {
    bundle
    CHECKS_END=1 ends 1 ''
    [ "$(wc -l <calls)" -eq 4 ]
    OWN_ENDS=1 ends 1 ''
    OWN_ENDS=4 run ./check-gpu # nothing that compiles for a GPU
    says 0 'check-own is left out'
    program pairs <<<'exit 1'
    ends 1 ''
    program pairs <<<'exit 0'
    program tribench <<<'exit 4'
    ends 1 ''
    rm pairs # a bundle without nvcc
    program tribench <<<'exit 0'
    ends 0 ''
}

@test "check-gpu: unknown names and options" {
    bundle
    ends 1 "no check is called 'nope'" nope
    [ ! -e calls ]
    ends 2 'there is no option --sanitise' --sanitise
    ends 2 'no tool leakcheck' --sanitize leakcheck
    ends 2 '--jobs: expected a number' --jobs
    ends 2 "got '0'" --sanitize --jobs 0
    ends 2 'are for --sanitize' --jobs 3
    ends 2 'are for --sanitize' --part 1/2
    for part in '' 3 0/2 3/2 1/0 a/b; do
        ends 2 "--part: expected I/K with I from 1 to K, got '$part'" --sanitize --part "$part"
    done
    ends 0 'usage: check-gpu' --help
}

@test "check-gpu --sanitize: each tool with each line, its own fault first" {
    bundle
    run ./check-gpu --sanitize --jobs 4
    says 0 'ok    racecheck: 2 runs: -s 2d -w all -n 1,70,300 --kernel tile' ', 0 errors'
    all=$(grep -c '^sanitizer ' calls)
    count=$(($(grep -c '^sanitizer .*--tool memcheck' calls) - 1))
    [ "$count" -gt 20 ]
    says 0 "check-gpu: $(((all - 4) * 2)) runs under memcheck racecheck initcheck synccheck, 0 errors"
    [ "$(grep -c 'cuda_check --fault ' calls)" -eq 4 ]
    [ "$(grep -c 'sanitizer.* --target-processes all .*--error-exitcode 86' calls)" -eq "$all" ]
    grep -q 'sanitizer --tool synccheck .*/tribench --engine cuda .* -w life --memory halo --steps 5 -s bb ' calls
    [ "$(grep -c -- '--cell bit' <(grep '^sanitizer' calls))" -eq 0 ]
    # kernels that launch kernels: dp alone and each memory of it
    trees=$(grep -cE -- '--tool memcheck .* -s dp ' calls)
    [ "$trees" -ge 2 ]
    [ "$(grep -cE -- '-s dp ' <(grep '^sanitizer' calls))" -eq "$trees" ]
    [ "$all" -eq $((4 * (count + 1) - 3 * trees)) ]
    says 0 "check-gpu: $((3 * trees)) command lines of dp are memcheck's alone"
    ends 0 "check-gpu: $((count * 2)) runs under memcheck, 0 errors" --sanitize memcheck
    [[ $output != *alone* ]]
}

@test "check-gpu --sanitize --part: each line is in one of the parts" {
    bundle
    lines_of() { # ARGUMENT...
        rm -f calls
        run ./check-gpu --sanitize --jobs 4 "$@" initcheck
        [ "$status" -eq 0 ] || return
        sed -n 's/^sanitizer .*\.jsonl //p' calls
    }
    lines_of | sort >whole
    { lines_of --part 1/3 && lines_of --part 2/3 && lines_of --part 3/3; } | sort >parts
    [ "$(wc -l <whole)" -gt 20 ]
    diff whole parts
    ends 0 'runs under initcheck, part 2/3, 0 errors' --sanitize --part 2/3 initcheck
}

@test "check-gpu --sanitize: errors, silence, no runs, a fault unseen and tribench's own status are failures" {
    bundle
    FINDING=racecheck run ./check-gpu --sanitize --part 1/9 memcheck racecheck
    says 1 'FAIL  racecheck: 3 errors: ' 'RACECHECK SUMMARY: 3 hazards' 'ok    memcheck'
    [[ ${output##*$'\n'} != *' 0 errors' ]]
    SILENT=synccheck run ./check-gpu --sanitize --part 1/9 synccheck
    says 1 'synccheck does not find an error that is there' 'synccheck has no summary'
    RUNS=0 run ./check-gpu --sanitize --part 1/9 memcheck
    says 1 'memcheck: nothing was run' 'check-gpu: 0 runs under memcheck'
    SEEN=0 run ./check-gpu --sanitize --part 1/9 initcheck
    says 1 'initcheck does not find an error that is there' ', 1 errors'
    TRIBENCH_ENDS=3 ends 1 'memcheck: exit status 3' --sanitize --part 1/9 memcheck
    rm bin/compute-sanitizer
    CUDA_HOME=$PWD PATH=/usr/bin:/bin ends 1 'there is no compute-sanitizer' --sanitize
}
