#!/usr/bin/env bats
# study/gallery, with a fake Python that records its calls and makes an empty picture.

setup() {
    gallery=$PWD/study/gallery
    ln -s "$PWD/report" "$BATS_TEST_TMPDIR/report"
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p build/venv/bin docs/figures gpus
    cat >build/venv/bin/python <<'END'
#!/usr/bin/env bash
echo "$*" >>called
while [ $# -gt 0 ]; do
    [ "$1" != --figure ] || touch "docs/figures/$2.png"
    shift
done
END
    chmod +x build/venv/bin/python
    document tetra-small paper >gpus/mine.json.gz
    document tetra-small paper >gpus/other.json.gz
}

document() { # LABEL...: one with such parts, and no run
    local parts
    parts=$(printf ', {"file": "%s.json"}' "$@")
    echo '{"schema": {"name": "tribench", "major": 2}, "runs": [], "merged_from": ['"${parts#, }"']}' | gzip
}

@test "a figure of several GPUs is drawn from the documents beside" {
    for results in gpus/mine.json.gz "$PWD/gpus/mine.json.gz"; do
        rm -f called
        "$gallery" "$results"
        all=$(dirname "$results")
        grep -q -- "--figure tetra-6 $all/mine.json.gz:tetra-small $all/other.json.gz:tetra-small$" called
        grep -q -- "--figure gpus $all/mine.json.gz:paper $all/other.json.gz:paper --workload edm1$" called
        grep -q -- '--figure triangle-5 [^ ]*/mine.json.gz:paper$' called
        [ "$(grep -c '!\[tetra-6\]' docs/gallery.md)" -eq 1 ]
    done
}

@test "a document alone keeps its figures" {
    mv gpus/mine.json.gz .
    "$gallery" mine.json.gz
    grep -q -- '--figure tetra-6 ./mine.json.gz:tetra-small$' called
    [ -e docs/figures/tetra-6.png ]
    [ "$(grep -c '!\[tetra-6\]' docs/gallery.md)" -eq 1 ]
    [ "$(grep -c '!\[gpus\]' docs/gallery.md)" -eq 0 ]
}

@test "a figure without its part is left out and removed, and a pattern is quoted" {
    document square-halo square-rect >gpus/mine.json.gz
    touch docs/figures/energy.png
    "$gallery" gpus/mine.json.gz 2>err
    [ ! -e docs/figures/energy.png ]
    grep -q 'gpus/mine.json.gz has no energy, energy is left out' err
    [ "$(grep -c '!\[energy\]' docs/gallery.md)" -eq 0 ]
    grep -q -- "--figure life-6.2 'gpus/mine.json.gz:square\*'$" docs/gallery.md
}
