#!/usr/bin/env bats
# shellcheck disable=SC2034,SC2154  # shared with helpers.bash
# A file name may contain terminal control sequences, so every message is plain text on one line.
load helpers

hostile=$'\e[31mred\n2nd\r\x07\x7f\xc2\x9b1m\xff'

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Checks that all output consists of printable ASCII characters and newlines.
is_plain() { # FILE
    ! LC_ALL=C grep -q '[^ -~]' "$1" || fails "not plain: $(LC_ALL=C grep -a '[^ -~]' "$1" | cat -A | head -3)"
}

says_one_plain_line() { # WORDS...
    timeout 100 "$TRIBENCH" "$@" >stdout 2>stderr </dev/null || true
    stdout=stdout stderr=stderr status=0
    is_plain stderr || fails "$*" || return
    [ "$(wc -l <stderr)" -le 1 ] || fails "several lines: $*" || return
}

@test "every option quotes its value in plain text on one line" {
    local option tried=0
    for option in $("$TRIBENCH" --help=all | grep -oE -- '(^|[ ,])--[a-z][a-z0-9-]+' | tr -d ' ,' | sort -u); do
        says_one_plain_line -q -e cpu -n 8 --samples 1 --warmup 0 -o - "$option=$hostile"
        tried=$((tried + 1))
    done
    [ "$tried" -gt 40 ]
}

@test "so do messages about words, names, labels, folders, files and links" {
    local word
    mkdir "dir$hostile"
    printf '1,2\n%s\n' "$hostile" >"csv$hostile.csv"
    printf '%s' "$hostile" >"npy$hostile.npy"
    printf '%s\n' "$hostile" >"lines$hostile.jsonl"
    for word in "$hostile" "--$hostile" "--$hostile=3" "-$hostile" "--label=$hostile=1" "--strategy=bb,$hostile" \
        "--n=1,$hostile" "--output=no/$hostile" "--output=dir$hostile" "--resume=dir$hostile" \
        "--resume=lines$hostile.jsonl" "--output=lines$hostile.jsonl" "--dump=no/$hostile.npy"; do
        says_one_plain_line -q -e cpu -n 8 --samples 1 --warmup 0 -s bb -w write "$word"
        [ -s stderr ] || [[ $word == --label* ]] || fails "says nothing: $word"
    done
    for word in "csv$hostile.csv" "npy$hostile.npy" "no$hostile.csv"; do
        says_one_plain_line -q -e cpu -s bb -w edm2 --input "$word"
        grep -q '\\x1b' stderr
    done
    says_one_plain_line -q -e cpu -s bb -w life -n 9 --input "npy$hostile.npy"
    grep -q '\\x1b' stderr
}

@test "and those of a sweep that goes on" {
    "$TRIBENCH" "${quick[@]}" -s bb -w write -o "r$hostile.jsonl"
    says_one_plain_line -e cpu -n 100 --samples 2 --warmup 0 -s bb -w write --threads 2 --resume "r$hostile.jsonl" \
        -o "r$hostile.jsonl"
    grep -q 'are done in .*\\x1b' stderr
}
