#!/usr/bin/env bats
# The commit that a build records: that of its own repository or archive, never that of an enclosing repository.

commit_all() { # DIRECTORY
    git -C "$1" init --quiet
    git -C "$1" add --all
    git -C "$1" -c user.name=t -c user.email=t@example.com -c commit.gpgsign=false commit --quiet --message all
}

setup() {
    own=$BATS_TEST_TMPDIR/own around=$BATS_TEST_TMPDIR/around
    mkdir -p "$own/scripts" "$around"
    cp Makefile .gitattributes "$own"
    # the file as in a repository: a tarball has the assignment filled in
    sed "s/^archived=.*/archived='\$Format:%H\$'/" scripts/commit >"$own/scripts/commit"
    chmod +x "$own/scripts/commit"
    echo 'of somebody else' >"$around/file"
    commit_all "$own"
    commit_all "$around"
    hash=$(git -C "$own" rev-parse --short=12 HEAD)
}

# The commit in the binary, by the rule of the Makefile.
recorded() { # TREE
    make --silent -C "$1" CUDA=0 BUILD=out out/cpu/build_info.h >/dev/null
    sed -n 's/^#define TD_BUILD_COMMIT "\(.*\)"/\1/p' "$1/out/cpu/build_info.h"
}

@test "a clone records its commit, and that it was changed" {
    echo out >>"$own/.git/info/exclude"
    [ "$(recorded "$own")" = "$hash" ]
    echo '# changed' >>"$own/Makefile"
    [ "$(recorded "$own")" = "$hash-dirty" ]
}

@test "an archive records the commit that it is of, also inside another repository" {
    mkdir -p "$around/vendored" "$BATS_TEST_TMPDIR/alone"
    git -C "$own" archive HEAD | tar -x -C "$around/vendored"
    git -C "$own" archive HEAD | tar -x -C "$BATS_TEST_TMPDIR/alone"
    [ "$(recorded "$around/vendored")" = "$hash" ]
    [ "$(recorded "$BATS_TEST_TMPDIR/alone")" = "$hash" ]
}

@test "a copy without a history records none, also inside another repository" {
    mkdir -p "$around/copied"
    cp -r "$own/Makefile" "$own/scripts" "$around/copied"
    [ "$(recorded "$around/copied")" = "" ]
    scripts=$(git -C "$around" rev-parse --short=12 HEAD)
    [ "$scripts" != "$hash" ] # else the test above would prove nothing
}
