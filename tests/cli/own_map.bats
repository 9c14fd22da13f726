#!/usr/bin/env bats
# Maps that come as files: --strategy ./mine.h.
# shellcheck disable=SC2154  # quick, status and the streams come from helpers

load helpers

setup() {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    here=$PWD
    cd "$BATS_TEST_TMPDIR" || return
    mkdir "$XDG_CACHE_HOME"
}

# The body of a pair, a triple, or a map of blocks, in a file.
pair() { # FILE BODY
    printf '#include "strategies/own.h"\nTD_FN td_pair td_%s_pair(uint64_t index, uint32_t n)\n{\n' "${1%.h}" >"$1"
    printf '    td_pair at = {0, 0};\n    (void)index, (void)n;\n    %s\n    return at;\n}\n' "$2" >>"$1"
}

right='at.row = (uint32_t)((sqrt(8.0 * (double)index + 1.0) - 1.0) / 2.0);
    at.col = (uint32_t)(index - td_triangle(at.row));'

@test "the least forms: a pair, a triple, a map of blocks" {
    pair line.h "$right"
    cat >box.h <<'END'
#include "strategies/own.h"
TD_FN td_tile td_box_map(const td_launch *launch, td_dim3 block)
{
    return td_tile_at(block.x, block.y, block.x <= block.y && block.y < launch->n);
}
END
    cat >cube.h <<'END'
#include "strategies/own.h"
TD_FN td_triple td_cube_triple(uint64_t index, uint32_t n)
{
    td_triple at = {0, 0, 0};
    while (at.i + 1 < n && td_tetrahedron(at.i + 1) <= index) {
        at.i++;
    }
    index -= td_tetrahedron(at.i);
    while (td_triangle(at.j + 1) <= index) {
        at.j++;
    }
    at.k = (uint32_t)(index - td_triangle(at.j));
    return at;
}
END
    run_tribench "${quick[@]}" -s 'line.h,box.h,bb' --baseline none -w edm1,dummy,gol --format json
    expect_status 0
    equals 'sorted({(r["strategy"].split("@")[0], r["verified"]["status"]) for r in d["runs"]})' \
        "[('bb', 'pass'), ('box', 'pass'), ('line', 'pass')]"
    equals '[r["launch"]["blocks"] for r in d["runs"] if r["workload"] == "edm1"]' '[28, 49, 49]'
    run_tribench "${quick[@]}" -s ./cube.h --baseline none -w write,triplet,life --format json
    expect_status 0
    equals '[(r["strategy"].split("@")[0], r["dimension"], r["verified"]["status"]) for r in d["runs"]]' "$(
        printf "[('cube', 3, 'pass'), ('cube', 3, 'pass'), ('cube', 3, 'pass')]")"
}

@test "every header of strategies/ without tree or table is a map as a file, and launches the same" {
    local header
    for header in ltm_i utm_b rb_b hmap morton rec rb ltm_g; do
        cp "$here/strategies/$header.h" "x_$header.h"
        run_tribench "${quick[@]}" -n 33,100 -w edm1 --baseline none -s "${header//_/-},x_$header.h" --format json
        expect_status 0
        equals 'len({r["strategy"] for r in d["runs"]})' 2
        equals 'len({(r["n"], r["launch"]["blocks"], r["launch"]["threads"]) for r in d["runs"]})' 2
        equals '{r["verified"]["status"] for r in d["runs"]}' "{'pass'}"
    done
}

@test "a key has the digest of the map's file, and of the workload's" {
    pair line.h "$right"
    dot_h
    run_tribench "${quick[@]}" -s line.h -w ./dot.h --baseline none --dry-run --format json
    key=$(value_of 'd["runs"][0]["key"]')
    [[ $key =~ ^cpu/dot@[0-9a-f]{8}/line@([0-9a-f]{8})/.*/own-[0-9a-f]{32}/map-([0-9a-f]{32})$ ]] || fails "$key"
    [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]:0:8}" ]
    echo '/* another */' >>line.h
    run_tribench "${quick[@]}" -s line.h -w ./dot.h --baseline none --dry-run --format json
    [ "$key" != "$(value_of 'd["runs"][0]["key"]')" ]
}

@test "it may be the baseline, be tuned, shown, and given by a pattern" {
    pair a_1.h "$right"
    pair a_2.h "$right"
    run_tribench "${quick[@]}" -s 'a_*.h' -w edm1 --baseline ./a_1.h --format json
    expect_status 0
    equals '[r["improvement"] is None for r in d["runs"]]' '[True, False]'
    run_tribench --quiet --engine cpu --tune -s a_1.h,bb -w edm1 -n 64 --samples 1 --max-time 0.01 --format json
    expect_status 0
    run_tribench --show -s ./a_1.h -n 64
    expect_status 0
    grep -q '^a_1@' "$stdout" || fails "not drawn"
    pair out.h "$right at.row -= index == 0;"
    run_tribench --show -s ./out.h -n 64
    expect_status 0
    grep -q '^ *[.]$' "$stdout" || fails "block 0 is not missing"
}

