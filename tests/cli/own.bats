#!/usr/bin/env bats
# Workloads that come as files: --workload ./mine.h.
# shellcheck disable=SC2030,SC2031,SC2154  # each test is a subshell; quick, status and the streams come from helpers

load helpers

setup() {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    here=$PWD
    cd "$BATS_TEST_TMPDIR" || return
    mkdir "$XDG_CACHE_HOME"
    dot_h
}

entries() {
    find "$XDG_CACHE_HOME/tribench" -type f | wc -l
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
    other=$(value_of 'd["runs"][0]["key"]')
    [ "$key" != "$other" ]
    CC='cc -DPOWER=7' run_tribench "${quick[@]}" -w ./dot.h --dry-run --format json
    [ "$other" != "$(value_of 'd["runs"][0]["key"]')" ]
    CC=' ' run_tribench "${quick[@]}" -w ./dot.h --dry-run --format json
    [ "$other" = "$(value_of 'd["runs"][0]["key"]')" ]
    CC="cc -D$(printf '%01020d' 0)" rejects 'CC: expected at most 1023 bytes' "${quick[@]}" -w ./dot.h
    CC="cc $(printf ' -D%s' x{1..24})" rejects '24 words' "${quick[@]}" -w ./dot.h
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

# A broken file: the run must end with this status and message. Standard input has the text, around which go the common
# beginning of all such files and the usual end.
broken() { # STATUS MESSAGE [OPTION...]
    local expected=$1 message=$2
    shift 2
    { echo '#include "own.h"' && cat; } >broken.h
    run_tribench "${quick[@]}" -s bb -w ./broken.h --format json "$@"
    [ "$status" -eq "$expected" ] || fails "expected exit status $expected of: $(cat broken.h)"
    grep -qE "$message" "$stderr" "$stdout" || fails "expected '$message' of: $(cat broken.h)"
    [ "$expected" -ne 2 ] || [ ! -s "$stdout" ] || fails "something was measured of: $(cat broken.h)"
}

cell='TD_FN void td_x_cell(const td_data *data, uint32_t row, uint32_t col)'
own='TD_ELEMENT(uint32_t, data, row, col) = row; uint32_t *output = (uint32_t *)data->output;'
unused='(void)data, (void)row, (void)col;'
descriptor='TD_DESCRIPTOR td_workload td_x_workload = {.element = TD_U32'

@test "a file that does not compile is told by its compiler, and nothing is measured" {
    broken 2 'broken.h:2:.*error' <<<"this is no C $cell {} $descriptor};"
    broken 2 'no-such.h' <<<'#include "no-such.h"'
    broken 2 'nested' <<<'#include "broken.h"'
    broken 2 'error' <<<"$(printf '#define F G F\n#define G F G\n%s { F; } %s};' "$cell" "$descriptor")"
    broken 2 'unterminated' <<<"#if 1"
    broken 2 'error' <<<"$cell { nowhere(data, row, col); } $descriptor};"
    broken 2 'undefined reference' <<<"void nowhere(void); $cell { $unused nowhere(); } $descriptor};"
    broken 2 'error' <<<"$cell { $unused } $descriptor, .no_such = 1};"
    broken 2 'incompatible' <<<"TD_FN void td_x_cell(const td_data *data, uint32_t row) { (void)data, (void)row; }
$descriptor};"
    broken 2 'incompatible' <<<"TD_FN void td_x_cell(int *data, uint32_t row, uint32_t col) { $unused } $descriptor};"
    broken 2 'incompatible' <<<"${cell/void/int} { return data != NULL && row == col; } $descriptor};"
    broken 2 'error' <<<"$(seq 300 | base64)
$cell {} $descriptor};"
}

@test "a constructor that ends the program, or never returns, is told and gives no result" {
    at_load() { # STATEMENT
        printf '#include <%s.h>\n' signal stdio stdlib unistd >at_load.h
        echo "__attribute__((constructor)) static void at_load(void) { $1; }" | cat - dot.h >>at_load.h
        run_tribench "${quick[@]}" -w ./at_load.h -s bb --baseline none --format json
    }
    for ends in '_exit(0)' '_exit(77)' 'abort()' 'signal(SIGTERM, SIG_IGN), raise(SIGSTOP)'; do
        at_load "$ends"
        expect_status 1
        [ ! -s "$stdout" ]
        grep -q 'the process that loaded its library' "$stderr"
    done
    at_load 'puts("loaded")'
    expect_status 0
    [ "$(value_of 'd["runs"][0]["status"]')" = ok ] # and nothing else is on standard output
    grep -qx loaded "$stderr"
}

