#!/usr/bin/env bats
# make install: the places of its files, use by other projects, and removal by make uninstall.

setup() {
    local out=${TRIBENCH:-$PWD/build/cpu/tribench} cuda=0 sanitize=0
    out=${out%/*}
    case ${out##*/} in cuda*) cuda=1 ;; cpu*) ;; *) skip "$out is not made by this Makefile" ;; esac
    case ${out##*/} in *-sanitize) sanitize=1 && flags=(-fsanitize=address -fsanitize=undefined) ;; esac
    # MAKEFLAGS passes on the variables of make check, so that nothing is built again
    build=(make --silent "BUILD=${out%/*}" "CUDA=$cuda" "SANITIZE=$sanitize")
    version=$(sed -n 's/^VERSION := //p' Makefile)
    prefix=$BATS_TEST_TMPDIR/usr
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
}

# Installs as on a user's machine, then makes an empty folder to work in, with the flags that pkg-config has.
installed() {
    "${build[@]}" install "PREFIX=$prefix" >/dev/null
    cp examples/pairs.* "$BATS_TEST_TMPDIR/"
    cd "$BATS_TEST_TMPDIR" || return
    read -ra cflags < <(pkg-config --cflags tribench)
    read -ra libs < <(pkg-config --libs tribench)
    libs+=("${flags[@]}")
}

@test "make install and make uninstall, in a folder of their own" {
    dest=$BATS_TEST_TMPDIR/dest
    "${build[@]}" install "DESTDIR=$dest" PREFIX=/usr LIBDIR=/usr/lib64 >/dev/null
    for file in bin/tribench share/tribench/tribench-2.schema.json include/tribench/ltm_i.h \
        lib64/libtribench-maps.a lib64/pkgconfig/tribench.pc \
        share/bash-completion/completions/tribench share/doc/tribench/LICENSE share/doc/tribench/examples/pairs.cu \
        share/doc/tribench/docs/cluster.md share/doc/tribench/docs/figures/heatmap.png; do
        [ -s "$dest/usr/$file" ] || { echo "no $file" && false; }
    done
    [ "$(find strategies -name '*.h' | wc -l)" -eq \
        "$(find "$dest/usr/include/tribench" -maxdepth 1 -name '*.h' | wc -l)" ]
    "$dest/usr/bin/tribench" --version | grep -q "tribench $version"
    run grep -r "$dest" "$dest/usr/lib64/pkgconfig" # DESTDIR is where it is packed, not where it will be
    [ "$status" -eq 1 ]

    echo 'of somebody else' >"$dest/usr/include/other.h"
    "${build[@]}" uninstall "DESTDIR=$dest" PREFIX=/usr LIBDIR=/usr/lib64 >/dev/null
    [ "$(find "$dest" -type f -o -type l)" = "$dest/usr/include/other.h" ]
    [ -z "$(find "$dest" -name '*tribench*')" ]
}

@test "a workload that is a file is compiled with what is installed, for the host and for a GPU" {
    installed
    cp "$BATS_TEST_DIRNAME/../../workloads/write.h" mine.h
    XDG_CACHE_HOME=$PWD/cache usr/bin/tribench --engine cpu --strategy bb --workload ./mine.h --n 50 --samples 1 \
        --warmup 0 --format csv >out
    grep -q ',pass,' out
    emulator=$BATS_TEST_DIRNAME/../emulator
    c++ -std=c++20 -fsyntax-only -Wno-unknown-pragmas -Iusr/include/tribench/kernel "-I$emulator" \
        -include "$emulator/kernel.h" -x c++ usr/include/tribench/kernel/engine/cuda/kernels/own_kernels.cuh
}

@test "the commands that are installed run from another folder, wherever the whole was moved to" {
    "${build[@]}" install "PREFIX=$prefix" "PYTHON=$PYTHON" >/dev/null
    mv "$prefix" "$BATS_TEST_TMPDIR/moved"
    cd "$BATS_TEST_TMPDIR"
    unset TRIBENCH
    words=(--engine cpu --n 64 --samples 3 --warmup 0 --threads 1 --max-time 0.01)
    for command in sweep turns report; do
        [[ $("moved/bin/tribench-$command" --help) = "usage: tribench-$command "* ]]
    done
    [ "$(moved/bin/tribench-report --version)" = "tribench-report $version" ]
    moved/bin/tribench-sweep quick -- "${words[@]}"
    moved/bin/tribench-report table results/quick/quick.json --kind time | grep -q ltm-x
    moved/bin/tribench-turns moved/bin/tribench moved/bin/tribench -- --strategy bb "${words[@]}"
}

@test "the C example is built from what is installed, is right, and notices a map that is wrong" {
    installed
    [ "$(pkg-config --modversion tribench)" = "$version" ]
    for how in '-O2 -fopenmp' '-O0 -Wno-unknown-pragmas'; do # also where nothing is inlined or left out
        # shellcheck disable=SC2086  # two words
        gcc -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror $how "${cflags[@]}" pairs.c \
            "${libs[@]}" -o pairs
        run ./pairs
        [ "$status" -eq 0 ]
        [ "$output" = '12502500 pairs in 3160 blocks, 0 wrong' ]
    done
    sed -i 's/td_triangle_row(launch->param\[0\] - block.x)/td_triangle_row(block.x \/ 2)/' usr/include/tribench/ltm_i.h
    gcc -std=c11 -O2 -fopenmp "${cflags[@]}" pairs.c "${libs[@]}" -o pairs
    run ./pairs
    [ "$status" -eq 1 ]
}

@test "every map of blocks in 2D goes into the example by its name" {
    installed
    maps=$(sed -n '/define TD_BLOCK_MAPS(X/,/^$/s/.*X(\([a-z_]*\), A).*/\1/p' usr/include/tribench/list.h)
    [ "$(wc -w <<<"$maps")" -ge 9 ]
    for map in $maps; do
        ! grep -q '\.by_rows = true' "usr/include/tribench/${map%_rev}.h" || continue # its blocks take whole rows
        sed "s/ltm_i\.h/${map%_rev}.h/; s/ltm_i/$map/g" pairs.c >"$map.c" # a map backwards is beside its twin
        gcc -std=c11 -O2 -fopenmp "${cflags[@]}" "$map.c" "${libs[@]}" -o "$map"
        run "./$map"
        [[ $status -eq 0 && $output == '12502500 pairs in '*', 0 wrong' ]] || { echo "$map: $output" && false; }
    done
}

@test "the installed headers are C++20, too" {
    installed
    cat >names.cpp <<'CPP'
#include <tribench/strategies.h>

int main()
{
    return td_strategy_find("rb-b")->id == td_rb_b.id ? 0 : 1;
}
CPP
    g++ -std=c++20 -Wall -Wextra -Wno-missing-field-initializers -Werror "${cflags[@]}" names.cpp \
        "${libs[@]}" -o names
    ./names
}

@test "the CUDA example is built from what is installed, and right" {
    nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
    [ -x "$nvcc" ] || skip "there is no nvcc"
    installed
    libs=("${libs[@]/#-fsanitize=/-Xcompiler=-fsanitize=}")
    local gpu='' arch=sm_90
    nvidia-smi -L >/dev/null 2>&1 && gpu=1 arch=native
    "$nvcc" "-arch=$arch" -Werror all-warnings -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers "${cflags[@]}" \
        pairs.cu "${libs[@]}" -o pairs
    [ -n "$gpu" ] || skip "compiled; there is no GPU to run it on"
    run ./pairs
    [ "$status" -eq 0 ]
    [ "$output" = '12502500 pairs in 49141 blocks, 0 wrong' ]
}
