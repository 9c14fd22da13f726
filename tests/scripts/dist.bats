#!/usr/bin/env bats
# make dist: the tarball has all committed files and knows its commit. .ci/run builds and tests one.

setup() {
    version=$(sed -n 's/^VERSION := //p' Makefile)
    dist=(env -u MAKEFLAGS -u MAKELEVEL make --silent CUDA=0 "BUILD=$BATS_TEST_TMPDIR" dist)
}

@test "make dist packs all that is committed" {
    [ -e .git ] || skip "this is no repository"
    "${dist[@]}"
    tar -C "$BATS_TEST_TMPDIR" -xf "$BATS_TEST_TMPDIR/tribench-$version.tar.gz"
    cd "$BATS_TEST_TMPDIR/tribench-$version" || return
    find . -type f -printf '%P\n' | sort >"$BATS_TEST_TMPDIR/packed"
    git -C "$OLDPWD" ls-tree -r --name-only -z HEAD | tr '\0' '\n' | sort | diff "$BATS_TEST_TMPDIR/packed" -
    [ "$(scripts/commit)" = "$(git -C "$OLDPWD" rev-parse --short=12 HEAD)" ]
}

@test "two tarballs of a commit have the same bytes, whoever packs them" {
    [ -e .git ] || skip "this is no repository"
    "${dist[@]}"
    mv "$BATS_TEST_TMPDIR/tribench-$version.tar.gz" "$BATS_TEST_TMPDIR/first"
    git config --file "$BATS_TEST_TMPDIR/config" tar.umask user
    git config --file "$BATS_TEST_TMPDIR/config" tar.tar.gz.command 'gzip -1'
    git config --file "$BATS_TEST_TMPDIR/config" safe.directory '*'
    (umask 077 && TZ=Asia/Tokyo GIT_CONFIG_GLOBAL=$BATS_TEST_TMPDIR/config "${dist[@]}")
    cmp "$BATS_TEST_TMPDIR/first" "$BATS_TEST_TMPDIR/tribench-$version.tar.gz"
}

@test "make dist says that it needs the repository of tribench, not one around it" {
    around=$BATS_TEST_TMPDIR/around
    mkdir -p "$around/vendored"
    cp Makefile "$around/vendored"
    git -C "$around" init --quiet
    cd "$around/vendored" || return
    run "${dist[@]}"
    [ "$status" -ne 0 ]
    [[ $output = 'make dist: needs the repository of tribench'* ]]
    [ -z "$(find "$BATS_TEST_TMPDIR" -name '*.tar.gz')" ]
}
