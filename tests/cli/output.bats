#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031,SC2054  # bats runs each test in a subshell; lists of names have commas
# Outputs that cannot be written: always a message and a nonzero exit status, never a file that looks like a result.

setup() {
    TRIBENCH=${TRIBENCH:-$PWD/tribench}
    PYTHON=${PYTHON:-$PWD/build/venv/bin/python}
    cd "$BATS_TEST_TMPDIR" || return
    small=(--engine cpu --threads 1 --n 64 --strategy bb,ltm-r --samples 6 --warmup 0 --quiet)
}

# run's own capture mixes both streams; here they are apart.
call() {
    status=0
    "$TRIBENCH" "${small[@]}" "$@" >out 2>err || status=$?
}

# In the background; $! is its process. A test ends although it runs, since it has none of bats' descriptors.
start() {
    "$TRIBENCH" "${small[@]}" "$@" 2>err 3>&- &
}

ended() { # PROCESS
    status=0
    wait "$1" || status=$?
}

one_message() {
    [ "$(wc -l <err)" -eq 1 ]
    grep -q '^tribench: ' err
}

rejected_before_anything_runs() { # WORD...
    [ "$status" -eq 2 ]
    [ ! -s out ]
    one_message
    local word
    for word in "$@"; do
        grep -qF -- "$word" err
    done
}

@test "standard output on a full disk, and into a pipe that is closed" {
    for format in json jsonl csv table; do
        status=0
        "$TRIBENCH" "${small[@]}" --format "$format" >/dev/full 2>err || status=$?
        [ "$status" -eq 1 ]
        one_message
        {
            status=0
            "$TRIBENCH" "${small[@]}" --format "$format" 2>err || status=$?
            echo "$status" >status
        } | true
        [ "$(cat status)" -eq 1 ]
        one_message
        grep -qi 'broken pipe' err
    done
}

@test "a closed standard output, which no dump and no other output takes the place of" {
    for words in "" "--workload write --baseline none --strategy bb --dump d.npy" "--output c.jsonl --output -"; do
        status=0
        # shellcheck disable=SC2086  # several words
        "$TRIBENCH" "${small[@]}" $words >&- 2>err || status=$?
        [ "$status" -eq 1 ]
        one_message
        grep -q 'standard output is closed' err
    done
    [ ! -e d.npy ] || ! grep -q schema d.npy
    [ ! -e c.jsonl ] || ! grep -vq '^{"type":' c.jsonl
}

@test "one file by two names, through links that lead to nothing yet, is one too many" {
    ln -s new.json link
    call --strategy bb --workload write --dump new.json --output link:csv
    rejected_before_anything_runs 'expected different files'
    call --output link:csv --output new.json
    rejected_before_anything_runs 'expected different files'
    call --strategy bb --workload write --dump /dev/stdout
    rejected_before_anything_runs 'expected different files'
    [ ! -e new.json ]
}

@test "where no file can be, the output is rejected before anything runs" {
    local long
    long=$(printf 'x%.0s' {1..300})
    mkdir folder
    echo kept >file
    for format in json jsonl csv table; do
        for place in folder:directory nowhere/out:'No such' file/out:'Not a directory' /proc/out: "$long:too long"; do
            call --format "$format" --output "${place%%:*}"
            rejected_before_anything_runs "--output '${place:0:4}" "${place#*:}"
        done
    done
    [ -z "$(ls -A folder)" ]
    [ ! -e nowhere ]
    [ "$(cat file)" = kept ]
}

# File modes do not stop root. If the test runs as root, the binary runs as another user, in a public folder.
unprivileged_call() {
    status=0
    if [ "$(id -u)" -ne 0 ]; then
        "$TRIBENCH" "${small[@]}" "$@" >out 2>err || status=$?
        return
    fi
    local -a as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${as[@]}" "$TRIBENCH" --version >/dev/null 2>&1 || skip "the binary cannot be run as another user"
    "${as[@]}" "$TRIBENCH" "${small[@]}" "$@" >out 2>err || status=$?
}

