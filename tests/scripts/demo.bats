#!/usr/bin/env bats
# scripts/demo, up to where its minutes begin.

@test "the first verified result is on the screen before the sweep begins" {
    cd "$BATS_TEST_DIRNAME/../.." || return
    copy=$BATS_TEST_TMPDIR/copy
    mkdir -p "$copy/scripts"
    ln -s "$PWD/tests" "$copy/tests"
    cp scripts/demo "$copy/scripts/demo"
    # shellcheck disable=SC2016  # for the stand-in to expand
    printf '#!/bin/sh\ncase "$*" in *iris*) exec "$TRIBENCH" "$@" ;; esac\necho sweeping\nexit 1\n' >"$copy/tribench"
    chmod +x "$copy/tribench"
    run "$copy/scripts/demo" --venv "${PYTHON%/bin/python}"
    [ "$status" -eq 1 ]
    [[ ${output%%sweeping*} = *"distances agree with scipy within"* ]]
    [ -s "$copy/demo/iris.npy" ]
}
