#!/usr/bin/env bats
# make wheel: pip installs it anywhere, and the four commands run from there. On the host's cores: a wheel with CUDA is
# built the same way.

setup_file() {
    export made=$PWD/build venv=$BATS_FILE_TMPDIR/venv
    rm -f build/tribench-*.whl
    env -u MAKEFLAGS -u MAKELEVEL make --silent CUDA=0 wheel
    "$PYTHON" -m venv --without-pip "$venv"
    "$PYTHON" -m pip --python "$venv/bin/python" install --quiet --no-index --no-deps "$made"/tribench-*.whl
    # The wheel's dependencies, without a network.
    "$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
        >"$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tools.pth"
}

@test "it runs from glibc 2.28 on, says auditwheel, and leaves no library to be found" {
    [[ $(echo "$made"/tribench-*.whl) = *"-py3-none-manylinux_2_28_$(uname -m).whl" ]]
    run "$PYTHON" -m auditwheel show "$made"/tribench-*.whl
    [ "$status" -eq 0 ]
    [[ $output =~ manylinux_2_(17|2[4-8])_ ]]
    run ldd "$venv"/lib/python3*/site-packages/tribench/bin/tribench
    [ "$(grep -c 'tribench.libs/libcjson' <<<"$output")" -eq 1 ]
    [[ $output != *libmpi* && $output != *libgomp* ]]
}

@test "it knows what the processor can do, and uses all of its cores, as a build for this machine does" {
    for program in "$venv/bin/tribench" "$TRIBENCH"; do
        "$program" --quiet --engine cpu -s bb -w edm4 -n 64 --samples 2 --warmup 0 -f json |
            "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["environment"]["cpu"])'
    done | uniq -c >"$BATS_TEST_TMPDIR/cpus"
    cat "$BATS_TEST_TMPDIR/cpus"
    [[ $(<"$BATS_TEST_TMPDIR/cpus") =~ ^\ +2\  ]]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/cpus")" -eq 1 ]
}

@test "a workload that is a file, whose half for the host it loads" {
    cp workloads/write.h "$BATS_TEST_TMPDIR/mine.h"
    XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache "$venv/bin/tribench" --quiet --engine cpu --strategy 2d \
        --workload "$BATS_TEST_TMPDIR/mine.h" --n 50 --samples 1 --warmup 0 --format csv | grep -q ',pass,'
}

@test "its four commands run, from another folder" {
    cd "$BATS_TEST_TMPDIR"
    unset TRIBENCH PYTHON
    version=$(sed -n 's/^VERSION := //p' "$BATS_TEST_DIRNAME/../../Makefile")
    words=(--engine cpu --n 64 --samples 3 --warmup 0 --threads 1 --max-time 0.01)
    [[ $("$venv/bin/tribench" --version) = "tribench $version"* ]]
    "$venv/bin/tribench-sweep" quick -- "${words[@]}"
    "$venv/bin/tribench-report" table results/quick/quick.json --kind time | grep -q ltm-x
    "$venv/bin/tribench-turns" "$venv/bin/tribench" "$venv/bin/tribench" -- --strategy bb "${words[@]}"
}

@test "its maps are functions for other languages, made from its headers" {
    cd "$BATS_TEST_TMPDIR"
    "$venv/bin/python" -c 'from tribench.maps.python import rb_b, rb_b_grid
assert rb_b_grid(4) == (2, 5, 1) and [int(one) for one in rb_b(1, 0, 4)] == [3, 2, 1]'
    unset PYTHON
    "$venv/bin/tribench" --emit triton -s ltm-i | grep -q '^def ltm_i(x, n):'
}

@test "it has the headers and the licence" {
    headers=$(echo "$venv"/lib/python3*/site-packages/tribench/include/tribench)
    [ -s "$headers/ltm_i.h" ]
    [ -s "$headers/kernel/workloads/own.h" ] # for --workload FILE.h
    info=$(echo "$venv"/lib/python3*/site-packages/tribench-*.dist-info)
    [ -s "$info/licenses/LICENSE" ]
    grep -q '^License-Expression: MIT' "$info/METADATA"
    grep -q '^Classifier: Environment :: GPU :: NVIDIA CUDA' "$info/METADATA"
    grep -q '^Requires-Dist: pandas' "$info/METADATA"
    grep -q '^Requires-Dist: altair.*extra == "plot"' "$info/METADATA"
}
