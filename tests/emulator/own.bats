#!/usr/bin/env bats
# Workloads from files on the cuda engine: compiled by a stand-in for nvcc, loaded and verified on the emulator.
# shellcheck disable=SC2154  # status, stdout and stderr come from helpers

load helpers

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    export CUDA_HOME=$PWD/tests/emulator/toolkit XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    own=$BATS_TEST_TMPDIR/own.h
}

# A workload of a header in the tree, as a user's file.
copy_of_edm4() {
    sed '/^TD_EDM_WORKLOAD([123],/d' workloads/edm.h >"$own"
}

dumped() { # FILE.npy ARGUMENT...
    run_tribench --engine cuda --quiet --samples 1 --warmup 0 --max-time 0.01 --baseline none --dump "$@"
    expect_status 0
}

@test "a header of the tree as a file: every map, layout, kernel and schedule" {
    copy_of_edm4
    verified 30 -s 2d -w "$own" -n 17,50
    verified 24 -s 2d -w "$own" -n 45 --layout full -b 16x4,8
    verified 10 -s 2d -w "$own" -n 70 --tile 32
    verified 10 -s 2d -w "$own" -n 70 --tile 64 -b 16 --schedule persistent
}

@test "whole rows: with the file's kernel for tiles alone" {
    local schedule
    for schedule in grid persistent dynamic; do
        verified 6 -s rows,rows-lpt,rows-fold -w examples/softmax.h -n 33,100 --kernel tile --schedule $schedule
    done
    run_tribench --engine cuda --quiet -s rows -w examples/softmax.h -n 33
    expect_status 2
    grep -q 'computes whole rows, on the cuda engine with --kernel tile alone' "$stderr"
}

@test "an example with a kernel for tiles: products, at odd N and K" {
    verified 4 -s bb,ltm-i -w examples/gram.h -n 33,70 --set columns=45 --kernel tile --schedule grid
    verified 1 -s rb-b -w examples/gram.h -n 100 --kernel tile --schedule persistent --layout full --baseline none
}

@test "the output is that of the same workload of the list, byte for byte" {
    local layout
    copy_of_edm4
    for layout in packed full; do
        dumped "$BATS_TEST_TMPDIR/list.npy" -s ltm-r -w edm4 -n 77 --layout $layout
        dumped "$BATS_TEST_TMPDIR/file.npy" -s rec -w "$own" -n 77 --layout $layout
        cmp "$BATS_TEST_TMPDIR/list.npy" "$BATS_TEST_TMPDIR/file.npy" || fails "$layout"
    done
}

@test "maps from files: every kind of workload, kernel and schedule; the output is the built-in map's" {
    local m=$BATS_TEST_TMPDIR
    cp strategies/rb_b.h strategies/rb.h strategies/rb_tetra.h "$m"
    printf '%s\n' '#include "strategies/own.h"' 'TD_FN td_pair td_line_pair(uint64_t index, uint32_t n)' '{' \
        '    td_pair at = {0, (uint32_t)index};' '    for (; at.col > at.row && at.row < n; at.row++) {' \
        '        at.col -= at.row + 1;' '    }' '    return at;' '}' >"$m/line.h"
    copy_of_edm4
    verified 15 -s "$m/rb_b.h,$m/rb.h,$m/line.h" -w edm4,dummy,gol,collision,"$own" -n 50
    verified 2 -s "$m/rb_b.h,$m/line.h" -w edm4 -n 70 --layout full -b 16x4
    verified 12 -s "$m/rb_b.h,$m/line.h" -w edm4,life --memory strip -n 130 --kernel tile \
        --schedule grid,persistent,dynamic
    verified 6 -s "$m/line.h" -w edm4 -n 70 --tile 32 --kernel loop,tile --schedule grid,persistent,dynamic
    verified 4 -s "$m/rb_tetra.h" -w write,triplet,life,accumulate -n 20
    dumped "$m/list.npy" -s rb-b -w edm4 -n 77
    dumped "$m/file.npy" -s "$m/rb_b.h" -w edm4 -n 77
    cmp "$m/list.npy" "$m/file.npy"
    run_tribench --engine cuda --check-maps=40 -q -s "$m/line.h,ltm-i,utm" -f table
    expect_status 0
    [ "$(grep -c 'exact to n = 40 ' "$stdout")" -eq 3 ] || fails "not exact"
}

@test "a workload of space, and a sum" {
    cp workloads/write3.h "$own"
    verified 10 -s 3d -w "$own" -n 9,20
    verified 6 -s 3d -w "$own" -n 20 --layout full --tile 16 -b 8
}

