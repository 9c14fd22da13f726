#!/usr/bin/env bats
# scripts/gallery, with a Python that only writes down how it was called and makes an empty picture.

setup() {
    gallery=$PWD/scripts/gallery
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p build/venv/bin docs/figures gpus/mine gpus/other
    cat >build/venv/bin/python <<'END'
#!/usr/bin/env bash
echo "$*" >>called
while [ $# -gt 0 ]; do
    [ "$1" != --figure ] || touch "docs/figures/$2.png"
    shift
done
END
    chmod +x build/venv/bin/python
    touch gpus/{mine,other}/{tetra-small,paper}.json.gz
}

@test "a figure of several GPUs is drawn from the folders beside, however the folder is written" {
    for results in gpus/mine gpus/mine/ "$PWD/gpus/mine//"; do
        rm -f called
        "$gallery" "$results"
        all=$(dirname "$results")
        grep -q -- "--figure tetra-6 $all/mine/tetra-small.json.gz $all/other/tetra-small.json.gz$" called
        grep -q -- "--figure gpus $all/mine/paper.json.gz $all/other/paper.json.gz --workload edm1$" called
        grep -q -- '--figure triangle-5 [^ ]*/mine/paper.json.gz$' called
        [ "$(grep -c '!\[tetra-6\]' docs/gallery.md)" -eq 1 ]
    done
}

@test "a folder of one word keeps its figures" {
    mv gpus/mine mine
    for results in mine mine/; do
        rm -f called
        "$gallery" $results
        grep -q -- '--figure tetra-6 ./mine/tetra-small.json.gz$' called
        [ -e docs/figures/tetra-6.png ]
        [ "$(grep -c '!\[tetra-6\]' docs/gallery.md)" -eq 1 ]
    done
    cd mine
    ln -s ../build ../docs .
    "$gallery" .
    [ -e docs/figures/tetra-6.png ]
}

@test "a figure without its file is left out and removed" {
    touch docs/figures/energy.png
    "$gallery" gpus/mine 2>err
    [ ! -e docs/figures/energy.png ]
    grep -q 'no gpus/mine/energy.json.gz, energy is left out' err
    [ "$(grep -c '!\[energy\]' docs/gallery.md)" -eq 0 ]
}