@test "a file that compiles and is no workload is rejected" {
    broken 2 'expected a descriptor' <<<''
    broken 2 'expected a descriptor' <<<"$cell { $unused }"
    broken 2 'has no td_x_cell' <<<"$descriptor};"
    broken 2 'another dimension' <<<"$cell { $unused } $descriptor, .dimension = 3};"
    for element in '' '.element = TD_U8' '.element = TD_F64'; do
        broken 2 'needs an .element of 4 bytes' <<<"$cell { $own (void)output, (void)col; } ${descriptor%.*}$element};"
    done
    broken 2 'types of 4 bytes' <<<"$cell { TD_ELEMENT(double, data, row, col) = row; } $descriptor};"
    broken 2 'types of 4 bytes' <<<"$cell { TD_ELEMENT(uint8_t, data, row, col) = row; } $descriptor};"
    broken 2 'beyond td_columns.8.' <<<"$cell { $own (void)output, (void)col; } $descriptor, .input = &td_columns[64]};"
    broken 2 'TD_COLUMNS_CHOSEN' <<<"static const td_workload_input i = {.columns = TD_COLUMNS_CHOSEN};
$cell { $own (void)output, (void)col; } $descriptor, .input = &i};"
    broken 2 'tiles for clusters' <<<"static const td_tiles t = {.cluster_shared = 1};
$cell { $own (void)output, (void)col; } $descriptor, .tiles = &t};"
    broken 2 'automaton' <<<"static const td_automaton a; $cell { $unused } $descriptor, .automaton = &a};"
    broken 2 'without .name' <<<"static const td_parameter p[] = {{.name = \"power\"}};
$cell { $unused } $descriptor, .parameters = p, .parameter_count = 1};"
    for name in group order lengths; do
        broken 2 "a parameter .*$name" <<<"static const td_parameter p[] = {
    {.name = \"$name\", .preset = \"1\", .help = \"\", .key = \"\"}};
$cell { $unused } $descriptor, .parameters = p, .parameter_count = 1};"
    done
    run_tribench "${quick[@]}" -w ./missing.h
    expect_status 2
    mkdir folder.h
    rejects 'expected a file' "${quick[@]}" -w ./folder.h
    mkfifo pipe.h
    rejects 'expected a file' "${quick[@]}" -w ./pipe.h
}

@test "a cell that is wrong, crashes or never ends costs its own run" {
    broken 3 'write nothing' <<<"$cell { $unused } $descriptor};"
    broken 3 'guard zones' <<<"$cell { $own output[-1] = col; }
$descriptor};"
    broken 3 'guard zones' <<<"$cell { $own output[td_triangle(data->n)] = col; }
$descriptor};"
    broken 3 ' 1 of 5050 cells.*first is at row 4, column 3: found 2, expected 1' <<<"static uint32_t calls;
$cell { uint32_t now = row == 4 && col == 3 ? ++calls : 1; TD_ELEMENT(uint32_t, data, row, col) = now; } $descriptor};"
    broken 3 'cells are wrong' <<<"$cell { TD_ELEMENT(uint32_t, data, row, col) = row; }
TD_FN td_verdict td_x_check(const td_data *data, uint32_t row, uint32_t col)
{ $unused return (td_verdict){.ok = false}; } $descriptor};"
    broken 1 'signal 11.* 800 bytes of .input.* 5050 elements of 4 bytes of .output_elements' \
        <<<"$cell { (void)data; *(volatile uint32_t *)(uintptr_t)16 = row + col; }
$descriptor, .input = &td_columns[2]};"
    broken 1 'ended with status 7' <<<"#include <stdlib.h>
$cell { $unused if (row + col == 0) exit(7); } $descriptor};" # two threads that call exit() are undefined
    broken 1 'did not finish within' --timeout 1 <<<"#include <unistd.h>
$cell { $unused for (;;) { sleep(9); } } $descriptor};"
    broken 5 'needs' <<<"static uint64_t many(const td_problem *p) { (void)p; return (uint64_t)1 << 50; }
$cell { TD_ELEMENT(uint32_t, data, row, col) = row; } $descriptor, .output_elements = many};"
}

@test "what a kernel prints goes to standard error, all of it" {
    printf '#include "own.h"\n#include <stdio.h>\n%s\n' >prints.h \
        "$cell { $own (void)output; printf(\"cell %u\\n\", row); } $descriptor};"
    run_tribench "${quick[@]}" -s bb -w ./prints.h --format json
    expect_status 0
    [ "$(value_of 'd["runs"][0]["status"]')" = ok ]
    grep -qx 'cell 99' "$stderr"
}

@test "no signal is blocked where a kernel runs" {
    printf '#include "own.h"\n#include <signal.h>\n#include <stdlib.h>\n%s\n' >blocks.h \
        "$cell { $own (void)output; sigset_t now; sigprocmask(SIG_BLOCK, NULL, &now);
            if (!sigisemptyset(&now)) abort(); } $descriptor};"
    run_tribench "${quick[@]}" -s bb --baseline none -w ./blocks.h
    expect_status 0
}