@test "its own kernel for whole tiles, in a grid and in blocks that stay" {
    local schedule
    cp tests/cuda/tiled.h "$own"
    verified 10 -s 2d -w "$own" -n 70 --tile 32 --kernel tile
    verified 10 -s 2d -w "$own" -n 70 --tile 32 --kernel loop --schedule dynamic
    for schedule in grid persistent dynamic; do
        dumped "$BATS_TEST_TMPDIR/tiles.npy" -s ltm-i -w "$own" -n 70 --tile 32 \
            --kernel tile --schedule $schedule
        "$PYTHON" -c 'import numpy, sys; assert (numpy.load(sys.argv[1]) == 2).all()' "$BATS_TEST_TMPDIR/tiles.npy" ||
            fails "$schedule"
    done
    sed -i 's/TD_TILED_WORDS = 15000/TD_TILED_WORDS = 60000/' "$own" # more than a block can have
    run_tribench --engine cuda --quiet -s ltm-i -w "$own" -n 70 --tile 32 --kernel tile --baseline none
    expect_status 1
}

# FILE RUNS FACTS ARGUMENT...: what the records say that a plain loop on the engine shows.
facts() {
    local file=$1 runs=$2 expected=$3
    verified "$runs" -w "$file" -n 30 -o -:csv -o "$BATS_TEST_TMPDIR/all.json:json" "${@:4}"
    cp "$BATS_TEST_TMPDIR/all.json" "$stdout"
    [ "$(value_of '{(*[r["verified"][k] for k in ("by", "unwritten", "first_unwritten", "not_finite")],
        0 < (r["verified"]["host_ulp"] or 0) < 5) for r in d["runs"] if r["status"] == "ok"}')" = "{$expected}" ] ||
        fails "$*"
}

@test "a cell that differs from the host's by some ulp is right: told, not failed" {
    local layout near=$BATS_TEST_TMPDIR/near.h solid=$BATS_TEST_TMPDIR/solid.h
    cat >"$near" <<'END'
#include "own.h"

TD_FN void td_near_cell(const td_data *data, uint32_t row, uint32_t col)
{
    float value = sinf(1.0f + td_input(data, 0, row)) + 4.0f;
#ifdef __CUDACC__
    value *= 1.0000002f;
#endif
    TD_ELEMENT(float, data, row, col) = row == 9 && col == 9 ? NAN : value;
}

TD_DESCRIPTOR td_workload td_near_workload = {.element = TD_F32, .input = &td_columns[1]};
END
    cat >"$solid" <<'END'
#include "own.h"

TD_FN void td_solid_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    if (z > 0) {
        TD_ELEMENT_3D(uint32_t, data, x, y, z) = x + y;
    }
}

TD_DESCRIPTOR td_workload td_solid_workload = {.element = TD_U32};
END
    for layout in packed full; do
        facts "$near" 2 "('loop', 0, None, 1, True)" -s bb,rec --layout $layout
        facts "$solid" 2 "('loop', 1, 'layer 0, row 0, column 0', None, False)" -s bb-tetra,rb-tetra --layout $layout
    done
    shared cells -s bb,rec -w "$near"
}

@test "parts of a domain for ranks" {
    copy_of_edm4
    shared cells -s bb,ltm-i,rec -w "$own" --tile 16,32 -b 16
    shared rows -s bb,ltm-i,rec -w "$own"
}

