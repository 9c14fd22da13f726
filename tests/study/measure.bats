#!/usr/bin/env bats
# study/measure, with a program that only records its calls.

setup() {
    measure=$PWD/study/measure shipped=$PWD/study/results
    cd "$BATS_TEST_TMPDIR" || return
    cat >program <<'END'
#!/usr/bin/env bash
[[ $* != *--check-maps* ]] || exec echo '{}'
# the last word, after --output
echo '{"schema": {"name": "tribench", "major": 2}, "command": ["'"$*"'"], "runs": []}' >"${!#}"
END
    chmod +x program
}

labels() { # FILE
    zcat "$1" | grep -o '"file": "[^"]*' | sed 's/.*"//; s/\.json$//'
}

ends() { # STATUS WORDS ARGUMENT...: measure, which says these words
    run "$measure" "${@:3}"
    [[ $status -eq $1 && $output = *"$2"* ]] || { echo "status $status: $output" && return 1; }
}

@test "everything is measured, or what is asked for, each under its label" {
    "$measure" all.json.gz ./program >/dev/null
    labels all.json.gz | grep -qx paper
    labels all.json.gz | grep -qx shapes-aligned
    [ "$(labels all-repeats.json.gz)" = "$(printf '%02d\n' {1..20})" ]
    [ -e all-maps.json ]
    "$measure" --only 'paper tetra-*' some.json.gz ./program >/dev/null
    diff <(labels all.json.gz | grep -e '^paper$' -e '^tetra-') <(labels some.json.gz)
    [ "$(ls some*)" = some.json.gz ]
}

@test "the shipped results have no label that is no longer measured" {
    "$measure" all.json.gz ./program >/dev/null
    for maps in "$shipped"/*-maps.json; do
        # study/peers adds its own
        run grep -vxFf <(labels all.json.gz && echo peers) <(labels "${maps%-maps.json}.json.gz")
        echo "$maps: $output"
        [ "$status" -eq 1 ]
    done
}

@test "what is measured again takes the place of what was there, and the rest stays" {
    "$measure" --only 'paper roots' some.json.gz ./program >/dev/null
    sed -i 's/"command": \["/&again /' program
    "$measure" --only 'roots' some.json.gz ./program >/dev/null
    [ "$(labels some.json.gz)" = $'paper\nroots' ]
    [ "$(zcat some.json.gz | grep -c '"again --')" -eq 1 ]
    [ "$(zcat some.json.gz | grep -c 'again .*roots.json')" -eq 1 ]
}

@test "what has a run that is wrong is named at the end, and all else is measured" {
    sed -i '$a [[ $* != *--cutoff* ]] || exit 3' program
    ends 1 'not all of it is right: tetra (status 3)' --only 'paper tetra tetra-cutoffs tetra-small' some.json.gz \
        ./program
    [[ $output != *'right: paper'* ]]
    [ "$(labels some.json.gz)" = $'paper\ntetra-cutoffs\ntetra-small\ntetra' ]
}

@test "where nothing could be run, what was there before stays, and the summary says so" {
    "$measure" --only 'paper tetra' some.json.gz ./program >/dev/null
    before=$(sha256sum some.json.gz)
    sed -i '2i [[ $* != *--output* ]] || exit 4' program
    run "$measure" --only 'paper tetra' some.json.gz ./program
    [ "$status" -eq 1 ]
    [[ $output = *'paper (status 4)'*'tetra (status 4)'* ]]
    [ "$(sha256sum some.json.gz)" = "$before" ]
}

@test "what cannot be collected stays, and is collected later" {
    mkdir some.json.gz
    run "$measure" --only paper some.json.gz ./program
    [ "$status" -ne 0 ]
    [[ $output = *'stays in some.new'* ]]
    rmdir some.json.gz
    "$measure" --only none some.json.gz ./program
    [ "$(labels some.json.gz)" = paper ]
    [ ! -e some.new ]
}

# The test signals the program, too, like a terminal. The program ends with a whole file and its own exit status.
@test "an interrupted measurement ends it, and leaves what was there before" {
    "$measure" --only 'example floors' some.json.gz ./program >/dev/null
    before=$(sha256sum some.json.gz)
    cat >program <<'END'
#!/usr/bin/env bash
echo "$*" >>"$CALLS"
trap 'echo part >"${!#}"; exit 130' INT
echo >"$READY"
for _ in {1..99}; do sleep 0.1; done
END
    export CALLS=$PWD/calls READY=$PWD/ready
    env --default-signal=INT setsid "$measure" --only 'example floors paper' some.json.gz ./program >said 2>&1 3>&- &
    until [ -e ready ]; do sleep 0.05; done
    status=0
    kill -INT -- -$! || kill -INT $!
    wait $! || status=$?
    [ "$status" -eq 130 ]
    [ "$(wc -l <calls)" -eq 1 ]
    [ "$(sha256sum some.json.gz)" = "$before" ]
    [ ! -e some.new ]
}

# A program that writes part of the document, then behaves as requested.
checks_maps() { # WORDS
    printf '#!/usr/bin/env bash\necho part\n%s\n' "$1" >program
}

@test "the file of the maps stays as it was when the check of the maps fails, and the summary says so" {
    "$measure" --only maps some.json.gz ./program
    checks_maps 'exit 4'
    ends 1 'not all of it is right: maps (status 4)' --only maps some.json.gz ./program
    [ "$(cat some-maps.json)" = '{}' ]
    [ "$(ls -d some*)" = some-maps.json ]
}

@test "a map that is wrong is in the file of the maps, and in the summary" {
    checks_maps 'exit 3'
    ends 1 'not all of it is right: maps (status 3)' --only maps some.json.gz ./program
    [ "$(cat some-maps.json)" = part ]
}

@test "a signal to the script alone ends the check of the maps, and their file stays as it was" {
    "$measure" --only maps some.json.gz ./program
    checks_maps $'echo $$ >ready\nexec sleep 30'
    for signal in INT TERM; do
        rm -f ready
        env --default-signal=INT "$measure" --only maps some.json.gz ./program >said 2>&1 3>&- &
        script=$! status=0
        until [ -s ready ]; do sleep 0.05; done
        kill -s $signal $script
        wait $script || status=$?
        [ "$status" -eq $((128 + $(kill -l $signal))) ]
        [ ! -e "/proc/$(cat ready)" ]
        grep -q 'stopped in maps' said
        [ "$(cat some-maps.json)" = '{}' ]
        [ "$(ls -d some*)" = some-maps.json ]
    done
}

@test "the time of a fill is measured with torch, and stays as it was without" {
    PATH=$(dirname "$PYTHON"):$PATH # the Python with numpy
    FAKE_TORCH=steady PYTHONPATH=$BATS_TEST_DIRNAME/../fake "$measure" --only fill some.json.gz ./program
    [ "$(head -n 2 some-fill.csv)" = $'n,bytes_per_cell,fill_ms\n1024,4,2.000000' ]
    echo 'raise ImportError' >torch.py
    cp some-fill.csv before
    PYTHONPATH=. run "$measure" --only fill some.json.gz ./program
    [ "$status" -eq 0 ]
    grep -q 'measure: the fill was not measured' <<<"$output"
    cmp some-fill.csv before
    [ ! -e some-fill.csv.new ]
}

@test "wrong use is rejected" {
    ends 2 ''
    ends 2 '' --all there.json.gz
    ends 2 '' there
    [ -z "$(ls -d there*)" ]
}
