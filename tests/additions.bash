# Additions to a copy of the program, as CONTRIBUTING describes them.
# shellcheck shell=bash disable=SC2154  # bats sets lines and output

# A copy of the sources and of FOLDER..., to change, and one to compare it with.
copy_tree() { # FOLDER...
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"
    cp -r --parents -t "$tree" main.c Makefile run engine report/*.[ch] report/format report/view strategies workloads \
        tests/seventh "$@"
    cd "$tree" || return
}

# ADD FILES LINES: the addition takes FILES new files, and LINES new lines in two others.
costs() {
    rm -rf "$tree.before" && cp -r "$tree" "$tree.before"
    "$1"
    run diff -rq "$tree.before" .
    [ "${#lines[@]}" -eq $(($2 + 2)) ] || return
    run diff -r "$tree.before" .
    [ "$(grep -c '^>' <<<"$output")" -eq "$3" ] || return
    [ "$(grep -c '^<' <<<"$output")" -eq 0 ]
}

add_strategy() {
    sed 's/utm_b/yours/g; s/UTM_B/YOURS/g; s/utm-b/yours/g' strategies/utm_b.h >strategies/yours.h
    sed -i '/#include "utm_b.h"/a #include "yours.h"' strategies/strategies.h
    sed -i 's/X(hmap, A)/X(yours, A) \\\n    X(hmap, A)/' strategies/list.h
}

# A copy of write.h with a check that allows what engines round differently, and a table with numbers that it rejects.
add_workload() {
    cat >workloads/haversine.h <<'END'
/* haversine - the distance of any two of N places on a sphere of radius 1. */
#ifndef TD_WORKLOADS_HAVERSINE_H
#define TD_WORKLOADS_HAVERSINE_H

#include "own.h"

enum { TD_HAVERSINE_ULP = 64 };

TD_FN void td_haversine_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const float down = sinf(0.5f * (td_input(data, 0, row) - td_input(data, 0, col)));
    const float across = sinf(0.5f * (td_input(data, 1, row) - td_input(data, 1, col)));
    const float both = cosf(td_input(data, 0, row)) * cosf(td_input(data, 0, col));
    const float h = td_product(down, down) + td_product(both, td_product(across, across));
    TD_ELEMENT(float, data, row, col) = 2.0f * asinf(sqrtf(h < 1.0f ? h : 1.0f));
}

TD_FN td_verdict td_haversine_check(const td_data *data, uint32_t row, uint32_t col)
{
    const float *at = (const float *)data->input;
    const double north = (double)at[row], other = (double)at[col];
    const double down = sin((other - north) / 2);
    const double across = sin(((double)at[data->n + col] - (double)at[data->n + row]) / 2);
    const double h = down * down + cos(north) * cos(other) * across * across;
    return td_float_verdict(((const float *)data->output)[td_place_2d(data, row, col)],
                            (float)(2 * asin(sqrt(h < 1 ? h : 1))), TD_HAVERSINE_ULP);
}

static inline bool td_haversine_unfit(const td_problem *problem, const float *points,
                                      uint32_t rows, uint32_t columns, td_unfit *unfit)
{
    (void)problem;
    for (unfit->row = 0; unfit->row < rows; unfit->row++, points += columns) {
        if (fabsf(points[0]) > 1.5f || fabsf(points[1]) > 1.5f) { /* no two are nearly opposite */
            unfit->why = "has an angle beyond 1.5";
            return true;
        }
    }
    return false;
}

TD_DESCRIPTOR td_workload_input td_haversine_input = {
    .takes = "table (.csv, .npy) of N rows: latitude and longitude",
    .columns = 2,
    .unfit = td_haversine_unfit,
};

TD_DESCRIPTOR td_workload td_haversine_workload = {
    .name = "haversine",
    .summary = "distances on a sphere",
    .dimension = 2,
    .element = TD_F32,
    .ulp = TD_HAVERSINE_ULP,
    .traits = {.has_layouts = true, .has_blocked = true, .own_element = true},
    .input = &td_haversine_input,
};

