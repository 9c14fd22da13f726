#!/usr/bin/env bats
# What proves a workload that comes as a file: a plain loop, or the array of --verify.
# shellcheck disable=SC2030,SC2031,SC2154  # each test is a subshell; quick, status and the streams come from helpers

load helpers

setup() {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    here=$PWD
    cd "$BATS_TEST_TMPDIR" || return
    dot_h
}

@test "the record says by what an output was verified, and that nobody knows its bytes" {
    run_tribench "${quick[@]}" -s bb -w ./dot.h,edm1 --format json -o all.json
    expect_status 0
    cp all.json "$stdout"
    [ "$(value_of '[(r["verified"]["by"], r["throughput"]["bytes"] is None) for r in d["runs"]]')" = \
        "[('loop', True), ('check', False)]" ]
    (cd "$here" && fits_schema "$BATS_TEST_TMPDIR/all.json")
}

@test "--verify FILE.npy is the output that every map must give, whatever its layout" {
    cat >solid.h <<'END'
#include "own.h"

TD_FN void td_solid_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    TD_ELEMENT_3D(uint32_t, data, x, y, z) = x + 100 * y + 10000 * z;
}

TD_DESCRIPTOR td_workload td_solid_workload = {.dimension = 3, .element = TD_U32};
END
    "$PYTHON" - <<'END'
import numpy as np

n = 20
points = np.arange(2 * n, dtype="<f4").reshape(n, 2)
np.savetxt("points.csv", points, delimiter=",", fmt="%g")
dots = points @ points.T
np.save("full.npy", dots)
np.save("packed.npy", dots[np.tril_indices(n)])
dots[7, 3] += 1
np.save("wrong.npy", dots)
np.save("f8.npy", dots.astype("f8"))
z, y, x = np.indices((9, 9, 9), dtype="<u4")
cube = x + 100 * y + 10000 * z
np.save("cube.npy", cube)
np.save("fortran.npy", np.asfortranarray(cube))
np.save("swapped.npy", np.asfortranarray(cube.T))
np.save("solid.npy", cube[x + y <= z])
np.save("rows.npy", np.zeros(9, "<f4"))
END
    own=(--quiet --engine cpu --samples 2 -w ./dot.h --input points.csv)
    for layout in packed full; do
        for file in full packed; do
            run_tribench "${own[@]}" -s 2d --layout "$layout" --verify "$file.npy" --format json
            expect_status 0
            [ "$(value_of '{tuple(map(r["verified"].get, ("status", "by", "formula"))) for r in d["runs"]}')" = \
                "{('pass', 'file', None)}" ]
        done
        run_tribench "${own[@]}" -s bb,ltm-i --layout "$layout" --verify wrong.npy --format json -o all.json
        expect_status 3
        grep -c '1 of 210 cells are wrong.*row 7, column 3: found 189, expected 190' all.json | grep -qx 2
        (cd "$here" && fits_schema "$BATS_TEST_TMPDIR/all.json")
    done
    for file in solid cube fortran swapped; do
        run_tribench --quiet --engine cpu --samples 2 -w ./solid.h -s 3d -n 9 --verify "$file.npy" --format json
        expect_status "$([ "$file" = swapped ] && echo 3 || echo 0)"
    done
    rejects "expected dtype <f4, got '<f8': save array.astype('<f4')" "${own[@]}" --verify f8.npy
    rejects ' at N = 20, or the 400 of its full layout, got 9' "${own[@]}" --verify rows.npy
    rejects 'goes with one N' "${quick[@]}" -w ./dot.h -n 20,30 --verify full.npy
    rejects 'goes with one workload from a file' "${own[@]}" -w ./dot.h,./solid.h --verify full.npy
    rejects 'goes with one workload from a file' "${quick[@]}" -w edm1 --verify full.npy
    rejects 'does not go with --resume' "${own[@]}" --verify full.npy --resume runs.jsonl
    rejects "does not go with --ranks" "${own[@]}" --verify full.npy --ranks
    rejects 'expected different files' "${own[@]}" --verify full.npy --dump full.npy -s bb --baseline none
}

@test "--verify FILE.npy stands in for a check, and for outputs that are not one element per cell" {
    "$TRIBENCH" "${quick[@]}" -s bb --baseline none -w "$here/examples/jaccard.h" -n 40 --dump jaccard.npy >/dev/null
    "$TRIBENCH" "${quick[@]}" -s bb --baseline none -w "$here/examples/pairs.h" -n 40 --dump pairs.npy >/dev/null
    for example in jaccard pairs; do
        run_tribench "${quick[@]}" -s 2d -w "$here/examples/$example.h" -n 40 --verify "$example.npy" --format json
        expect_status 0
        [ "$(value_of '{r["verified"]["by"] for r in d["runs"]}')" = "{'file'}" ]
        "$PYTHON" -c 'import numpy, sys
a = numpy.load(sys.argv[1]); a[5] += 1 + a[5]; numpy.save(sys.argv[1], a)' "$example.npy"
        run_tribench "${quick[@]}" -s bb -w "$here/examples/$example.h" -n 40 --verify "$example.npy" --format json
        expect_status 3
    done
    grep -q 'the first is at element 5: found' "$stdout"
}

