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

@test "where nothing could be run, what was there before stays, and the summary says so" {
    "$measure" --only 'paper tetra' some ./program >/dev/null
    sed -i '2i [[ $* != *--output* ]] || exit 4' program
    run "$measure" --only 'paper tetra' some ./program
    [ "$status" -eq 1 ]
    [[ $output = *'paper (status 4)'*'tetra (status 4)'* ]]
    [ "$(zcat some/paper.json.gz)" = '{}' ]
}

# As a terminal does it: the signal is for the program, too, which ends with a whole file and a status of its own.
@test "an interrupted measurement ends it, and leaves what was there before" {
    "$measure" --only 'example floors' some ./program >/dev/null
    before=$(cat some/*.gz | sha256sum)
    cat >program <<'END'
#!/usr/bin/env bash
echo "$*" >>"$CALLS"
trap 'echo part >"${!#}"; exit 130' INT
echo >ready
for _ in {1..99}; do sleep 0.1; done
END
    export CALLS=$PWD/calls
    env --default-signal=INT setsid "$measure" --only 'example floors paper' some ./program >said 2>&1 3>&- &
    until [ -e some/ready ]; do sleep 0.05; done
    status=0
    kill -INT -- -$! || kill -INT $!
    wait $! || status=$?
    [ "$status" -eq 130 ]
    [ "$(wc -l <calls)" -eq 1 ]
    [ "$(cat some/*.gz | sha256sum)" = "$before" ]
    [ ! -e some/example.json ]
}

# A program that writes a part of the document, then does as it is told.
checks_maps() { # WORDS
    printf '#!/usr/bin/env bash\necho part\n%s\n' "$1" >program
}

@test "maps.json stays as it was when the check of the maps fails, and the summary says so" {
    "$measure" --only maps some ./program
    checks_maps 'exit 4'
    run "$measure" --only maps some ./program
    [ "$status" -eq 1 ]
    [[ $output = *'not all of it is right: maps (status 4)'* ]]
    [ "$(cat some/maps.json)" = '{}' ]
    [ "$(ls some)" = $'maps.json\nrepeats' ]
}

@test "a map that is wrong is in maps.json, and in the summary" {
    checks_maps 'exit 3'
    run "$measure" --only maps some ./program
    [ "$status" -eq 1 ]
    [[ $output = *'not all of it is right: maps (status 3)'* ]]
    [ "$(cat some/maps.json)" = part ]
}

@test "a signal to the script alone ends the check of the maps, and maps.json stays as it was" {
    "$measure" --only maps some ./program
    checks_maps $'echo $$ >ready\nexec sleep 30'
    for signal in INT TERM; do
        rm -f ready
        env --default-signal=INT "$measure" --only maps some ./program >said 2>&1 3>&- &
        script=$! status=0
        until [ -s ready ]; do sleep 0.05; done
        kill -s $signal $script
        wait $script || status=$?
        [ "$status" -eq $((128 + $(kill -l $signal))) ]
        [ ! -e "/proc/$(cat ready)" ]
        grep -q 'stopped in maps' said
        [ "$(cat some/maps.json)" = '{}' ]
        [ "$(ls some)" = $'maps.json\nrepeats' ]
    done
}

@test "wrong use is rejected" {
    run "$measure"
    [ "$status" -eq 2 ]
    run "$measure" --all there
    [ "$status" -eq 2 ]
    [ ! -e there ]
}