#endif
END
    sed -i '/#include "edm.h"/a #include "haversine.h"' workloads/workloads.h
    sed -i 's/^    X(edm1,  A) .*/    X(haversine, A) \\\n&/' workloads/list.h
}

add_sum() {
    cat >workloads/ones.h <<'END'
/* ones - how many cells there are: a sum of ones. */
#ifndef TD_WORKLOADS_ONES_H
#define TD_WORKLOADS_ONES_H

#include "layout3.h"

TD_FN double td_ones_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    (void)data;
    (void)x;
    (void)y;
    (void)z;
    return 1.0;
}

static inline double td_ones_total(const td_problem *problem, const void *input, double *scale)
{
    (void)input;
    *scale = (double)td_tetrahedron(problem->n);
    return (double)td_tetrahedron(problem->n);
}

static inline uint64_t td_ones_bytes(const td_problem *problem)
{
    (void)problem;
    return sizeof(double);
}

TD_DESCRIPTOR td_sum td_ones_sum = {.total = td_ones_total};

TD_DESCRIPTOR td_workload td_ones_workload = {
    .name = "ones",
    .summary = "a sum of ones",
    .dimension = 3,
    .finding = {"cells", TD_FINDS_REAL},
    .element = TD_F64,
    .traits = {.proven_by_count = true},
    .sum = &td_ones_sum,
    .output_elements = td_sum_elements,
    .setup = td_setup_sum,
    .model = {.bytes = td_ones_bytes},
};

#endif
END
    sed -i '/#include "write3.h"/a #include "ones.h"' workloads/workloads.h
    sed -i 's/define TD_SUMS_3D(X, A) .*/&\n    X(ones, A) \\/' workloads/list.h
}

# Adds to the tree: a majority vote of the eight neighbours under every technique, and a kernel for tiles of cover.
add_automaton() {
    cp tests/seventh/vote.h tests/seventh/vote.c workloads/automata/
    sed -i '/automata\/water.h/a #include "workloads/automata/vote.h"' workloads/workloads.h
    sed -i 's/^    X(gol, A).*/&\n    X(vote, A) \\/' workloads/list.h
}

add_tile_kernel() {
    cat >workloads/cover_tile.cuh <<'END'
/* cover_tile.cuh - visits, tile by tile. */
#ifndef TD_WORKLOADS_COVER_TILE_CUH
#define TD_WORKLOADS_COVER_TILE_CUH

#include "cover.h"
#include "tile_of.cuh"

__device__ inline void td_cover_tile(const td_data &data, td_work_tile tile)
{
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (uint32_t k = thread; k < tile.side * tile.side; k += blockDim.x * blockDim.y) {
        const uint32_t row = tile.y * tile.side + k / tile.side;
        const uint32_t col = tile.x * tile.side + k % tile.side;
        if (col <= row && row < data.n) {
            td_cover_cell(&data, row, col);
        }
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_cover> = td_cover_tile;

#endif
END
    sed -i '/#include "edm_tile.cuh"/i #include "cover_tile.cuh"' workloads/tiles.cuh
    sed -i '0,/    .model = .*/s//    .tiles = \&td_any_tiles,\n&/' workloads/cover.h # in 2D
}

# Verifies every technique and cell of the added automaton.
verifies_votes() { # TRIBENCH ENGINE
    local memory cell square
    for memory in conditional halo shared aligned rect two-cell two-generation strip four-generation; do
        for cell in u8 bit; do
            [[ $cell = bit && $memory != @(strip|four-generation) ]] && continue
            for square in triangle square; do
                "$1" --engine "$2" --strategy bb --workload vote --memory "$memory" --cell "$cell" --set domain=$square \
                    --n 75 --steps 5 --samples 1 --warmup 0 --format csv >>votes.csv || return
            done
        done
    done
    [ "$(grep -c '^[^,]*/vote/.*,ok,.*,pass,' votes.csv)" -eq 22 ] || { cat votes.csv && return 1; }
    rm votes.csv
}
