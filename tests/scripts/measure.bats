#!/usr/bin/env bats
# scripts/measure, with a program that only writes down how it was called.

setup() {
    measure=$PWD/scripts/measure
    cd "$BATS_TEST_TMPDIR" || return
    cat >program <<'END'
#!/usr/bin/env bash
[[ $* != *--check-maps* ]] || exec echo '{}'
echo '{}' >"${!#}" # the last word, after --output
END
    chmod +x program
}

@test "all files are measured, or those that are asked for" {
    "$measure" all ./program >/dev/null
    [ -s all/paper.json.gz ]
    [ -s all/shapes-aligned.json.gz ]
    [ -s all/repeats/20.json.gz ]
    [ -e all/maps.json ]
    "$measure" --only 'paper tetra-*' some ./program >/dev/null
    [ -s some/paper.json.gz ]
    [ -s some/tetra-small.json.gz ]
    [ ! -e some/tetra.json.gz ]
    [ ! -e some/maps.json ]
    [ -z "$(ls some/repeats)" ]
    diff <(cd all && ls paper.json.gz tetra-*) <(cd some && ls -- *.gz)
}

@test "what has a run that is wrong is named at the end, and all else is measured" {
    sed -i '2i [[ $* != *--cutoff* ]] || { echo "{}" >"${!#}"; exit 3; }' program
    run "$measure" --only 'paper tetra tetra-cutoffs tetra-small' some ./program
    [ "$status" -eq 1 ]
    [[ $output = *'not all of it is right: tetra (status 3)'* ]]
    [[ $output != *'right: paper'* ]]
    [ -s some/tetra.json.gz ]
    [ -s some/tetra-small.json.gz ]
}

@test "wrong use is rejected" {
    run "$measure"
    [ "$status" -eq 2 ]
    run "$measure" --all there
    [ "$status" -eq 2 ]
    [ ! -e there ]
}
