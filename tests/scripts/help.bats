#!/usr/bin/env bats
# Every script of the project answers --help with its usage, and does nothing else then.

setup() {
    root=$PWD copy=$BATS_TEST_TMPDIR/copy
    mkdir "$copy"
    git ls-files -z scripts study tests report python engine/core .ci ':!study/results' ':!tests/fuzz/corpus' |
        xargs -0 cp --parents -t "$copy"
    cd "$copy" || return
    python=$(cd "$root" && realpath -s "${PYTHON:-build/venv/bin/python}")
    export PATH=${python%/*}:$PATH PYTHONDONTWRITEBYTECODE=1
}

state() {
    find . -type f -printf '%p %s %T@\n' | sort
}

@test "--help prints a usage and changes nothing" {
    state >"$BATS_TEST_TMPDIR/before"
    mapfile -t programs < <(find scripts study tests -type f -perm -u+x | sort)
    [ "${#programs[@]}" -gt 40 ]
    for program in "${programs[@]}"; do
        timeout 20 "./$program" --help >"$BATS_TEST_TMPDIR/said" 2>&1 </dev/null ||
            { echo "$program ended with $?" && cat "$BATS_TEST_TMPDIR/said" && false; }
        grep -qi usage "$BATS_TEST_TMPDIR/said" || { echo "$program says no usage" && false; }
        state | cmp "$BATS_TEST_TMPDIR/before" || { echo "$program changed something" && false; }
    done
}
