#!/usr/bin/env bats
# The mutants that tests/mutants/operators.py makes; make check-mutants checks that they are noticed.

setup() {
    root=$BATS_TEST_DIRNAME/../..
    copy=$BATS_TEST_TMPDIR/copy
    mkdir -p "$copy/tests/mutants" "$copy/strategies"
    cp "$root"/tests/mutants/* "$copy/tests/mutants/" 2>/dev/null || true
    : >"$copy/tests/mutants/by_hand.txt"
}

source_file() { # LINE...
    printf '%s\n' "$@" >"$copy/strategies/one.h"
}

changes() { # OPTION...: what there would be now
    "$copy/tests/mutants/run" --list "$@" | sed 's/.*  ->  //'
}

@test "operators change code, and neither comments nor words nor directives" {
    source_file '#if A < 1' '/* a < 1' '   b < 2 */' 'const char *words = "c < 3";' '#endif' \
        'bool less(int d) { return d < e; }'
    run changes
    [ "$status" -eq 0 ]
    [ "$(grep -c '[abc] <\|A' <<<"$output")" -eq 0 ]
    [[ $output = *'return d <= e;'* && $output = *'return !(d < e);'* ]]
}

@test "what only a compiler for GPUs sees is not changed on the host" {
    source_file '#ifdef __CUDACC__' 'int a = 1;' '#else' 'int b = 2;' '#endif' 'int c = 4;'
    run changes
    [[ $output != *'int a'* && $output = *'int b = 3;'* && $output = *'int c = 5;'* ]]
}

@test "what cannot matter is not changed: room for a text or one more, the border of a minimum" {
    source_file 'enum { NAME_SIZE = 5, COUNT = 6 };' '    char one[7], two[8 + 1], *word = at[9];' \
        "    a = b[0] == '\0';" '    c = d < e ? d : e;' '    int f[3];'
    run changes
    [[ $output = *'COUNT = 7'* && $output = *'at[10]'* && $output = *'c = d;'* ]]
    [[ $output != *'NAME_SIZE = '[46]* && $output != *'one['[68]* && $output != *'8 - 1'* ]]
    [[ $output = *'f[2]'* && $output != *'f[4]'* ]]
    [[ $output != *'b[1]'* && $output != *'fd > 0'* && $output != *'d <= e'* ]]
}

@test "each operator of the table changes something" {
    source_file '    if (a && b) {' '        c = td_min(1, 2) + (uint64_t)d[i];' '        e++;' \
        '        f = g ? h : k;' '    n = p.x - min(q, r);'
    run changes --sample 1000
    for wanted in 'if (a || b)' 'if (!(a && b))' 'if (true)' 'if (false)' 'if (b)' 'd[i] + 1' 'td_min(2, 2)' \
        'td_min(0, 2)' 'e--' 'f = h;' 'f = k;' 'p.y' 'max(q, r)' 'n = p.x;'; do
        [[ $output = *"$wanted"* ]] || { echo "no $wanted in: $output" && false; }
    done
}

@test "a seed stands for one sample, another one for another" {
    source_file 'int f(void) { return 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9; }'
    one=$(changes --sample 5 --seed 7)
    [ "$(grep -c . <<<"$one")" -eq 5 ]
    [ "$one" = "$(changes --sample 5 --seed 7)" ]
    [ "$one" != "$(changes --sample 5 --seed 8)" ]
}

@test "--since takes the lines that are not what they were" {
    source_file 'int a = 1;' 'int b = 2;'
    git -C "$copy" init -q && git -C "$copy" add . && git -C "$copy" -c user.name=a -c user.email=a commit -q -m a
    source_file 'int a = 1;' 'int b = 3;'
    run changes --since HEAD
    [[ $output = *'int b = 4;'* && $output != *'int a'* ]]
}

@test "what is proven to change nothing is not taken" {
    source_file 'int a = 1;'
    [[ $(changes) = *'int a = 2;'* ]]
    printf '%s\n' strategies/one.h s/1/2/ 'equivalent nobody reads it' >"$copy/tests/mutants/by_hand.txt"
    [[ $(changes) != *'int a = 2;'* && $(changes) = *'int a = 0;'* ]]
}
