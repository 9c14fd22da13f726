#!/usr/bin/env bats
# make's plan for device code, without a compiler for it, and the host compiler's code for the cpu engine.

would_make() { # VARIABLE=VALUE...: the commands, in their order
    env -u MAKEFLAGS -u MAKELEVEL -u QUICK make -n -j1 CUDA=1 NVCC=nvcc MPI=0 BUILD="$BATS_TEST_TMPDIR/build" "$@" \
        "$BATS_TEST_TMPDIR/build/cuda${suffix-}/tribench" 2>/dev/null
}

@test "device code comes first: it takes longest" {
    run would_make
    objects=$(grep -oE '(NVCC|CC) [^ ]*\.o' <<<"$output")
    kernels=$(find engine/cuda/kernels -name "*.cu" | wc -l)
    [ "$kernels" -gt 5 ]
    echo "$objects"
    [ "$(head -n "$kernels" <<<"$objects" | grep -c '^NVCC .*/kernels/')" -eq "$kernels" ]
}

@test "QUICK=1 does not optimize device code, and has a folder of its own" {
    run would_make
    [[ $output != *-Ofc* && $output == *"sm 90\""* ]]
    suffix=-quick
    run would_make QUICK=1
    [ "$(grep -c -e '-Ofc=max .*-c engine/cuda/kernels/' <<<"$output")" -gt 5 ]
    [ "$(grep -c -e '-Ofc=max .*-c engine/cuda/kernels/trees.cu' <<<"$output")" -eq 0 ] # it would not link
    [[ $output == *"sm 90 quick\""* ]]
}

@test "nvcc knows what QUICK=1 asks of it" {
    command -v nvcc >/dev/null || skip "no nvcc"
    env -u MAKEFLAGS -u MAKELEVEL make CUDA=1 QUICK=1 BUILD="$BATS_TEST_TMPDIR/build" \
        "$BATS_TEST_TMPDIR/build/cuda-quick/engine/cuda/kernels/coverage_kernels.o"
}

@test "no loop over cells of the cpu engine calls a function per cell" {
    kernels=${TRIBENCH:-$PWD/build/cpu/tribench}
    run objdump -d --no-show-raw-insn "${kernels%/*}/engine/cpu/kernels/kernels.o"
    [ "$(grep -c '<cells_' <<<"$output")" -gt 20 ]
    run grep -E '(call|jmp|bl) .*<td_' <(grep -v '<td_cpu_cells_of+' <<<"$output")
    [ "$status" -eq 1 ]
}
