#!/usr/bin/env bats
# --generate: the man page and the completions, in real shells, agree with the table of options.

load helpers

setup() {
    dir=$BATS_TEST_TMPDIR
    # the names of the long options in the help
    mapfile -t names < <("$TRIBENCH" --help=all | grep -oE '^ {2}(-.,|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+')
    [ "${#names[@]}" -gt 40 ]
}

generate() { # KIND FILE
    "$TRIBENCH" --generate "$1" >"$dir/$2"
}

need() { # COMMAND
    command -v "$1" >/dev/null || skip "there is no $1"
}

# Prints the arguments that a command gets for each typed line.
typed() { # SHELL... -- LINE...
    local shell=()
    while [ "$1" != -- ]; do shell+=("$1") && shift; done
    shift
    (cd "$dir" && "$PYTHON" "$BATS_TEST_DIRNAME/../typed.py" "$dir/setup" "$@" -- "${shell[@]}")
}

@test "the man page has every option, strategy and workload, with its default" {
    need groff
    generate man tribench.1
    # all warnings, and each of them counts
    run groff -man -ww -Tutf8 -z "$dir/tribench.1"
    [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "$output" && false; }
    groff -man -Tutf8 -rLL=200n -P-cbou "$dir/tribench.1" >"$dir/page"
    for name in "${names[@]}"; do
        grep -qE -- "^ +(-., )?$name( |\[|$)" "$dir/page" || { echo "no $name" && false; }
    done
    while read -r name; do
        grep -qE "^ +$name(,|\$| )" "$dir/page" || { echo "no $name" && false; }
    done < <(for kind in strategies workloads; do
        "$TRIBENCH" --list "$kind" --format json | "$PYTHON" -c 'import json, sys
print(*(entry["name"] for entry in json.load(sys.stdin)), sep="\n")'
    done)
    grep -q 'samples per run; 1..1000000 (default: 51)' "$dir/page"
    grep -q "tribench $("$TRIBENCH" --version | sed -n '1s/tribench //p')" "$dir/page"
}

@test "mandoc has nothing against the man page" {
    need mandoc
    generate man tribench.1
    run mandoc -T lint -W warning "$dir/tribench.1"
    [ "$status" -eq 0 ] || { echo "$output" && false; }
}

@test "bash completes options, choices, lists, files and folders" {
    generate complete-bash complete
    echo 'tribench() { printf "<%s>" "$@"; echo END; }; . ./complete' >"$dir/setup"
    mkdir "$dir/a folder"
    touch "$dir/points.csv"
    mapfile -t got < <(typed bash --norc --noprofile -i -- $'tribench --strat\tbb' $'tribench --cache c\t' \
        $'tribench --cache=c\t' $'tribench -s bb,utm,ltm-te\t' $'tribench --workload edm1,trip\t' \
        $'tribench --baseline no\t' $'tribench --input poi\t' $'tribench --resume a\t' $'tribench --list eng\t' \
        $'tribench --list --verb\t' $'tribench --n 8 --mem\thalo' $'tribench --memory two-g\t' $'tribench -o poi\t')
    printf '%s\n' "${got[@]}"
    [ "${got[0]}" = '<--strategy><bb>' ]
    [ "${got[1]}" = '<--cache><cold>' ]
    [ "${got[2]}" = '<--cache=cold>' ]
    [ "${got[3]}" = '<-s><bb,utm,ltm-tetra>' ]
    [ "${got[4]}" = '<--workload><edm1,triplet>' ]
    [ "${got[5]}" = '<--baseline><none>' ]
    [ "${got[6]}" = '<--input><points.csv>' ]
    [ "${got[7]}" = '<--resume><a folder/>' ]
    [ "${got[8]}" = '<--list><engines>' ]
    [ "${got[9]}" = '<--list><--verbose>' ]
    [ "${got[10]}" = '<--n><8><--memory><halo>' ]
    [ "${got[11]}" = '<--memory><two-generation>' ]
    [ "${got[12]}" = '<-o><points.csv>' ]
}

@test "bash completes every option, and shellcheck accepts what does it" {
    generate complete-bash complete
    for name in "${names[@]}"; do
        grep -qE -- "['\" ]${name}['\" ]" <(tail -n 4 "$dir/complete") || { echo "no $name" && false; }
    done
    need shellcheck
    shellcheck --shell bash "$dir/complete"
}

@test "zsh completes options, choices and lists" {
    need zsh
    generate complete-zsh _tribench
    zsh -n "$dir/_tribench"
    for name in "${names[@]}"; do
        grep -qE -- "['{,]${name}[]'=[}]" "$dir/_tribench" || { echo "no $name" && false; }
    done
    cat >"$dir/setup" <<'SETUP'
fpath=($PWD $fpath); unsetopt beep; autoload -U compinit; compinit -D -u
tribench() { printf "<%s>" "$@"; echo END; }
SETUP
    mapfile -t got < <(typed zsh -f -i -- $'tribench --strat\tbb' $'tribench --cache c\t' \
        $'tribench -s bb,utm,ltm-te\t' $'tribench --memory two-g\t')
    printf '%s\n' "${got[@]}"
    [ "${got[0]}" = '<--strategy=bb>' ] # zsh puts the mark itself
    [ "${got[1]}" = '<--cache><cold>' ]
    [ "${got[2]}" = '<-s><bb,utm,ltm-tetra>' ]
    [ "${got[3]}" = '<--memory><two-generation>' ]
}

@test "fish completes options, choices and lists" {
    need fish
    generate complete-fish complete
    fish --no-execute "$dir/complete"
    for name in "${names[@]}"; do
        grep -qE -- "^complete -c tribench -l ${name#--} " "$dir/complete" || { echo "no $name" && false; }
    done
    completes() { # LINE
        HOME=$dir fish --no-config -c "source '$dir/complete'; complete -C '$1'" | cut -f 1
    }
    [ "$(completes 'tribench --strat')" = --strategy ]
    [ "$(completes 'tribench --cache c')" = cold ]
    [ "$(completes 'tribench --cache=c')" = --cache=cold ]
    [ "$(completes 'tribench --list=eng')" = --list=engines ]
    [ "$(completes 'tribench -s bb,utm,ltm-te')" = bb,utm,ltm-tetra ]
    [ "$(completes 'tribench --strategy=ltm-te')" = --strategy=ltm-tetra ]
}

@test "--generate looks at nothing else, and names what it makes" {
    rejects "expected one of man|complete-bash|complete-zsh|complete-fish" --generate tcsh
    "$TRIBENCH" --generate man --n 0 >/dev/null
}
