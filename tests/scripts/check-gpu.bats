#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031  # bats runs each test in a subshell
# What a bundle checks a GPU with: cuda_check's choice of checks, and the script around it with stand-ins.

setup() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench}
    cuda_check=${TRIBENCH%/*}/tests/cuda_check
    [ -x "$cuda_check" ] || cuda_check=build/cpu/tests/cuda_check
}

@test "cuda_check: a name that no check has is an error, beside names that some have, too" {
    for names in nope 'nope*' 'bb nope' '--list nope'; do
        # shellcheck disable=SC2086  # words
        run "$cuda_check" $names
        [ "$status" -eq 1 ]
        [[ $output == *"no check is called 'nope"*": see cuda_check --list" ]]
    done
    TD_TEST=nope run "$cuda_check"
    [ "$status" -eq 1 ]
    run "$cuda_check" --sanitize
    [ "$status" -eq 2 ]
}

@test "cuda_check: names choose, and the list says what is to run alone" {
    [ "$("$cuda_check" --list bb 'tiles/rec*')" = $'beside bb\nbeside tiles/rec\nbeside tiles/rec-tetra' ]
    [ "$("$cuda_check" --list 'large*' group_is_sampled_in_rounds)" = \
        $'alone group_is_sampled_in_rounds\nalone large_tetrahedra_are_written' ]
    [ "$("$cuda_check" --list | sort | uniq -d)" = '' ]
    [ "$("$cuda_check" --list | grep -c '^beside ')" -gt 30 ]
}