@test "only what is asked for is compiled, and once" {
    copy_of_edm4
    verified 1 -s ltm-r -w "$own" -n 50 --baseline none
    local entries=("$XDG_CACHE_HOME"/tribench/*.cubin)
    [ ${#entries[@]} -eq 1 ]
    local kernels
    kernels=$(nm -D -C --defined-only "${entries[0]}" | sed -n 's/^[0-9a-f]* T \(edm4_[a-z_]*\)(.*/\1/p' | sort)
    [ "$kernels" = $'edm4_check\nedm4_ltm_r_packed' ] || { echo "$kernels" && false; }
    local before
    before=$(stat -c %i "${entries[0]}")
    verified 1 -s ltm-r -w "$own" -n 60 --baseline none
    entries=("$XDG_CACHE_HOME"/tribench/*.cubin)
    [ ${#entries[@]} -eq 1 ] && [ "$(stat -c %i "${entries[0]}")" = "$before" ]
}

@test "what the GPU's compiler says is shown, and nothing is measured" {
    copy_of_edm4
    printf '#ifdef __CUDACC__\n#error for the GPU alone\n#endif\n' >>"$own"
    run_tribench --engine cuda --quiet -s bb -w "$own" -n 50
    expect_status 2
    [ ! -s "$stdout" ] || fails "words on standard output"
    grep -qF "#error for the GPU alone" "$stderr" || fails "the compiler's error is missing"
    grep -qF 'does not compile for the GPU' "$stderr" || fails "no sentence"
}

@test "members out of order, which C accepts: the order is named" {
    cat >"$BATS_TEST_TMPDIR/x.h" <<'END'
#include "own.h"
TD_FN void td_x_cell(const td_data *data, uint32_t row, uint32_t col)
{
    TD_ELEMENT(float, data, row, col) = td_input(data, 0, row);
}
TD_DESCRIPTOR td_workload td_x_workload = {.input = &td_columns[2], .element = TD_F32};
END
    run_tribench --engine cuda --quiet -s bb -w "$BATS_TEST_TMPDIR/x.h" -n 50
    expect_status 2
    grep -qF 'in the order of workloads/workload.h' "$stderr" || fails "no order"
}

@test "a kernel that breaks the device: the reason says what its cells may touch" {
    cat >"$BATS_TEST_TMPDIR/x.h" <<'END'
#include "own.h"
TD_FN void td_x_cell(const td_data *data, uint32_t row, uint32_t col)
{
    TD_ELEMENT(float, data, row, col) = td_input(data, 0, row);
#ifdef __CUDACC__
    row == 3 ? __syncthreads() : (void)__syncwarp(); // which never meet
#endif
}
TD_DESCRIPTOR td_workload td_x_workload = {.element = TD_F32, .input = &td_columns[2]};
END
    run_tribench --engine cuda --quiet -s bb -w "$BATS_TEST_TMPDIR/x.h" -n 64 --samples 2 --format json
    expect_status 1
    value_of 'd["runs"][0]["reason"]' |
        grep -E 'cudaError.* 512 bytes of .input.* 2080 elements of 4 bytes of .output_elements'
}

@test "--device takes the digits of a UUID, of a GPU and of an instance" {
    for uuid in GPU MIG; do
        run_tribench --engine cuda --quiet -s bb -w write -n 50 --device $uuid-00000000-0000-0000-0000-000000000000
        expect_status 0
    done
    run_tribench --engine cuda --quiet -s bb -w write -n 50 --device MIG-10000000-0000-0000-0000-000000000000
    expect_status 4
}

@test "without a compiler for the GPU: exit 4, and what to install" {
    copy_of_edm4
    CUDA_HOME=$BATS_TEST_TMPDIR run_tribench --engine cuda --quiet -s bb -w "$own" -n 50
    expect_status 4
    grep -qF "neither in CUDA_HOME, $BATS_TEST_TMPDIR:" "$stderr" || fails "does not say where it looked"
    grep -qF 'nvidia-cuda-nvrtc' "$stderr" || fails "does not say what to install"
}

# Times on the emulator mean nothing, so any ratio is within the limit.
@test "check-own, which compares a file with the list on a GPU, runs to its end" {
    run tests/cuda/check-own --tribench "$TRIBENCH" --small 40 --n 30,50 --within 1000000
    [ "$status" -eq 0 ] || { echo "$output"; false; }
    [[ $output == *'ok    cuda, packed: the same bytes'* ]]
    [[ $output =~ check-own:\ [1-9][0-9]\ comparisons ]]
}

@test "a tree of kernels is refused with the reason" {
    copy_of_edm4
    rejects 'launches kernels from kernels' --engine cuda -s dp -w "$own" -n 50
}

@test "a file that changes between the host's compiler and the device's is told" {
    local m=$BATS_TEST_TMPDIR
    cp strategies/rb_b.h "$m"
    copy_of_edm4
    mkdir -p "$m/cuda/bin"
    for changed in "$m/rb_b.h" "$own"; do
        printf '#!/bin/sh\necho "/* more */" >>"%s"\nexec "%s" "$@"\n' \
            "$changed" "$CUDA_HOME/bin/nvcc" >"$m/cuda/bin/nvcc"
        chmod +x "$m/cuda/bin/nvcc"
        CUDA_HOME=$m/cuda run_tribench --engine cuda -q -s "$m/rb_b.h" --baseline none -w "$own" -n 20 --samples 1
        [ "$status" -ne 0 ] || fails "measured under a digest of another text"
        grep -q "$changed' has changed since it was loaded" "$stderr" "$stdout" || fails "not told"
    done
}
