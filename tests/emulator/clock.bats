#!/usr/bin/env bats
# Compares the engine's sample with an independent clock, that of the emulated device.
# shellcheck disable=SC2154  # status and output come from bats

load helpers

@test "a sample is all of its launches, and nothing else" {
    CMOCKA_MESSAGE_OUTPUT=TAP run "$(dirname "$TRIBENCH")/tests/cuda_check" 'a_sample_is_*'
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *'ok 1 - a_sample_is_all_of_its_launches_by_the_clock_of_the_device'* && $output != *SKIP* ]]
}
