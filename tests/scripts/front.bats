#!/usr/bin/env bats
# A stranger's first contact: every command in README and docs runs and prints the output that they show.

load ../cli/helpers

setup() {
    root=$PWD
    cd "$BATS_TEST_TMPDIR" || return
    ln -s "$root/tests" tests
    ln -s "$root/report" report
    ln -s "$root/study" study
    ln -s "$TRIBENCH" tribench
    ln -s "$root/examples" examples
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    sed -n '/^    #include "own.h"/,/^    TD_DESCRIPTOR/s/^    //p' "$root/docs/your-kernel.md" >dot.h
    sed -n '/^    #include "strategies/,/^    }$/s/^    //p' "$root/docs/your-map.md" >root.h
    printf '64\n8\n32\n1\n' >lengths.csv # none is longer than the N of the test below
    # study/docs runs those of the gallery
    mapfile -t texts < <(find "$root"/README.md "$root"/docs "$root"/report/README.md -name '*.md' ! -name gallery.md)
}

# The commands of the texts that start with a word, without a prompt before it or a comment after it. Generated ones,
# which start with "tribench --engine cuda", say how a table was measured on a GPU.
commands() { # WORD
    sed -nE "s@^    (\\$ |(mpirun|srun) [^#]* |build/venv/bin/python )?($1 .*)@\\3@p" "${texts[@]}" |
        sed 's/  *# .*//' | sort -u
}

@test "every tribench of README and docs runs" {
    # Small and on the host, since the last of a repeated option counts: only correctness is tested.
    while read -r command; do
        small=' --engine cpu --threads 1 --samples 2 --warmup 0 --max-time 0.1 --quiet'
        [[ $command != *--ranks* ]] || small+=' --dry-run'
        [[ $command == *--input* || $command == *--list* || $command == *--help* ]] || small+=' -n 64'
        [[ $command != *--help* && $command != *--list* ]] || small=
        # The maps that the docs check are wrong at some n: that is status 3.
        bash -c "$command$small" >out 2>err </dev/null || [[ $? = 3 && $command == *--check-maps* ]] ||
            { echo "$command" && cat err && false; }
        [ -s out ] || [[ $command == *-o* || $command == *--dump* ]]
    done < <(commands '\./tribench')
    [ "$(commands '\./tribench' | wc -l)" -ge 9 ] # two of them behind mpirun and srun
    [ -s sweep.json ] && [ -s sweep.csv ] && [ -s distances.npy ]
}

@test "every tribench-report of README and docs runs" {
    ln -s "$root/build" build
    mkdir docs shards results
    "$TRIBENCH" -q --engine cpu --threads 1 -s bb,rb -w edm1 -n 64,128 --samples 7 -o shards/0.json
    cp shards/0.json results
    cp shards/0.json results/nightly-1.json
    export HOME=$BATS_TEST_TMPDIR
    for file in {old,new}{1,2,3}.json peers.json nightly-1.json; do cp shards/0.json "$file"; done
    commands report/tribench-report >lines
    while read -r command; do
        # A side is not slower than itself.
        bash -c "\"$PYTHON\" report/${command#report/}" >out 2>err </dev/null ||
            { echo "$command" && cat err && false; }
        [ -s out ] || [[ $command == *-o* ]]
    done <lines
    [ "$(wc -l <lines)" -ge 5 ]
    [ -s all.json ] && [ -s edm.json ]
}

@test "every scripts/sweep of the docs says what it would run" {
    # With --dry-run, at sizes that are quick to plan. sweep.bats tests several devices and user files.
    while read -r command; do
        [[ $command != *--devices* && $command != *.json* ]] || continue
        [[ $command == *' -- '* ]] && command=${command/ -- / --dry-run -- } || command+=' --dry-run'
        (cd "$root" && bash -c "$command --binary '$TRIBENCH'") >out 2>err </dev/null ||
            { echo "$command" && cat err && false; }
        [ -s out ] || [ -s err ]
    done < <(commands 'scripts/sweep' |
        sed -E "s| --binary \\S+||; s| -o \\S+| -o $BATS_TEST_TMPDIR/swept|; s| -- .*||")
}

@test "every scripts/turns of the docs says what it would run" {
    while read -r command; do
        (cd "$root" && bash -c "${command/ -- / --dry-run -- }") >out 2>err || { echo "$command" && cat err && false; }
        grep -q -e '--strategy 2d' out err
    done < <(commands scripts/turns | sed "s@old/tribench ./tribench@'$TRIBENCH' '$TRIBENCH'@")
}

@test "the table that the README begins with is what a terminal of 100 columns shows" {
    command=$(sed -nE 's|^    \$ \./tribench ||p' "$root/README.md")
    # shellcheck disable=SC2086  # words
    "$PYTHON" tests/terminal.py 100 "$TRIBENCH" $command --engine cpu --samples 6 --max-time 1 >out </dev/null
    # Short numbers leave room for more columns, and a run that is faster than the kept peak has no bound.
    titles() { sed -n '/^ *strategy /{s/^ *//;s/  */ /g;s/ kernels//;s/ of bound//;s/ notes//;p;q}' "$1"; }
    [ -n "$(titles out)" ]
    diff <(titles out) <(titles "$root/README.md")
    diff <(sed -n '/^edm4, N = /{s/, cpu//;p}' out) <(sed -n '/^ *edm4, N = /{s/^ *//;s/, cuda//;p}' "$root/README.md")
    for map in bb ltm-i rb-b; do
        wasted() { awk -v map="$map" '$1 == "strategy" {at = $2 == "wasted" ? 2 : 3} $1 == map {print $at}' "$1"; }
        [ "$(wasted out)" = "$(wasted "$root/README.md")" ]
    done
}
