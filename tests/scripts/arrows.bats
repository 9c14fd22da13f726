#!/usr/bin/env bats
# scripts/arrows finds every arrow that points up, and no others.

setup() {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"/{run,report,engine/core,engine/cuda,engine/options,strategies,workloads}
    touch "$tree"/{run/tune.h,engine/core/run.h,report/json.h,strategies/{a,numbers,device}.h,workloads/w.h}
    printf '#include "engine/core/run.h"\n#include "report/json.h"\n#include <stdio.h>\n' |
        tee "$tree/run/driver.c" >"$tree/main.c"
    printf '#include "engine/core/run.h"\n#include "json.h"\n' >"$tree/report/json.c"
    printf '#include "strategies/a.h"\n#include "run.h"\n' >"$tree/engine/core/run.c"
    printf '#include "engine/cuda/c.cuh"\n' >"$tree/engine/options/engines.c"
    touch "$tree/engine/engine.h"
    printf '#include "engine/core/run.h"\n#include "workloads/w.h"\n' >"$tree/engine/cuda/c.cuh"
    printf '#include "strategies/numbers.h"\n#include "strategies/device.h"\n' >"$tree/workloads/w.h"
}

sees() { # FILE INCLUDED
    echo "#include \"$2\"" >>"$tree/$1"
    run scripts/arrows "$tree"
    [ "$status" -eq 1 ]
    [[ $output == *"$1:"* ]]
}

@test "arrows that point down are fine" {
    scripts/arrows "$tree"
}

@test "the program's own arrows point down" {
    scripts/arrows
}

@test "the report has never heard of what drives it" { sees report/json.c run/tune.h; }
@test "the engine knows no JSON" { sees engine/core/run.c report/json.h; }
@test "nor does what lies below the engine's folder" { sees engine/cuda/c.cuh report/json.h; }
@test "a strategy has never heard of a workload" { sees strategies/a.h workloads/w.h; }
@test "a workload has never heard of a map" { sees workloads/w.h strategies/a.h; }
@test "a workload knows nothing of the engine" { sees workloads/w.h engine/core/run.h; }
@test "a strategy knows nothing of the engine" { sees strategies/a.h engine/core/run.h; }
@test "a room of the engine uses no room behind it" { sees engine/core/run.c engine/cuda/c.cuh; }
@test "nor what is at the top of the engine" { sees engine/core/run.c engine/engine.h; }
@test "no two files of the program have one name" {
    touch "$tree/report/run.c"
    run scripts/arrows "$tree"
    [ "$status" -eq 1 ]
    [[ $output == *"report/run.c: engine/core has"* ]]
}
@test "nobody includes a test" { sees report/json.c tests/test.h; }

@test "what knows the study is found" {
    mkdir -p "$tree/scripts"
    echo '# as in study/README.md' >"$tree/scripts/README.md"
    mkdir -p "$tree/report/tribench_report.egg-info" # which pip install ./report leaves, with the README in it
    echo 'study/README.md' >"$tree/report/tribench_report.egg-info/PKG-INFO"
    scripts/arrows "$tree"
    echo 'study/measure' >"$tree/scripts/sweep"
    run scripts/arrows "$tree"
    [ "$status" -eq 1 ]
    [[ $output == *"scripts/sweep:1:"* ]]
}