@test "--check-maps finds the first wrong n, the block, and both places" {
    pair float_root.h "${right//double/float}"
    sed -i 's/sqrt(8.0 \* \(.*\) + 1.0) - 1.0) \/ 2.0/sqrtf(8.0f * \1 + 1.0f) - 1.0f) \/ 2.0f/' float_root.h
    run_tribench --engine cpu --check-maps -q -s float_root.h -f table
    expect_status 3
    local found='first wrong: n = 4608, block 10619135: got (4608, -1), which is outside; nothing computes (4607, 4607)'
    grep -qF "exact to n = 4607 (tile 16: N = 73712); $found" "$stdout" || fails "other words"
    run_tribench --engine cpu --check-maps=6000 -q -s float_root.h,ltm-i
    expect_status 3
    equals '[(s["right_n"], s["first_failing_n"], s["fault_block"], s["got"], s["missing"]) for s in d["strategies"]]' \
        '[(4607, 4608, 10619135, [4608, -1], [4607, 4607]), (6000, None, None, None, None)]'
}

# A wrong map: its run fails with these words.
wrong() { # WORDS BODY [N]
    pair wrong.h "$2"
    run_tribench "${quick[@]}" -n "${3:-100}" -s wrong.h --baseline none -w edm1 -f table
    expect_status 3
    tr -s ' \n' ' ' <"$stdout" | grep -qF "the map is wrong: $1" || fails "not: $1"
}

@test "a run under a wrong map says the block and both places" {
    wrong 'n = 7, block 1: got (0, 0), as an earlier one; nothing computes (1, 0)' ''
    wrong 'n = 7, block 1: got (0, 1), which is outside; nothing computes (1, 0)' 'at.col = (uint32_t)index;'
    wrong 'n = 7, block 27: got (6, 7), which is outside; nothing computes (6, 6)' "$right at.col += index == 27;"
    wrong 'n = 7, block 3: got (2, -1), which is outside; nothing computes (2, 0)' "$right at.col -= index == 3;"
    wrong 'n = 7, block 0: got (7, 0), which is outside; nothing computes (0, 0)' \
        "$right at.row = index == 0 ? n : at.row;"
    wrong 'n = 7, block 5: got (1, 1), as an earlier one; nothing computes (2, 2)' \
        "$right if (index == 5) { at.row = at.col = 1; }"
    wrong 'n = 7, block 1: got (0, 1), which is outside; nothing computes (1, 0)' \
        "$right const uint32_t row = at.row; at.row = at.col; at.col = row;"
    wrong 'n = 7, block 21: got (6, -6), which is outside' "$right if (at.row == 6) { at.col = -at.row; }"
}

