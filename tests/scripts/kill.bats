#!/usr/bin/env bats
# Sweeps killed at random instants; TD_KILLS sets how often, TD_EXHAUSTIVE=1 makes it 300.

@test "no finished run is lost when a sweep is killed and resumed" {
    kills=20
    if [ -n "${TD_EXHAUSTIVE:-}" ]; then
        kills=300
    fi
    "${PYTHON:-python3}" tests/kill --binary "${TRIBENCH:-$PWD/tribench}" --kills "${TD_KILLS:-$kills}"
}