@test "a read-only file or folder stays as it is" {
    folder=$(mktemp -d /tmp/tribench-output.XXXXXX)
    echo kept >"$folder/file"
    chmod 444 "$folder/file"
    chmod 555 "$folder"
    for format in json jsonl csv table; do
        for name in file result; do
            unprivileged_call --format "$format" --output "$folder/$name"
            rejected_before_anything_runs --output "/$name'" 'Permission denied'
        done
    done
    [ "$(cd "$folder" && cat -- *)" = kept ]
    rm -rf "$folder"
}

@test "a file size limit: the message, no half result, and the file keeps what it held before" {
    echo kept >file.json
    for name in small file; do
        status=0 # one block of 1024 bytes is less than a header with one run
        (ulimit -f 1 && "$TRIBENCH" "${small[@]}" --output $name.json 2>err) || status=$?
        [ "$status" -eq 1 ]
        one_message
    done
    [ ! -e small.json ]
    [ "$(cat file.json)" = kept ]
    [ -z "$(find . -name '.tribench-*')" ]
}

@test "a disk that fills up in the middle of a jsonl sweep: what is there can be resumed" {
    status=0
    (ulimit -f 4 &&
        "$TRIBENCH" "${small[@]}" --n 32:512:32 --format jsonl --output part.jsonl 2>err) || status=$?
    [ "$status" -eq 1 ]
    one_message
    [ "$(tail -c 1 part.jsonl | od -An -tx1 | tr -d ' ')" = 0a ]
    [ "$(grep -c '"type":"run"' part.jsonl)" -gt 0 ]
    "$TRIBENCH" "${small[@]}" --n 32:512:32 --resume part.jsonl --output part.jsonl
    [ "$(grep -o '"key":"[^"]*"' part.jsonl | sort | uniq -c | awk '$1 == 1' | wc -l)" -eq 32 ]
}

@test "a result that is being written by another process" {
    start --n 2048 --samples 1000 --format jsonl --output busy.jsonl
    first=$!
    until [ -s busy.jsonl ]; do sleep 0.05; done
    call --output busy.jsonl
    rejected_before_anything_runs "'busy.jsonl'" 'another process'
    call --format jsonl --output busy.jsonl
    kill -KILL "$first"
    wait "$first" || true
    rejected_before_anything_runs "'busy.jsonl'" 'another process'
    call --format jsonl --resume busy.jsonl --output busy.jsonl
    [ "$status" -eq 0 ]
}

# A sweep whose file is removed when it has some lines. $status is its exit status; its messages are in err.
lose() { # COMMAND...
    start --n 64:4096:64 --samples 20 --format jsonl --output lost.jsonl
    local sweep=$!
    until [ "$(grep -c '"type":"run"' lost.jsonl 2>/dev/null || true)" -ge 4 ]; do sleep 0.02; done
    "$@"
    ended "$sweep"
    [ "$status" -eq 1 ]
    one_message
}

@test "a jsonl file that is deleted, moved, replaced or cut while it grows: the sweep ends, and says why" {
    mkdir kept && TMPDIR=kept lose rm lost.jsonl
    [ ! -e lost.jsonl ]
    call --resume kept/tribench-*-lost.jsonl -o kept/tribench-*-lost.jsonl # its lines are there
    [ "$(grep -c '"type":"run"' kept/tribench-*-lost.jsonl)" -ge 5 ]

    lose mv lost.jsonl elsewhere.jsonl
    grep -q "'lost.jsonl' was moved or replaced by another process" err
    [ "$(grep -c '"type":"run"' elsewhere.jsonl)" -ge 4 ] # and they can be resumed
    call --resume elsewhere.jsonl -o elsewhere.jsonl
    [ "$status" -eq 0 ]

    replace() { mv lost.jsonl first.jsonl && echo other >lost.jsonl; }
    lose replace
    [ "$(cat lost.jsonl)" = other ]
    [ "$(grep -c '"type":"run"' first.jsonl)" -ge 4 ]
    rm lost.jsonl

    cut_it() { : >lost.jsonl; }
    lose cut_it
    grep -q "'lost.jsonl' was cut by another process" err
}

@test "a folder that is deleted while a sweep runs: the result is in TMPDIR" {
    mkdir folder kept
    TMPDIR=kept start --n 64:1024:64 --samples 20 -o folder/a.json
    until compgen -G 'folder/.tribench-*' >seen; do sleep 0.02; done
    rm -r folder
    ended $!
    [ "$status" -eq 1 ]
    grep -q 'kept/tribench-.*-a.json' err
    [ "$(grep -c '"key":' kept/tribench-*-a.json)" -eq 32 ]
}

@test "a plan that is interrupted leaves no file" {
    for signal in TERM KILL; do
        rm -f .tribench-*
        start --dry-run -s 2d -w edm1,edm2,edm3,edm4 -n 1:4000:1 -f jsonl -o plan.jsonl
        plan=$!
        until compgen -G '.tribench-*' >seen && [ -s "$(cat seen)" ]; do kill -0 "$plan" && sleep 0.02; done
        kill "-$signal" "$plan"
        ended "$plan"
        [ "$status" -gt 128 ] # else it was over before the signal
        [ ! -e plan.jsonl ]
    done
    call --dry-run -f jsonl -o plan.jsonl
    [ "$status" -eq 0 ]
    tail -n 1 plan.jsonl | grep -q '"type":"footer"'
}

@test "a jsonl file that holds something is neither lost nor gone on with by mistake" {
    call --format jsonl --output kept.jsonl
    [ "$status" -eq 0 ]
    cp kept.jsonl before.jsonl
    for words in "" --dry-run; do
        # shellcheck disable=SC2086  # no word, or one
        call --format jsonl --output kept.jsonl $words
        rejected_before_anything_runs "--output 'kept.jsonl'" --resume 'or remove it'
        cmp kept.jsonl before.jsonl
    done
    : >empty.jsonl
    call --format jsonl --output empty.jsonl
    [ "$status" -eq 0 ]
}

@test "symbolic links are followed, also where they lead to nothing yet" {
    for format in json jsonl csv table; do
        ln -s "second.$format" "link.$format"
        ln -s "there.$format" "second.$format"
        call --format "$format" --output "link.$format" --engine cuda --device 1023 # never starts
        [ "$status" -ne 0 ]
        [ ! -e "there.$format" ]
        call --format "$format" --output "link.$format"
        [ "$status" -eq 0 ]
        [ -L "link.$format" ]
        [ -s "there.$format" ]
    done
    : >there.json
    call --output link.json
    [ -L link.json ]
    [ -s there.json ]
    ln -s there.npy link.npy
    "$TRIBENCH" "${small[@]}" --strategy ltm-r --workload edm1 --dump link.npy >out
    [ -L link.npy ]
    [ -s there.npy ]
    ln -s circle other
    ln -s other circle
    for format in json jsonl; do
        call --format "$format" --output circle
        rejected_before_anything_runs "'circle'" 'symbolic links'
    done
}

@test "a signal leaves no temporary file, SIGKILL nothing else" {
    for signal in KILL TERM KILL INT; do
        start --strategy bb --workload life --n 400 --steps 2000 --dump states.npy:1 --output result.json
        sweep=$!
        for _ in {1..1000}; do
            [ "$(find . -name '.tribench-*' | wc -l)" -lt 2 ] || break
            sleep 0.01
        done
        kill "-$signal" "$sweep"
        wait "$sweep" || true
        [ ! -e states.npy ]
        if [ "$signal" = KILL ]; then
            [ ! -e result.json ]
            rm .tribench-*.tmp
        fi
        [ -z "$(find . -name '.tribench-*')" ]
        rm -f result.json
    done
}

# Processor time of a process and its workers, in hundredths of a second.
spent() { # PROCESS
    local process sum=0 stat
    for process in "$1" $(pgrep -P "$1"); do
        read -r stat <"/proc/$process/stat" || continue
        read -ra stat <<<"${stat##*) }"
        sum=$((sum + stat[11] + stat[12] + stat[13] + stat[14]))
    done
    echo "$sum"
}

# The same for all finished children, from `times`, which knows only the children of its own shell.
children_spent() { # FILE
    tail -n 1 "$1" | tr 'ms' '  ' | awk '{printf "%d", 100 * (60 * ($1 + $3) + $2 + $4)}'
}

# Ends after the signal with less than two seconds of processor time, however busy the machine is.
answers() { # SIGNAL PROCESS
    local at_signal
    times >before
    at_signal=$(spent "$2")
    kill "-$1" "$2"
    timeout 100 tail --pid="$2" -f /dev/null
    ended "$2"
    times >after
    [ $(($(children_spent after) - $(children_spent before) - at_signal)) -le 200 ]
}

# Waits for the worker: from then on, the program catches signals.
has_worker() { # PROCESS
    until pgrep -P "$1" >/dev/null; do kill -0 "$1"; sleep 0.02; done
}

@test "a signal ends a sweep whose standard output is a full pipe that nobody reads" {
    mkfifo full
    exec 7<>full
    for format in json jsonl csv; do
        for signal in TERM INT; do
            start --strategy all --n 32:160:1 --max-time 0.001 --format "$format" >full 7>&-
            sweep=$!
            has_worker "$sweep"
            sleep 3
            answers "$signal" "$sweep"
            [ "$status" -eq "$([ "$signal" = TERM ] && echo 143 || echo 130)" ]
            dd if=full of=/dev/null bs=1M count=1 iflag=nonblock 2>/dev/null <&7 || true
        done
    done
}

@test "a signal that comes while somebody reads, however slowly, leaves the document whole" {
    mkfifo slow
    (sleep 0.5 && exec cat >read.json) <slow 3>&- &
    reader=$!
    start --strategy all --n 32:160:1 --samples 3 --format json >slow
    sweep=$!
    has_worker "$sweep"
    sleep 0.7
    kill -TERM "$sweep"
    ended "$sweep"
    wait "$reader"
    [ "$status" -eq 143 ]
    tail -c 3 read.json | grep -q '}'
}

@test "a signal ends the reading of a large input and the making of a long plan at once" {
    local cells=$((60000 * 60001 / 2))
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' \
        "{'descr': '|u1', 'fortran_order': False, 'shape': ($cells,), }" >large.npy
    truncate -s $((10 + 118 + cells)) large.npy # a hole, which takes no room
    commands=("--workload life --strategy bb --input large.npy -o none.json"
        "--dry-run -f json -s all -w all -n 1:3000:1 -b 8 -o none.json")
    for command in "${commands[@]}"; do
        for signal in TERM INT; do
            # shellcheck disable=SC2086  # several words
            start $command
            sweep=$!
            sleep 0.3 # in memory, it reads for a second or more
            answers "$signal" "$sweep"
            [ "$status" -eq "$([ "$signal" = TERM ] && echo 143 || echo 130)" ]
            [ ! -e none.json ]
        done
    done
}

@test "standard error is closed: nothing of it is in the result" {
    for words in "-f jsonl" "-f json" "-v -f csv"; do
        # shellcheck disable=SC2086  # several words
        "$TRIBENCH" --engine cpu --threads 1 -n 8 -s bb --samples 2 $words -o "$BATS_TEST_TMPDIR/out" 2>&-
        head -c 1 "$BATS_TEST_TMPDIR/out" | grep -q '[{k]'
        if grep -q '^\[1/1\]' "$BATS_TEST_TMPDIR/out"; then
            return 1
        fi
    done
}

@test "SIGHUP ends a sweep as other signals do, unless nohup keeps it off" {
    sweep=("$TRIBENCH" -q --engine cpu --threads 1 -n 64:2048:64 -s bb -w edm4 -f jsonl)
    for ignored in no yes; do
        out=$BATS_TEST_TMPDIR/$ignored.jsonl
        if [ "$ignored" = yes ]; then
            (trap '' HUP && exec "${sweep[@]}" -o "$out") &
        else
            env --default-signal=HUP "${sweep[@]}" -o "$out" & # the tests may run under nohup
        fi
        until grep -q '"type":"run"' "$out" 2>/dev/null; do kill -0 $!; sleep 0.1; done
        kill -HUP $!
        [ "$ignored" = no ] || { sleep 0.3 && kill -TERM $!; }
        ended $!
        [ "$status" -eq "$([ "$ignored" = no ] && echo 129 || echo 143)" ]
        tail -n 1 "$out" | grep -q '"type":"footer"'
    done
}