@test "what crashes leaves the other runs of a sweep as they are" {
    echo '#include "own.h"
'"$cell { (void)data; *(volatile uint32_t *)(uintptr_t)16 = row + col; } $descriptor};" >crash.h
    run_tribench "${quick[@]}" -s bb,rb -w ./crash.h,./dot.h,write --format json
    expect_status 1
    [ "$(value_of '[(r["workload"].split("@")[0], r["status"]) for r in d["runs"]]')" = \
        "[('x', 'failed'), ('x', 'failed'), ('dot', 'ok'), ('dot', 'ok'), ('write', 'ok'), ('write', 'ok')]" ]
}

@test "without a compiler there is one sentence that says what to install" {
    CC=no-such-compiler run_tribench "${quick[@]}" -w ./dot.h
    expect_status 4
    [ "$(wc -l <"$stderr")" -eq 1 ]
    grep -q 'install' "$stderr"
}

@test "CC names another compiler" {
    command -v clang >/dev/null || skip "there is no clang"
    CC=clang run_tribench "${quick[@]}" -s bb -w ./dot.h
    expect_status 0
    CC='gcc -m64' run_tribench "${quick[@]}" -s bb -w ./dot.h --format json
    expect_status 0
    [ "$(value_of 'd["environment"]["build"]["own_compiler"]')" = 'gcc -m64' ]
    (cd "$here" && fits_schema "$stdout")
    [ "$(entries)" -eq 2 ]
}

@test "a folder may have a name beyond ASCII, which clang escapes" {
    command -v clang >/dev/null || skip "no clang"
    mkdir josé
    echo 'static const float scale = 1.0f;' >josé/scale.h
    { echo '#include "scale.h"' && sed 's/ = x + / = scale * x + /' dot.h; } >josé/dot.h
    for scale in 1 2; do
        sed -i "s/= .*/= $scale.0f;/" josé/scale.h
        CC=clang run_tribench "${quick[@]}" -w josé/dot.h --dry-run --format json
        expect_status 0
        value_of 'd["runs"][0]["key"]'
    done >keys
    [ "$(sort -u keys | wc -l)" -eq 2 ] || fails "an edited include has the same key"
}

@test "a signal while the compiler works ends its processes, too, and leaves no folder" {
    # shellcheck disable=SC2016 # of the script
    printf '#!/bin/sh\ncase "$*" in *-shared*) echo $$ >group; sleep 99;; *) exec cc "$@";; esac\n' >slow
    chmod +x slow
    for name in TERM HUP; do
        env --default-signal=HUP CC=./slow "$TRIBENCH" "${quick[@]}" -w ./dot.h & # under nohup, too
        for ((i = 0; i < 500; i++)); do [ -s group ] && break || sleep 0.02; done
        kill -$name $!
        status=0 && wait $! || status=$?
        [ "$status" -eq $((128 + $(kill -l $name))) ]
        [ -z "$(pgrep --runstates RSDT -g "$(cat group)")" ] # but one that nobody has waited for yet
        [ -z "$(find "$XDG_CACHE_HOME" -name 'making*')" ]
        rm group
    done
}

@test "--input gives the columns, and --dump shows what they make" {
    printf '1,2\n3,4\n5,6\n' >columns.csv
    run_tribench --quiet --engine cpu -s ltm-i -w ./dot.h --samples 2 --input columns.csv --dump dot.npy
    expect_status 0
    "$PYTHON" -c 'import numpy; print(numpy.load("dot.npy").tolist())' >values
    [ "$(cat values)" = '[5.0, 11.0, 25.0, 17.0, 39.0, 61.0]' ]
}

@test "a parameter of the file's is an option" {
    cat >scaled.h <<'END'
#include "own.h"

static const td_parameter scales[] = {
    {.name = "scale", .kind = TD_PARAMETER_COUNT, .low = 1, .high = 9, .preset = "1", .argument = "K",
     .help = "factor", .key = "k"},
};

static void setup(const td_problem *problem, td_data *data)
{
    td_setup_triangle(problem, data);
    data->params[0] = (uint32_t)problem->parameters[0].count;
}

TD_FN void td_scaled_cell(const td_data *data, uint32_t row, uint32_t col)
{
    TD_ELEMENT(uint32_t, data, row, col) = data->params[0] * (row + col);
}

TD_DESCRIPTOR td_workload td_scaled_workload = {
    .element = TD_U32, .parameters = scales, .parameter_count = 1, .setup = setup};
END
    run_tribench "${quick[@]}" -s bb --set scale=3 -w ./scaled.h --format json
    expect_status 0
    value_of 'd["runs"][0]["parameters"]["scale"]' | grep -qx 3
    value_of 'd["runs"][0]["key"]' | grep -q /k3/
}