@test "--verify FILE.npy: what is not a number, infinite, beside the domain, or never written" {
    cat >odd.h <<'END'
#include "own.h"

TD_FN void td_odd_cell(const td_data *data, uint32_t row, uint32_t col)
{
    if (row < 3) {
        TD_ELEMENT(float, data, row, col) = row == 0 ? INFINITY : -NAN;
    } else if (row > 3 || WRITES) {
        TD_ELEMENT(float, data, row, col) = 1.0f;
    }
}

TD_DESCRIPTOR td_workload td_odd_workload = {
    .traits = {.no_diagonal = NO_DIAGONAL}, .element = TD_F32, .ulp = 4};
END
    "$PYTHON" - <<'END'
import numpy as np

odd = np.ones((5, 5), "f4")
odd[:3] = np.nan
odd[0] = np.inf
np.save("right.npy", odd)
odd[0] = np.finfo("f4").max
np.save("finite.npy", odd)
odd[0], odd[2] = np.inf, 7
np.save("number.npy", odd)
END
    with() { # FLAGS FILE
        CC="cc $1" run_tribench "${quick[@]}" -w ./odd.h -s bb --baseline none -n 5 --layout full --verify "$2"
    }
    with '-DWRITES=1 -DNO_DIAGONAL=0' right.npy
    expect_status 0
    for file in finite number; do
        with '-DWRITES=1 -DNO_DIAGONAL=0' $file.npy
        expect_status 3
    done
    with '-DWRITES=0 -DNO_DIAGONAL=0' right.npy
    expect_status 3
    grep -q '4 of 15 cells are wrong.* row 3, column 0: ' "$stdout"
    with '-DWRITES=1 -DNO_DIAGONAL=1' right.npy
    expect_status 3
    grep -q '0 of 10 cells are wrong, 20 bytes outside of the domain' "$stdout"
}

@test "sums of floats may differ by what another order of their terms explains, and by no more" {
    cat >rows_sum.h <<'END'
#include "own.h"

#ifndef EXTRA
#define EXTRA 0.0f
#endif
static int launches; /* the plain loop is the first */

TD_FN void td_rows_sum_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const float wrong = row == 60 && col == 0 && launches++ > 0 ? EXTRA : 0.0f;
    TD_ATOMIC_ADD((float *)data->output + row, wrong + 1.0f / (float)(1 + col));
}

static inline uint64_t td_rows_sum_elements(const td_problem *problem)
{
    return problem->n;
}

TD_DESCRIPTOR td_workload td_rows_sum_workload = {
    .element = TD_F32, .traits = {.from_zero = true}, .output_elements = td_rows_sum_elements};
END
    run_tribench "${quick[@]}" -n 100 -s bb,ltm-i,rb-b,utm-b --block 4 --tile 16 -w ./rows_sum.h --format json
    expect_status 0
    [ "$(value_of '{r["verified"]["status"] for r in d["runs"]}')" = "{'pass'}" ]
    [ "$(value_of 'max(r["verified"]["max_abs_error"] for r in d["runs"]) > 0')" = True ] || fails "no order differs"
    CC='cc -DEXTRA=0.01f' run_tribench "${quick[@]}" -n 100 -s ltm-i --baseline none -w ./rows_sum.h
    expect_status 3
}

@test "without a check the map is verified, and what may be a mistake of the formula is told, once" {
    cat >open.h <<'END'
#include "own.h"

TD_FN void td_open_cell(const td_data *data, uint32_t row, uint32_t col)
{
    if (row != col) {
        TD_ELEMENT(float, data, row, col) = sqrtf(-1.0f - td_input(data, 0, row) * td_input(data, 0, row));
    }
}

TD_DESCRIPTOR td_workload td_open_workload = {.element = TD_F32, .input = &td_columns[1]};

TD_FN void td_solid_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    if (x != 1 || y != 2) {
        TD_ELEMENT_3D(uint32_t, data, x, y, z) = x;
    }
}

TD_DESCRIPTOR td_workload td_solid_workload = {.element = TD_U32};

TD_FN void td_rows_cell(const td_data *data, uint32_t row, uint32_t col)
{
    if (row > 3 && col == 0) {
        ((double *)data->output)[row] = row == 5 ? INFINITY : 1.0;
    }
}

static inline uint64_t td_rows_elements(const td_problem *problem)
{
    return problem->n;
}

