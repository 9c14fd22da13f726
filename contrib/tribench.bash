# Completion of tribench's options in bash, as its help has them; other words are files.
_tribench() {
    local options
    [[ $2 == -* ]] || return 0
    options=$("$1" --help=all 2>/dev/null | grep -oE '^ {2}(-.,|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$2")
}
complete -o default -F _tribench tribench
