#!/usr/bin/env bats
# strategies/ stands alone: it compiles, links and answers in an otherwise empty folder.

setup() {
    cp -r strategies "$BATS_TEST_TMPDIR/strategies"
    cd "$BATS_TEST_TMPDIR" || return
    flags=(-std=c11 -Wall -Wextra -Wpedantic -Werror -I.)
}

headers() { # own_forms.h ends a file of a user, and needs the name of its function
    find strategies -name '*.h' ! -name own_forms.h | sort
}

@test "every header of strategies/ compiles by itself" {
    for header in $(headers); do
        echo "#include \"$header\"" >alone.c
        gcc "${flags[@]}" -fsyntax-only alone.c
    done
}

@test "strategies/ is a library of its own" {
    cat >main.c <<'END'
#include <stdio.h>
#include "strategies/strategies.h"

/* Adds up the blocks of every plan: all functions of the folder are needed. */
int main(void)
{
    const td_domain domain = {.cells = 64, .tiles = 8, .tile = 8, .block = {8, 8, 1}, .cutoff = 16};
    for (size_t i = 0; i < td_strategy_count; i++) {
        td_plan plan = {0};
        if (td_plan_make(td_strategies[i], &domain, false, &plan) != TD_PLAN_MADE || plan.blocks == 0) {
            return 1;
        }
        td_plan_free(&plan);
    }
    puts(td_strategy_baseline(2)->name);
    return 0;
}
END
    gcc "${flags[@]}" main.c strategies/*.c -lm -o main
    run ./main
    [ "$status" -eq 0 ]
    [ "$output" = bb ]
}

@test "the program of docs/use-a-map.md compiles as it stands there, and prints what the page says" {
    page=$BATS_TEST_DIRNAME/../../docs/use-a-map.md
    ln -s strategies tribench
    sed -n '/^## A complete program/,/^It prints/s/^    //p' "$page" >page.c
    sed -n '/^It prints/,/^## /s/^    //p' "$page" >expected
    [ -s expected ]
    [ "$(wc -l <page.c)" -le 20 ]
    gcc "${flags[@]}" page.c strategies/*.c -lm -o page
    ./page | diff expected -
}

@test "nvcc compiles strategies/ as C++20" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    headers | sed 's/.*/#include "&"/' >alone.cu
    nvcc -std=c++20 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers -I. \
        -arch=sm_90 -c alone.cu -o alone.o
}

@test "only device.h knows the GPU's compiler" {
    run grep -lE '__CUDA|\basm\b|__device__' strategies/*
    [ "$output" = strategies/device.h ]
}