TD_DESCRIPTOR td_workload td_rows_workload = {.element = TD_F64, .output_elements = td_rows_elements};
END
    local note='map verified, formula not checked; elements not written'
    local layout
    for layout in full packed; do
        run_tribench "${quick[@]}" -s 2d,3d -w ./open.h,write --layout $layout -n 10 -o all.json -o -:table
        expect_status 0
        [ "$(grep -c "$note: 10, the first at row 0, column 0; NaN or infinite: 45$" "$stdout")" -eq 1 ] ||
            fails "$layout"
        [ "$(grep -c "$note: 7, the first at layer 3, row 2, column 1$" "$stdout")" -eq 1 ] || fails "$layout, in space"
    done
    [ "$(grep -c "$note: 4, the first at element 0; NaN or infinite: 1$" "$stdout")" -eq 1 ] || fails "a sum per row"
    [ "$(grep -c 'not checked' "$stdout")" -eq 3 ] || fails "a note on a workload with a check"
    cp all.json "$stdout"
    [ "$(value_of 'sorted({tuple(str(r["verified"][k]) for k in ("formula", "unwritten", "first_unwritten",
        "not_finite", "host_ulp")) for r in d["runs"] if r["status"] == "ok"})')" = \
        "[('None', 'None', 'None', 'None', 'None'), \
('not checked', '10', 'row 0, column 0', '45', 'None'), ('not checked', '4', 'element 0', '1', 'None'), \
('not checked', '7', 'layer 3, row 2, column 1', 'None', 'None')]" ] || fails "other facts"
    (cd "$here" && fits_schema "$BATS_TEST_TMPDIR/all.json")
}

@test "numbers of 16 and of 64 bits: dumped, compared within .ulp, and what is not finite is told" {
    narrow() { # NAME TYPE ELEMENT VALUE
        cat >"$1.h" <<END
#include "own.h"
TD_FN void td_$1_cell(const td_data *data, uint32_t row, uint32_t col)
{
    (($2 *)data->output)[td_row_start(data, row) + col] = $4;
}
TD_DESCRIPTOR td_workload td_$1_workload = {.element = $3, .ulp = ${5:-1}};
END
    }
    narrow half uint16_t TD_F16 'row < 3 ? (uint16_t)(0x7bff + row) : td_f16(ldexpf(-1.0f - (float)row, -(int)col))'
    narrow brain uint16_t TD_BF16 'row < 3 ? (uint16_t)(0x7f7f + row) : td_bf16(1.0f / (float)(row + col))'
    narrow large int64_t TD_I64 '((int64_t)row << 40) - (int64_t)col * ((int64_t)row + 1)' 0
    narrow byte uint8_t TD_U8 '(uint8_t)(row + col * 85)' 0
    run_tribench "${quick[@]}" -w ./byte.h -s bb --format json
    equals 'd["runs"][0]["verified"]["unwritten"]' None
    narrow wrong int64_t TD_I64 row
    rejects 'has .ulp, which is for floats' "${quick[@]}" -w ./wrong.h -s bb
    narrow fine double TD_F64 '1.0 / (row + col + 1)'
    for one in half brain large fine; do
        run_tribench "${quick[@]}" -w ./$one.h -s rb-b --baseline none -n 9 --layout full --dump $one.npy --format json
        expect_status 0
        value_of 'd["runs"][0]["verified"]["not_finite"]' >"$one"
    done
    [ "$(cat half brain large fine)" = $'5\n5\nNone\n0' ] || fails 'not finite'
    "$PYTHON" - <<'END'
import numpy as np

row, col = np.indices((9, 9))
low, first = row >= col, row < 3
with np.errstate(divide="ignore"):
    right = {"half": (-1.0 - row) * 0.5**col, "brain": 1 / (row + col), "large": (row << 40) - col * (row + 1),
             "fine": 1 / (row + col + 1)}
for name, kind in (("half", "<f2"), ("brain", "<u2"), ("large", "<i8"), ("fine", "<f8")):
    found = np.load(f"{name}.npy")
    assert found.dtype == kind, name
    value = (found.astype("u4") << 16).view("f4") if name == "brain" else found
    cells = low if name == "large" else low & ~first
    assert (abs(value[cells] - right[name][cells]) <= (name != "large") * 2**-8 * abs(right[name][cells])).all(), name
    for ulp in 1, 2:
        other = found.copy()
        other.view(f"u{found.itemsize}")[7, 2] += ulp
        np.save(f"{name}{ulp}.npy", other)
END
    for one in half brain large fine; do
        for ulp in 1 2; do
            run_tribench "${quick[@]}" -w ./$one.h -s rb-b --baseline none -n 9 --verify $one$ulp.npy
            if [[ $ulp = 2 || $one = large ]]; then expect_status 3; else expect_status 0; fi
        done
    done
    grep -q 'row 7, column 2: found ' "$stdout"
    rejects 'save array.astype(ml_dtypes.bfloat16).view(np.uint16)' "${quick[@]}" -w ./brain.h -s bb -n 9 \
        --verify half.npy
}