@test "what is no map is told, and nothing is measured" {
    refused() { # WORDS TEXT...
        printf '%s\n' '#include "strategies/own.h"' "${@:2}" >bad.h
        run_tribench "${quick[@]}" -s ./bad.h -w edm1
        expect_status 2
        [ ! -s "$stdout" ] || fails "measured"
        tail -n 1 "$stderr" | grep -q "$1" || fails "not: $1"
    }
    local map='TD_FN td_tile td_bad_map(const td_launch *launch, td_dim3 block)'
    local plan='static inline void td_bad_plan(const td_domain *d, td_plan *plan)'
    local body='{ (void)launch; return td_tile_at(block.x, block.y, true); }'
    local grid='{ td_plan_add(plan, td_launch_over(d, d->tiles, d->tiles, 1)); }'
    local made='TD_DESCRIPTOR td_strategy td_bad = {' both='.plan = td_bad_plan, .block_map = td_bad_map};'
    local rest=".dimension = 2, $both"
    local pair='TD_FN td_pair td_bad_pair(uint64_t index, uint32_t n)'
    refused 'expected td_NAME_pair, td_NAME_triple, td_NAME_map or a descriptor' ''
    refused 'cc. failed' "$pair { return index + n; }"
    refused 'cc. failed' 'this is no C' "$pair { td_pair at = {0, 0}; (void)index, (void)n; return at; }"
    refused 'undefined reference\|cc. failed' 'td_pair nowhere(uint64_t, uint32_t);' \
        "$pair { return nowhere(index, n); }"
    refused 'at n = 1, block (0, 0, 0) did not return within 3 s' \
        '#include <unistd.h>' "$pair { td_pair at = {(uint32_t)index, n}; for (;;) { sleep(9); } return at; }"
    refused 'the process that asked its map at n = 5, block (2, 0, 0) was killed by signal 6' \
        '#include <stdlib.h>' \
        "$pair { td_pair at = {0, 0}; if (n == 5 && index == 2) { abort(); } return at; }"
    refused 'at n = 4, block (9, 0, 0)' \
        "$pair { td_pair at = {1, 0}; volatile uint32_t zero = n != 4 || index != 9;" \
        'at.row = (uint32_t)index / zero; return at; }'
    refused 'at n = 2, block (1, 0, 0)' \
        "$pair { td_pair at = {0, 0}; if (n == 2 && index == 1) { *(volatile int *)8 = 1; } return at; }"
    refused 'its plan for n = 1 has 0 blocks' "$map $body" "$plan { (void)d, (void)plan; }" "$made $rest"
    refused 'its plan for n = 2 has 100000000 blocks' "$map $body" \
        "$plan { const uint32_t side = d->tiles > 1 ? 10000 : 1;" \
        'td_plan_add(plan, td_launch_over(d, side, side, 1)); }' "$made $rest"
    refused 'asked its plan at n = 3 did not return within 3 s' '#include <unistd.h>' "$map $body" \
        "$plan { while (d->tiles == 3) { sleep(9); } $grid }" "$made $rest"
    refused 'has no .dimension of 2 or 3' "$map $body" "$plan $grid" "$made $both"
    refused 'has no .plan' "$map $body" "$made.dimension = 2, .block_map = td_bad_map};"
    refused 'has no .block_map' "$map $body" "$plan $grid" "$made.dimension = 2, .plan = td_bad_plan};"
    refused 'td_bad uses a map of another name' "$map $body" "${map/bad_map/other_map} $body" "$plan $grid" \
        "$made.dimension = 2, .plan = td_bad_plan, .block_map = td_other_map};"
    refused 'cc. failed' "${map/bad_map/other_map} $body" "$plan $grid" \
        "$made.dimension = 2, .plan = td_bad_plan, .block_map = td_other_map};"
    rejects 'cannot read' "${quick[@]}" -s ./missing.h -w edm1
    rejects 'cannot read' "${quick[@]}" -s './none*.h' -w edm1
    rejects 'cannot read' "${quick[@]}" -s bb -w edm1 --baseline ./missing.h
}

@test "what a map prints goes to standard error, whatever is asked of it" {
    { echo '#include <stdio.h>' && sed 's/^{$/{ puts("from a map");/' "$here/strategies/rb_b.h"; } >loud.h
    echo '__attribute__((destructor)) static void leave(void) { puts("at the end"); }' >>loud.h
    for action in --check-maps=40 --show --dry-run --quiet; do
        run_tribench --engine cpu -s ./loud.h -w edm1 -n 100 --samples 2 --baseline none "$action" --format json
        expect_status 0
        [ -n "$(value_of 'd')" ] || fails "$action: no document"
        grep -qx 'from a map' "$stderr" || fails "$action: silent"
        grep -qx 'at the end' "$stderr" || fails "$action: silent at its end"
    done
}

@test "--check-maps: a map that cannot be asked from some n on costs that map alone" {
    pair hang.h "$right while (n >= 60) { sleep(9); }"
    pair crash.h "$right if (n == 100 && index == 7) { *(volatile int *)8 = 1; }"
    pair leave.h "$right if (n >= 350) { _exit(0); }"
    sed -i '1i #include <unistd.h>' hang.h leave.h
    full() { # FILE STATEMENT: in its plan, from 50 tiles per side on
        sed "s/^    td_plan_add(plan, launch);/    if (domain->tiles >= 50) { $2 }\n&/" "$here/strategies/rb_b.h" >"$1"
    }
    full wide.h 'launch.grid.x = launch.grid.y = 1u << 20;'
    full long.h 'for (int i = 0; i < 1000000; i++) { td_plan_append(plan, \&launch); }'
    run_tribench --engine cpu --check-maps=400 --timeout 2 -s hang.h,crash.h,leave.h,wide.h,long.h,ltm-i
    expect_status 3
    equals '[(s["right_n"], s["first_failing_n"], s["exact"]) for s in d["strategies"]]' \
        '[(59, 60, False), (99, 100, False), (300, 376, False), (49, 50, False), (49, 50, False), (400, None, True)]'
    said() { # PLACE WORDS
        grep "^\[$1/6\]" "$stderr" | grep -qF "; first wrong: n = $2 (every block" || fails "$1: not: $2"
    }
    said 1 '60: the process that asked did not return within 2 s'
    said 2 '100: the process that asked was killed by signal 11 (Segmentation fault)'
    said 3 '376: the process that asked ended with status 0'
    said 4 '50: its plan has 1099511627776 blocks'
    grep "^\[5/6\]" "$stderr" | grep -q 'n = 50: rb_b@.* needs more than 100000 launches' || fails 'not its launches'
}
