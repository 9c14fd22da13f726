# Functions for scripts that run tribench as a child.
# shellcheck shell=bash
# shellcheck disable=SC2034  # who sources this reads status

# Waits for background children and forwards signals to them: with a foreground child, bash would delay a signal until
# the child ends. Sets status, the first that is not 0; a signal to stop counts as one even if all children had already
# ended.
supervise() { # PID...
    local stop='' again pid ended
    trap 'again=yes stop=130; kill -INT "$@" 2>/dev/null || true' INT
    trap 'again=yes stop=143; kill -TERM "$@" 2>/dev/null || true' TERM
    status=0
    for pid in "$@"; do
        again=yes ended=0
        while [ "$again" ]; do # a signal interrupted the wait, and the child still runs
            again='' ended=0
            wait "$pid" || ended=$?
            # 127: it was already waited for when the signal came
            [ "$ended" -eq 127 ] || [ "$ended" -eq 0 ] || [ "$status" -ne 0 ] || [ "$again" ] || status=$ended
        done
    done
    trap - INT TERM
    [ -z "$stop" ] || status=$stop
}

die() { # STATUS SENTENCE...
    local status=$1
    shift
    echo "$(basename "$0"): $*" >&2
    exit "$status"
}

needs_value() { # OPTION COUNT: COUNT is the number of words from OPTION on
    [ "$2" -ge 2 ] || die 2 "$1: expected a value, see --help"
}
