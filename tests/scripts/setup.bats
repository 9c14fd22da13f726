#!/usr/bin/env bats
# scripts/setup with an apt-get that only records its arguments. Everything but Chromium is already installed.

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    fakes=$BATS_TEST_TMPDIR/fakes
    mkdir -p "$fakes"
    export asked=$BATS_TEST_TMPDIR/asked CHROMIUM=no-such-browser PATH=$fakes:$PATH
    # Its Python packages are there.
    mkdir -p "$BATS_TEST_TMPDIR/venv"
    cat report/requirements.txt tests/requirements.txt >"$BATS_TEST_TMPDIR/venv/requirements.txt"
    # shellcheck disable=SC2016  # for the fake to expand
    fake apt-get 'echo "$*" >>"$asked"'
    fake sudo 'exit 1'
}

fake() { # NAME COMMAND
    printf '#!/bin/sh\n%s\n' "$2" >"$fakes/$1"
    chmod +x "$fakes/$1"
}

sets_up() { # STATUS ARGUMENT...
    run scripts/setup --venv "${venv:-$BATS_TEST_TMPDIR/venv}" "${@:2}"
    [ "$status" -eq "$1" ]
}

@test "as root, Chromium is installed for the tests, and only for them" {
    fake id 'echo 0'
    sets_up 0
    [ ! -e "$asked" ]
    sets_up 0 --browser
    grep -qx 'install -y --no-install-recommends chromium' "$asked"
    [[ $output = *"installing chromium"* && $output != *skipped* ]]
}

@test "without root and where it cannot be installed, the tests of the page are skipped and nothing else fails" {
    fake id 'echo 1000'
    sets_up 0 --browser
    [ ! -e "$asked" ]
    [[ $output = *"no Chromium, the tests of the page will be skipped"* ]]
    fake id 'echo 0'
    fake apt-get 'exit 100'
    sets_up 0 --browser
    [[ $output = *"will be skipped"* ]]
}

@test "what is no Python environment is not made one" {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    echo text >"$BATS_TEST_TMPDIR/work/thesis"
    venv=$BATS_TEST_TMPDIR/work sets_up 2
    [[ $output = *"no Python environment"* ]]
    [ "$(cat "$BATS_TEST_TMPDIR/work/thesis")" = text ]
}

@test "what a build cannot do without stops the set-up, with the command to run" {
    fake id 'echo 1000'
    fake pkg-config 'exit 1'
    sets_up 1
    [[ $output = *"missing libcjson-dev libxxhash-dev; as root: apt-get update && "* ]]
    [[ $output = *"&& apt-get install libcjson-dev"* ]]
}

@test "a compiler of two words, such as ccache gcc, is there when the first one is" {
    fake id 'echo 1000'
    fake cache 'exec "$@"'
    CC='cache gcc' sets_up 0
    [ -z "$output" ]
    CC='no-such-cache gcc' sets_up 1
    [[ $output = *"missing build-essential"* ]]
}
