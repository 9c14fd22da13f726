#!/usr/bin/env bats
# tribench run by hand: results and progress on one terminal, which may be narrow.

# shellcheck disable=SC2054,SC2154 # lists are the program's, and helpers.bash makes the names
load helpers

sweep=(--engine cpu --threads 1 -n 16,32,64 -s bb,ltm,rec -w edm1,gol --samples 7 --warmup 0)

on_terminal() { # COLUMNS COMMAND...
    run_tribench --version # for the names of its files
    status=0
    "$PYTHON" tests/terminal.py "$@" >"$stdout" 2>"$stderr" </dev/null || status=$?
}

@test "a table's lines are never glued to the progress, and end with what came out" {
    on_terminal 80 "$TRIBENCH" "${sweep[@]}" -f table
    expect_status 0
    ! grep -q '\[[#.]*\]' "$stdout" || fails "a bar is left"
    [ "$(grep -c '^edm1, N = \|^gol, N = ' "$stdout")" -eq 6 ] || fails "headings are not on lines of their own"
    [ "$(grep -c '^  ltm-r .* pass\( .*\)\?$' "$stdout")" -eq 6 ] || fails "rows are not on lines of their own"
    grep -qx '18 runs in [0-9]* s: 18 ok, 18 verified' "$stdout" || fails "no summary"
    grep -q '^  gol  *2D  [0-9.]* ' "$stdout" || fails "no fastest strategy"
    on_terminal 4000 "$TRIBENCH" "${sweep[@]}" -f csv
    expect_status 0
    [ "$(grep -c '^cpu/.*,ok,' "$stdout")" -eq 18 ] || fails "rows of CSV are not on lines of their own"
}

@test "tables are as wide as the terminal, and keep what matters" {
    for columns in 60 40 132 300; do
        on_terminal "$columns" "$TRIBENCH" "${sweep[@]}" -f table
        expect_status 0
        grep -q '^  strategy .*median ms' "$stdout" || fails "no median"
        grep -q 'ltm-r .* pass' "$stdout" || fails "no check at $columns columns"
        ! sed -n 's/  notes$//; /^  strategy/p' "$stdout" | grep -q ".\{$((columns + 1))\}" || fails "too wide"
    done
    grep -q 'kernels .* blocks .* wasted .* GB/s' "$stdout" || fails "a wide terminal lacks columns"
}

@test "a failure is in the summary, --quiet has none, and neither has a pipe" {
    on_terminal 80 "$TRIBENCH" "${sweep[@]}" -s bb,ltm-r --verify beyond -w cover -n 64,1048576 \
        -o "$BATS_TEST_TMPDIR/x.json"
    grep -q ' failed' "$stdout" || fails "no failure"
    on_terminal 80 "$TRIBENCH" "${sweep[@]}" -q -f table
    ! grep -q 'verified' "$stdout" || fails "--quiet speaks"
    run_tribench "${sweep[@]}" -f table
    ! grep -q 'verified' "$stderr" || fails "a summary in a log"
}

@test "without -f and -o a terminal gets the table, and a pipe JSON; with them each gets what was asked for" {
    on_terminal 100 "$TRIBENCH" -s bb,ltm -n 512
    expect_status 0
    grep -q '^  ltm-r .* pass\( .*\)\?$' "$stdout" || fails "no table"
    ! grep -q '"schema"' "$stdout" || fails "JSON on a terminal"
    run_tribench -s bb,ltm -n 512
    fits_schema "$stdout"
    for words in "-o -" "-f json" "-o -:json"; do
        # shellcheck disable=SC2086 # words
        on_terminal 60000 "$TRIBENCH" -q "${sweep[@]}" -n 16 $words
        fits_schema "$stdout"
    done
}

@test "colours on a terminal that has them, unless NO_COLOR or --color never" {
    colours() { # ENVIRONMENT... COMMAND...: the number of coloured lines on a terminal
        env -u NO_COLOR TERM=xterm "$PYTHON" -c 'import pty, sys; pty.spawn(sys.argv[1:])' env "$@" </dev/null |
            grep -c $'\x1b\\[[0-9;]*m' || true
    }
    table=("$TRIBENCH" -q --engine cpu -n 9 -s bb -f table)
    [ "$(colours "${table[@]}")" -gt 0 ]
    [ "$(colours "${table[@]}" --color never)" -eq 0 ]
    [ "$(colours NO_COLOR=1 "${table[@]}")" -eq 0 ]
    [ "$(colours TERM=dumb "${table[@]}")" -eq 0 ]
    [ "$(env -u NO_COLOR "${table[@]}" | grep -c $'\x1b')" -eq 0 ]
}

@test "colours tell good news from bad: on a terminal, and wherever --color always" {
    green=$'\e[32m' red=$'\e[31m'
    run_tribench "${sweep[@]}" -f table --color always
    grep -qF "${green}pass" "$stdout" || fails "pass is not green"
    # a root for each cell costs the cpu engine ten times as much as the bounding box
    run_tribench -q --engine cpu --threads 1 -n 1024 -s bb,utm -w dummy -f table --color always
    grep -F '  utm ' "$stdout" | grep -qF "${red}0." || fails "slower is not red"
    run_tribench "${sweep[@]}" -f table
    ! grep -qF $'\e' "$stdout" || fails "colours in a pipe"
    run_tribench "${sweep[@]}" -q -o "$BATS_TEST_TMPDIR/t.txt" --color always
    ! grep -qF $'\e' "$BATS_TEST_TMPDIR/t.txt" || fails "colours in a file"
    run_tribench -s bb,ltm-r --verify beyond -q --engine cpu -w cover -n 1048576 -f table --color always
    grep -qF "${red}failed" "$stdout" || fails "a failure is not red"
}

@test "a dumb terminal gets no control sequences, but the table and a line per run" {
    run_tribench --version # for the names of its files
    TERM=dumb "$PYTHON" -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$TRIBENCH" "${sweep[@]}" >"$stdout" </dev/null
    ! grep -qF $'\e' "$stdout" || fails "control sequences"
    [ "$(grep -c '^\[[0-9]*/18\] ' "$stdout")" -eq 18 ] || fails "no progress"
    [ "$(grep -c '^  ltm-r ' "$stdout")" -eq 6 ] || fails "no table"
}

@test "the bar moves before the first group is over" {
    run_tribench --version # for the names of its files
    "$PYTHON" - "$TRIBENCH" <<'END' || fails "it stands still"
import os, pty, re, sys

child, terminal = pty.fork()
if child == 0:
    os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
    os.execv(sys.argv[1], "tribench --engine cpu --threads 1 -s bb,ltm,rec -w edm1 -n 2048 --samples 60".split())
written = b""
try:
    while piece := os.read(terminal, 65536):
        written += piece
except OSError:
    pass
bars = re.findall(r"\[([#.]+)\] 0 of 3 runs", written.decode())
sys.exit(len({bar.count("#") for bar in bars}) < 3)
END
}

@test "the summary says how many tie with the fastest" {
    on_terminal 120 "$TRIBENCH" --engine cpu --threads 1 -s bb,utm -w dummy -n 1024 --samples 9 -f table
    expect_status 0
    grep -qE '^  dummy .* bb  +-b 16x16$' "$stdout" || fails "a clear winner is not named"
    on_terminal 120 "$TRIBENCH" --engine cpu --threads 1 -s ltm-r,ltm-i -w dummy -n 64 --samples 5 -f table
    grep -qE '^  dummy .* 3 of 3  +-b 16x16$' "$stdout" || fails "too few samples to tell them apart"
}