@test "the examples run and are right" {
    for example in rbf pairs jaccard halves ld gram; do
        run_tribench "${quick[@]}" -s 2d -w "$here/examples/$example.h" --format json
        expect_status 0
    done
}

@test "a file may compute whole rows, and has a check of them" {
    "$PYTHON" -c 'import numpy; numpy.save("three.npy", numpy.random.default_rng(1).normal(size=(70, 3)).astype("f4"))'
    run_tribench "${quick[@]}" -n 70 -s rows-fold -w "$here/examples/softmax.h" --input three.npy --dump rows.npy \
        --format json
    expect_status 0
    value_of 'd["runs"][0]["verified"]["by"]' | grep -qx check
    "$PYTHON" -c 'if True:
        import numpy
        q, k, v = numpy.load("three.npy").astype(float).T
        weights = numpy.tril(numpy.exp(numpy.outer(q, k)))
        assert abs(numpy.load("rows.npy") - weights @ v / weights.sum(axis=1)).max() < 1e-5'
    sed 's/td_softmax_check/td_softmax_look/' "$here/examples/softmax.h" >unchecked.h
    rejects "computes whole rows, and its file has no check of them" "${quick[@]}" -s rows -w ./unchecked.h
}

@test "r^2 of variants in a file is the square of their correlation" {
    "$PYTHON" -c 'import numpy
rows = (numpy.random.default_rng(1).random((60, 75)) < numpy.linspace(0, 1, 60)[:, None]).astype("u1")
numpy.save("haplotypes.npy", rows)'
    run_tribench "${quick[@]}" -n 60 -s ltm-i --baseline none -w "$here/examples/ld.h" --input haplotypes.npy \
        --set haplotypes=75 --layout full --dump ld.npy
    expect_status 0
    "$PYTHON" -c 'if True:
        import numpy
        with numpy.errstate(invalid="ignore", divide="ignore"):
            right = numpy.nan_to_num(numpy.corrcoef(numpy.load("haplotypes.npy")) ** 2)
        assert numpy.abs(numpy.tril(numpy.load("ld.npy") - right)).max() < 1e-6 and right.max() > 0.9'
}

@test "products of rows in a file are those of its numbers, rounded to bf16" {
    "$PYTHON" -c 'import numpy
rows = numpy.random.default_rng(1).normal(size=(60, 75)).astype("f4")
numpy.save("rows.npy", rows)
bits = rows.view("u4")
numpy.save("rounded.npy", (bits + 0x7fff + (bits >> 16 & 1) & 0xffff0000).view("f4"))'
    run_tribench "${quick[@]}" -n 60 -s ltm-i --baseline none -w "$here/examples/gram.h" --input rows.npy \
        --set columns=75 --layout full --dump products.npy
    expect_status 0
    "$PYTHON" -c 'if True:
        import numpy
        a = numpy.load("rounded.npy").astype(float)
        assert numpy.abs(numpy.tril(numpy.load("products.npy") - a @ a.T)).max() < 1e-4
        a[5] = 2.0 ** 41
        numpy.save("large.npy", a)'
    rejects "row 5 has a number beyond 2^40" "${quick[@]}" -n 60 -s bb -w "$here/examples/gram.h" --input large.npy \
        --set columns=75
}

@test "a cell may have two outputs, and both halves of a matrix" {
    "$TRIBENCH" "${quick[@]}" -s ltm-i -w "$here/examples/halves.h" --n 50 --dump both.npy >/dev/null
    "$PYTHON" -c 'if True:
        import numpy
        far, apart = numpy.load("both.npy").reshape(2, 50, 50)
        assert (far == far.T).all() and (apart == -apart.T).all() and (far == abs(apart)).all() and far[1:, 0].all()'
}

@test "a search, two result files and --resume take a file as they take any workload" {
    run_tribench --quiet --engine cpu --threads 1 --n 100 --samples 7 --max-time 0.05 --tune -s bb -w ./dot.h \
        --block 16 --tile 16,32 --format json
    expect_status 0
    for side in old new; do
        run_tribench "${quick[@]}" -s bb,rb -w ./dot.h --samples 7 -o "$side.json"
        expect_status 0
    done
    (cd "$here" && "$PYTHON" report/tribench-report compare "$BATS_TEST_TMPDIR/old.json" "$BATS_TEST_TMPDIR/new.json" \
        --threshold 1000) >compared
    grep -q 'dot@' compared
    run_tribench "${quick[@]}" -s bb,rb -w ./dot.h --resume lines.jsonl -o lines.jsonl
    run_tribench "${quick[@]}" -s bb,rb -w ./dot.h --resume lines.jsonl -o lines.jsonl
    [ "$(grep -c '"key":"cpu/dot@' lines.jsonl)" -eq 2 ]
}
