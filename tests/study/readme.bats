#!/usr/bin/env bats
# study/readme on a copy of the texts, with part of the results of study/measure.

setup() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench}
    root=$PWD readme=$PWD/study/readme
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p build study docs mine
    cp "$root"/README.md .
    cp "$root"/docs/*.md docs
    ln -s "$root/report" report
    ln -s "$root/study/tribench_study" "$root/study/claims" study
    python=${PYTHON:-$root/build/venv/bin/python}
    ln -s "$(cd "$(dirname "$python")/.." && pwd)" build/venv
    printf '#!/usr/bin/env bash\necho "$*" >gallery\n' >study/gallery
    chmod +x study/gallery
    measured=$root/study/results/h200
}

# LABEL...: these parts of the shipped results
parts() {
    local label words=()
    for label in "$@"; do words+=("$measured.json.gz:$label"); done
    report/tribench-report merge --collect "${words[@]}" -o mine/gpu.json.gz
}

between() { # MARKER FILE
    sed -n "/<!-- tribench:$1 -->/,/<!-- \/tribench:$1 -->/p" "$2"
}

@test "a table for which there are no results stays as it is" {
    parts floors
    between example docs/record.md >example.before
    between maps docs/results-h200.md >maps.before
    [ -s example.before ]
    [ -s maps.before ]
    "$readme" mine/gpu.json.gz "$TRIBENCH" 2>err
    grep -q 'no results for example, it stays as it is' err
    grep -q 'no results for maps, it stays as it is' err
    [ "$(grep -c Traceback err)" -eq 0 ]
    between example docs/record.md | cmp - example.before
    between maps docs/results-h200.md | cmp - maps.before
    [ "$(cat gallery)" = mine/gpu.json.gz ]
}

@test "without a run there are no claims to compare" {
    cp "$measured-maps.json" mine/gpu-maps.json
    "$readme" mine/gpu.json.gz "$TRIBENCH" 2>err
    grep -q 'no results for docs/claims.md, it stays as it is' err
    cmp docs/claims.md "$root/docs/claims.md"
    [ "$(cat gallery)" = mine/gpu.json.gz ]
}

@test "the example and the maps are those of the results" {
    parts floors paper
    cp "$measured-maps.json" mine/gpu-maps.json
    between example "$root/docs/record.md" >example.before
    between maps "$root/docs/results-h200.md" >maps.before
    sed -i '/tribench:example/,/tribench:example/s/samples/?/' docs/record.md
    sed -i '/tribench:maps/,/tribench:maps/s/never/?/' docs/results-h200.md
    "$readme" mine/gpu.json.gz "$TRIBENCH" 2>err
    between example docs/record.md | cmp - example.before
    between maps docs/results-h200.md | cmp - maps.before
}

@test "the table that a reader sees first, and what was found, are those of the results" {
    # the last has the highest memory rate, which bounds the whole document
    parts beyond tiles edm-tile-packed dog-strip peers
    between front "$root/README.md" >front.before
    sed -i '/tribench:front/,/tribench:front/s/[0-9]/?/; /tribench:findings/,/tribench:findings/s/[0-9]/?/' README.md
    "$readme" mine/gpu.json.gz "$TRIBENCH" 2>err
    between front README.md | cmp - front.before
    # the claims, which come last, are those of other runs, too
    found() { between findings "$1" | sed '/published claims/,$d'; }
    [ "$(found README.md | wc -l)" -gt 3 ]
    diff <(found README.md) <(found "$root/README.md")
}

@test "each schedule stands beside the grid, and each check beside a fill" {
    local words=() one schedule
    for one in grid-2 dynamic-3; do # and the milliseconds that it takes
        schedule=${one%-*}
        report/tribench-report merge "$measured.json.gz:floors" | sed -E "s/(\"schedule\": )\"grid\"/\1\"$schedule\"/
            s/(\"median\": )[0-9.]+/\1${one#*-}/" >"schedule-any-$schedule.json"
        words+=("schedule-any-$schedule.json")
    done
    report/tribench-report merge --collect "${words[@]}" -o mine/gpu.json.gz
    printf '%s\n' workload,memory,cell,n,time_ns,dram_read_bytes write,,,30720,500000.0,1887498240.0 \
        gol,strip,bit,30720,100000.0,100000000.0 >mine/gpu-checks.csv
    "$readme" mine/gpu.json.gz "$TRIBENCH" 2>err
    between schedules docs/results-h200.md >found
    grep -q '^| .dummy. in 2D, one cell per thread | .bb. | 30,720 | 2.00 | – | 3.00 (1.50) |$' found
    between checks docs/results-h200.md >found
    grep -q '^| .write. | – | 0.500 | 1.89 | 1.2 |$' found
    grep -q '^| .gol. | strip, bit | 0.100 | 0.100 | 4.5 |$' found
}

@test "the time to a first table is by the clock and of the processors, of a build from nothing" {
    mkdir bin
    printf '#!/bin/sh\nmkdir -p build/cloned && cp /bin/true build/cloned/tribench\n' >bin/git
    # shellcheck disable=SC2016  # for the script
    printf '#!/bin/sh\n[ "$CCACHE_DISABLE" = 1 ]\n' >bin/make
    chmod +x bin/git bin/make
    PATH=$PWD/bin:$PATH "$readme" --clone
    between clone README.md | tr '\n' ' ' |
        grep -qE 'table .* [0-9]+ s, .* [0-9]+ s of processor time, on [0-9]+ cores .*at a load of [0-9]+ '
    [ ! -e build/cloned ]
    printf '#!/bin/sh\necho no compiler >&2\nexit 1\n' >bin/make
    PATH=$PWD/bin:$PATH run "$readme" --clone
    [ "$status" -eq 1 ] && [[ $output == *'no compiler'* ]]
}
