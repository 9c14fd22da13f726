#!/usr/bin/env bats
# Workloads that come as files: --workload ./mine.h.
# shellcheck disable=SC2154  # quick, status, stdout and stderr come from helpers

load helpers

setup() {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    here=$PWD
    cd "$BATS_TEST_TMPDIR" || return
    mkdir "$XDG_CACHE_HOME"
    cat >dot.h <<'END'
#include "own.h"

TD_FN void td_dot_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const float x = td_input(data, 0, row) * td_input(data, 0, col);
    TD_ELEMENT(float, data, row, col) = x + td_input(data, 1, row) * td_input(data, 1, col);
}

TD_DESCRIPTOR td_workload td_dot_workload = {.element = TD_F32, .input = &td_columns[2]};
END
}

entries() {
    find "$XDG_CACHE_HOME" -type f | wc -l
}

@test "ten lines are a workload, under every 2D map" {
    run_tribench "${quick[@]}" -s 2d -w ./dot.h --format json
    expect_status 0
    value_of '{(r["workload"].split("@")[0], r["status"], r["verified"]["status"]) for r in d["runs"]}' \
        | grep -qxF "{('dot', 'ok', 'pass')}"
    value_of 'len({r["strategy"] for r in d["runs"]})' | grep -qxE '1[0-9]|[2-9][0-9]'
    [ "$(entries)" -eq 1 ]
}

@test "a key has the name and the digest of the file" {
    run_tribench "${quick[@]}" -w ./dot.h --dry-run --format json
    expect_status 0
    key=$(value_of 'd["runs"][0]["key"]')
    [[ $key =~ ^cpu/dot@([0-9a-f]{8})/.*/own-([0-9a-f]{32})$ ]]
    [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]:0:8}" ]
    sed -i 's/ x + / x - /' dot.h
    run_tribench "${quick[@]}" -w ./dot.h --dry-run --format json
    [ "$key" != "$(value_of 'd["runs"][0]["key"]')" ]
}

@test "a built-in workload as a file puts out the same, bit for bit" {
    cp "$here/workloads/edm.h" .
    for layout in packed full; do
        "$TRIBENCH" "${quick[@]}" -w edm4 -s rec --layout "$layout" --dump built-in.npy >/dev/null
        sed '/^TD_EDM_WORKLOAD([123],/d' edm.h >edm4.h
        "$TRIBENCH" "${quick[@]}" -w ./edm4.h -s rec --layout "$layout" --dump file.npy >own.json
        cmp built-in.npy file.npy
    done
}
