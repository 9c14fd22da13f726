#!/usr/bin/env bats
# shellcheck disable=SC2154  # quick, status, stdout and stderr come from helpers
# Command lines that work: every documented option at least once.

load helpers

works() { # WORDS...: exit 0, a document of the schema, not a word on stderr
    run_tribench "${quick[@]}" "$@"
    expect_status 0
    fits_schema "$stdout"
    [ ! -s "$stderr" ] || fails "words on stderr in spite of --quiet"
}

@test "every strategy on every workload is verified" {
    works --strategy all --workload all --block 8 -n 70 --steps 5
    equals '{r["verified"]["status"] for r in d["runs"] if r["status"] == "ok"}' "{'pass'}"
    equals 'len(d["runs"]) == len({r["key"] for r in d["runs"]}) >= 98' True
}

@test "strategies of one group may have tiles of different sizes" {
    works --strategy 3d --workload triplet,write --block 16x4x2 -n 21
    equals '{r["verified"]["status"] for r in d["runs"]}' "{'pass'}"
    equals '{r["tile"] for r in d["runs"] if r["strategy"] == "ltm-rows"}' "{4}"
    equals '{r["tile"] for r in d["runs"] if r["strategy"] != "ltm-rows"}' "{16}"
}

@test "small sizes and those around tiles are verified" {
    local words few=1,2,7,8,9,15,16,17,32,33
    for words in "2d -w cover -b 8 -n 1:40:1" "2d -w edm2 -b 8 -n $few,40" \
        "ltm-g -w cover,edm2 -b 2 -n $few,97 --set group=1,3,16" \
        "3d -w cover -b 2,4,8 --tile 2,8,12,32 --cutoff 16 -n $few" \
        "3d -w dummy -b 4 --tile 4,12 -n $few" \
        "3d -w write,accumulate -b 2,8 --tile 2,8,32 --layout packed --cutoff 16 -n $few" \
        "bb-tetra,rb-tetra,hmap-tetra -w write,accumulate -b 4 --tile 4,12 --layout blocked -n $few" \
        "bb-tetra,ltm-rows -w life -b 3,8 --tile 3,8,32 --memory all --layout packed --set density=0.35 -n $few" \
        "bb-tetra,ltm-rows -w life -b 5 --tile 5,40 --set density=0.35 -n $few" \
        "ltm-rows -w life --memory all --layout packed --set density=0.35 --steps 5 -n $few,75,276" \
        "rb-b -w life,gol,blur,dog,extrema,water -n $few,97 --memory all --cell all --set density=0.35" \
        "bb -w life,blur,water -n $few --memory all --cell all --set domain=square"; do
        # shellcheck disable=SC2086  # several words
        run_tribench "${quick[@]}" --threads 1 --samples 1 --format csv -s $words
        expect_status 0
        [ ! -s "$stderr" ] || fails "words on stderr in spite of --quiet"
        "$PYTHON" -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert {row["verified.status"] for row in rows if row["status"] == "ok"} == {"pass"}
assert {"1", "2", "7", "17", "33"} <= {row["n"] for row in rows if row["status"] == "ok"}' "$stdout" || fails "$words"
    done
}

@test "the pairs of several threads are added up" {
    works -s bb -w collision -n 300 --threads 1
    local pairs
    pairs=$(value_of 'd["runs"][0]["result"]["pairs"]')
    [ "$pairs" -gt 300 ] || fails "$pairs pairs"
    works -s bb -w collision -n 300 --threads 4
    equals 'd["runs"][0]["result"]["pairs"]' "$pairs"
}

@test "tiles of the square that are not square, by default and by name, in every format" {
    works -s bb -w life,blur,water,dog,extrema -n 70 --steps 2 --set domain=square --memory two-cell
    equals '{(*r["block"], r["tile"], r["verified"]["status"]) for r in d["runs"]}' "{(64, 4, 1, '128x4', 'pass')}"
    equals '{r["launch"]["blocks"] // (r["parameters"].get("steps") or 1) for r in d["runs"]}' '{18}'
    works -s bb -w life -n 1,70 --steps 2 --set domain=square --memory aligned -b 16,64x4,3x5 --tile 16x16,64x4,9x5
    equals 'sorted({(*r["block"], str(r["tile"])) for r in d["runs"] if r["status"] == "ok"})' \
        "[(3, 5, 1, '9x5'), (16, 16, 1, '16'), (64, 4, 1, '64x4')]"
    equals '{r["verified"]["status"] for r in d["runs"] if r["status"] == "ok"}' "{'pass'}"
    run_tribench "${quick[@]}" -s bb -w life -n 70 --steps 2 --set domain=square --memory rect --format csv
    "$PYTHON" -c 'import csv, sys; assert [r["tile"] for r in csv.DictReader(open(sys.argv[1]))] == ["64x4"]' "$stdout"
}

@test "--baseline, --samples and --warmup are what the record says" {
    works -s ltm -w edm1 --baseline rec --samples 7 --warmup 2 --max-time 5 --timeout 60
    equals '[(r["strategy"], r["improvement"] and r["improvement"]["baseline"]) for r in d["runs"]]' \
        "[('ltm-r', 'rec'), ('rec', None)]"
    equals '{(r["samples"]["count"], len(r["samples"]["ms"])) for r in d["runs"]}' '{(7, 7)}'
    equals 'all(r["samples"]["warmup"] >= 2 and r["time_ms"]["ci95"] for r in d["runs"])' True
    equals '0 < d["timing"]["sample_s"] < d["timing"]["wall_s"]' True
}

@test "--layout blocked: every map that has tiles, and what their padding takes" {
    works -s all -w write,accumulate,edm1,edm4 --layout blocked -n 1,33,100 --block 8 --tile 8,24
    equals 'sorted({(r["layout"], r["status"], r["verified"]["status"]) for r in d["runs"]})' \
        "[('blocked', 'ok', 'pass'), ('blocked', 'skipped', 'none')]"
    equals 'sorted({r["strategy"] for r in d["runs"] if r["status"] == "skipped"})' \
        "['bb-t', 'dp', 'dp-tetra', 'ltm-rows', 'rb', 'rows', 'rows-fold', 'rows-list', 'rows-lpt', 'utm', 'utm-t']"
    equals '[r["storage"] for r in d["runs"] if "write/bb/n33/b8x8/t24/" in r["key"]]' \
        "[{'stored_bytes': 6912, 'needed_bytes': 2244}]"
    equals '[r["throughput"]["bytes"] for r in d["runs"] if "write/bb/n33/b8x8/t24/" in r["key"]]' '[2244]'
    works -s bb -w life -n 33
    equals '[r["storage"] for r in d["runs"]]' '[None]'
}

@test "--dump has the cells of a blocked output in packed order" {
    local of layout
    for of in "edm4 rb-b 33" "write rec 100" "accumulate bb-tetra 33"; do
        read -ra of <<<"$of"
        for layout in packed blocked; do
            works -w "${of[0]}" -s "${of[1]}" -n "${of[2]}" -b 8 --layout "$layout" --baseline none \
                --dump "$BATS_TEST_TMPDIR/$layout.npy"
        done
        cmp "$BATS_TEST_TMPDIR/packed.npy" "$BATS_TEST_TMPDIR/blocked.npy"
    done
}

@test "--layout mirrored: both halves of a product" {
    works -w gram -s all -n 1,33,100 --set columns=8 --layout mirrored
    works -w gram -s ltm-i -n 70 --set columns=16 --layout mirrored --baseline none --dump "$BATS_TEST_TMPDIR/both.npy"
    equals '[[r["storage"]["stored_bytes"], r["storage"]["needed_bytes"], r["throughput"]["bytes"]]
        for r in d["runs"]]' '[[9800, 9800, 12040]]'
    works -w gram -s ltm-i -n 70 --set columns=16 --layout full --baseline none --dump "$BATS_TEST_TMPDIR/one.npy"
    "$PYTHON" -c 'import numpy, sys
both, one = (numpy.load(f"{sys.argv[1]}/{name}.npy") for name in ("both", "one"))
assert both.shape == (70, 70) and (both == both.T).all() and (numpy.tril(both) == numpy.tril(one)).all()' \
        "$BATS_TEST_TMPDIR"
}

@test "a product of numbers of 16 bits from a file: float16, and the bits of bf16" {
    local form folder=$BATS_TEST_TMPDIR
    "$PYTHON" -c 'import numpy, sys
a = numpy.random.default_rng(1).random((50, 16), dtype=numpy.float32) - 0.5
numpy.save(f"{sys.argv[1]}/f16.npy", a.astype("float16"))
numpy.save(f"{sys.argv[1]}/bf16.npy", (a.view("u4") >> 16).astype("u2"))' "$folder"
    for form in f16 bf16; do
        works -w gram -s ltm-i -n 50 --input "$folder/$form.npy" --set columns=16,operand=$form,result=f32 \
            --layout full --baseline none --dump "$folder/$form-c.npy"
    done
    "$PYTHON" -c 'import numpy, sys
load = lambda name: numpy.load(f"{sys.argv[1]}/{name}.npy")
for form, a in ("f16", load("f16")), ("bf16", (load("bf16").astype("u4") << 16).view("f4")):
    right, c = a.astype("f8") @ a.astype("f8").T, load(f"{form}-c")
    assert numpy.abs(numpy.tril(c - right)).max() < 1e-5' "$folder"
    "$PYTHON" -c 'import numpy, sys
for name, most in ("large", 2.0**40), ("larger", 2.0**41):
    numpy.save(f"{sys.argv[1]}/{name}.npy", numpy.linspace([-most] * 16, [most] * 16, 50))' "$folder"
    works -w gram -s ltm-i -n 50 --input "$folder/large.npy" --set columns=16 --baseline none
    works -w gram -s ltm-i -n 50 --input "$folder/large.npy" --set columns=16,result=f32 --baseline none
    rejects "row 0 has a number beyond 65504" "${quick[@]}" -n 50 -w gram -s ltm-i --input "$folder/large.npy" \
        --set columns=16,operand=f16
    rejects "row 0 has a number beyond 2^40" "${quick[@]}" -n 50 -w gram -s ltm-i --input "$folder/larger.npy" \
        --set columns=16
    rejects "expected dtype |u1, <f2, <f4 or <f8, got '<u2': save array.astype('float32'), or if it has the bits" \
        -w edm1 -s bb -n 50 --input "$folder/bf16.npy"
}

@test "a tetrahedron is full unless packed is asked for" {
    works -s ltm-rows -w write -n 9 --block 4
    equals '{(r["layout"], r["verified"]["status"]) for r in d["runs"]}' "{('full', 'pass')}"
    works -s 3d -w write,cover -n 9 --block 4 --layout packed
    equals '{(r["layout"], r["verified"]["status"]) for r in d["runs"]}' "{('packed', 'pass')}"
}

@test "--verify none: an automaton's border and what --dump keeps are as ever, whatever was in memory" {
    export MALLOC_PERTURB_=165
    for run in '-w life --steps 3' '-w blur --steps 3' '-w cover'; do
        for verify in full none; do
            # shellcheck disable=SC2086  # several words
            works -s ltm $run -n 150 --verify "$verify" --dump "$BATS_TEST_TMPDIR/$verify.npy"
            equals '{r["verified"]["status"] for r in d["runs"]}' "{'${verify/full/pass}'}"
        done
        cmp "$BATS_TEST_TMPDIR/full.npy" "$BATS_TEST_TMPDIR/none.npy" || fails "$run"
    done
}

@test "--timing once launches one run once, host one grid after another, and keys say so" {
    run_tribench -q --engine cpu -s ltm -w edm1 -n 100 --timing once -f json
    expect_status 0
    fits_schema "$stdout"
    equals '[(r["samples"]["count"], r["samples"]["batch"], r["samples"]["warmup"]) for r in d["runs"]]' "[(1, 1, 0)]"
    equals '[r["key"].split("/")[-1] for r in d["runs"]]' "['once']"
    equals 'd["environment"]["peak_bandwidth"]["fill_gb_per_s"]' None
    works -s rec -w edm1 -n 20 --samples 3 --timing host --baseline none
    equals '[(r["samples"]["timing"], r["samples"]["graph"], r["key"].split("/")[-2]) for r in d["runs"]]' \
        "[('host', False, 'host')]"
}

@test "the record names the command line and the threads" {
    works -s ltm --threads 1
    equals 'd["environment"]["cpu"]["threads"]' 1
    equals 'd["command"][-2:]' "['--threads', '1']"
    # the threads that there were, where the runtime grants fewer than are wanted
    export OMP_THREAD_LIMIT=1
    works -s ltm --threads 2
    equals 'd["environment"]["cpu"]["threads"]' 1
}

@test "where the runtime binds threads, each processor of its places has one" {
    for binding in OMP_PROC_BIND={true,close,spread} OMP_PLACES=cores GOMP_CPU_AFFINITY=0; do
        threads=$([ "$binding" = GOMP_CPU_AFFINITY=0 ] && echo 1 || nproc)
        env "$binding" "$TRIBENCH" --quiet --engine cpu -n 9 --samples 1 -f json | grep -qF "\"threads\":$threads,"
    done
}

@test "several outputs at once, the format from the suffix" {
    cd "$BATS_TEST_TMPDIR" || return
    run_tribench "${quick[@]}" -s bb,ltm -w edm1 --label node=a -o s.json -o s.csv -o s.jsonl -o -:table
    [ "$(echo s.*)" = "s.csv s.json s.jsonl" ] || fails "not these files"
    cd - >/dev/null || return
    expect_status 0
    grep -q 'ltm-r' "$stdout" || fails "no table"
    fits_schema "$BATS_TEST_TMPDIR/s.json"
    fits_schema "$BATS_TEST_TMPDIR/s.jsonl"
    head -n 1 "$BATS_TEST_TMPDIR/s.csv" | grep -q '^key,.*,time_ms.median,.*,document.labels.node,' || fails "no csv"
    # a file that is jsonl by its name can be resumed
    run_tribench "${quick[@]}" -s bb,ltm -w edm1 --resume "$BATS_TEST_TMPDIR/s.jsonl"
    expect_status 0
    equals '[r for r in d["runs"]]' '[]'
}

@test "one output that cannot be written costs the others nothing that was measured" {
    for bad in /dev/full:csv /dev/full:jsonl /dev/full:json; do
        rm -f "$BATS_TEST_TMPDIR/s.json"
        run_tribench "${quick[@]}" -s bb,ltm -w edm1 -o "$bad" -o "$BATS_TEST_TMPDIR/s.json"
        expect_status 1
        grep -q 'No space left' "$stderr" || fails "no reason"
        fits_schema "$BATS_TEST_TMPDIR/s.json"
    done
    # a reader that leaves after the names of the columns, which come before the first run
    rm "$BATS_TEST_TMPDIR/s.json"
    mkfifo "$BATS_TEST_TMPDIR/rows"
    head -n 1 <"$BATS_TEST_TMPDIR/rows" >"$BATS_TEST_TMPDIR/names" &
    run_tribench "${quick[@]}" -s bb,ltm -w edm1 -o "$BATS_TEST_TMPDIR/rows:csv" -o "$BATS_TEST_TMPDIR/s.json"
    expect_status 1
    fits_schema "$BATS_TEST_TMPDIR/s.json"
    grep -q '"ltm-r".*"status":"ok"' "$BATS_TEST_TMPDIR/s.json" || fails "what was measured is lost"
}

@test "an output that cannot be opened leaves no other behind" {
    mkdir -p "$BATS_TEST_TMPDIR/work"
    work=$BATS_TEST_TMPDIR/work
    rejects --output "${quick[@]}" -s bb -o "$work/a.jsonl" -o "$work/b.json" -o "$work/none/c.csv"
}

@test "--dry-run says which runs will fail, and goes on" {
    few=(--engine cpu -s "rec-tetra,bb-tetra" -w dummy -n 2000 --block 1 --cutoff 1 --dry-run)
    run_tribench "${few[@]}"
    expect_status 0
    grep -q 'rec-tetra.*will fail: .*larger --cutoff' "$stdout" || fails "not told"
    grep -q 'bb-tetra.*2000x2000x2000' "$stdout" || fails "does not go on"
    for format in json jsonl csv; do
        run_tribench "${few[@]}" -f "$format"
        expect_status 0
        grep -q 'will fail' "$stdout" || fails "not told"
    done
}

points_pass() { # WORKLOAD STRATEGY CSV
    printf '%b' "$3" >"$BATS_TEST_TMPDIR/points.csv"
    works -s "$2" -w "$1" --baseline none -n "$4" --input "$BATS_TEST_TMPDIR/points.csv"
    equals 'd["runs"][0]["verified"]["status"]' pass
}

@test "points with tiny differences, and sums that cancel, are right and verified" {
    points_pass edm1 bb '1e-22\n2e-22\n' 2
    points_pass edm1 bb '1e-30\n2e-45\n0\n' 3
    points_pass edm2 bb '1.2e19,0\n0,1.2e19\n' 2
    points_pass triplet bb-tetra '0,0,0\n0.61,0,0\n-0.27903053,0.54243946,0\n' 1 # 1 + 3 cos a cos b cos c = 0
    local near='0.0703720227,0.233606383,0.058308024\n0.070372045,0.233606339,0.0583080277\n'
    points_pass triplet bb-tetra '0.454505891,0.957226396,0.0719543621\n'"$near" 1
}

@test "--input is read and decides N" {
    run_tribench -q --engine cpu --samples 2 -s ltm -w edm4 --input tests/data/iris.csv
    expect_status 0
    fits_schema "$stdout"
    equals '{r["n"] for r in d["runs"]}' '{150}'
    equals '{r["verified"]["status"] for r in d["runs"]}' "{'pass'}"
}

@test "triplet takes coordinates of any scale" {
    for scale in e-20 e-10 e20 e30; do
        printf '%s\n' 1S,0,0 0,1S,0 0,0,1S -1S,2S,0 1.1S,0,0 | sed "s/S/$scale/g" >"$BATS_TEST_TMPDIR/p.csv"
        run_tribench "${quick[@]:0:5}" -s bb-tetra -w triplet --samples 1 --input "$BATS_TEST_TMPDIR/p.csv"
        expect_status 0
    done
}

@test "--check-maps tells of each map when it is known, as lines or on stderr beside a document" {
    local maps=(--engine cpu --check-maps=20 -s 'ltm-i,bb-tetra')
    run_tribench "${maps[@]}" -f table
    expect_status 0
    local each='exact to n = 20 (tile'
    [[ $(<"$stdout") == "ltm-i "*" $each 16: N = 320)"*$'\n'"bb-tetra "*" $each 8: N = 160)"* ]] ||
        fails "not a line for each"
    [ ! -s "$stderr" ] || fails "said twice"
    run_tribench "${maps[@]}"
    expect_status 0
    [[ $(<"$stderr") == '[1/2] ltm-i '*$'\n''[2/2] bb-tetra '* ]] || fails "no progress"
    equals '[(s["strategy"], s["checked_n"], s["asked"], s["exact"]) for s in d["strategies"]]' \
        "[('ltm-i', 20, 1540, True), ('bb-tetra', 20, 44100, True)]"
    run_tribench "${maps[@]}" --quiet
    [ ! -s "$stderr" ] || fails "not quiet"
    # one that takes long
    "$TRIBENCH" --engine cpu --threads 1 --check-maps -s 'utm*,bb*,rb*' >"$stdout" 2>"$stderr" 3>&- &
    local pid=$!
    until grep -qE '^[a-z-]+: n = [0-9]+ of [0-9]+, [0-9]+ s$' "$stderr"; do
        kill -0 "$pid" && sleep 0.05
    done
    kill "$pid"
}

# The number of threads of a sweep's worker; 0 before it exists.
threads_below() { # PID
    local worker
    worker=$(tr -d ' ' <"/proc/$1/task/$1/children")
    [ -n "$worker" ] && find "/proc/$worker/task" -mindepth 1 -maxdepth 1 | wc -l || echo 0
}

@test "more threads than cores: no more of them than tiles, and no wait" {
    cores=$(getconf _NPROCESSORS_ONLN)
    # While it samples one tile, it has no more threads than cores, plus a few of the program's own.
    "$TRIBENCH" --quiet --engine cpu -s bb -w write -n 9 --samples 100000 --warmup 0 --max-time 60 --threads 500 \
        >/dev/null 3>&- &
    sweep=$!
    until [ "$(threads_below "$sweep")" -lt $((cores + 100)) ] && [ "$(threads_below "$sweep")" -gt 1 ]; do
        kill -0 "$sweep" || fails "never fewer threads"
        sleep 0.05
    done
    kill "$sweep"
    wait "$sweep" || true
}

@test "the bandwidth of memory is measured where a run depends on it" {
    run_tribench "${quick[@]}" -s bb -w write -n 64 -f json
    expect_status 0
    equals 'd["environment"]["peak_bandwidth"]["fill_gb_per_s"]' None
    run_tribench --quiet --engine cpu -s bb -w write -n 16384 --samples 1 --warmup 0 --baseline none -f json
    equals '[e["peak_bandwidth"]["fill_gb_per_s"] is None and e["cpu"]["cache_bytes"] < 536903680
        for e in [d["environment"]]]' '[False]'
}

@test "--version names the version and the build" {
    for option in --version -V; do
        run_tribench "$option"
        expect_status 0
        [[ $(<"$stdout") =~ ^tribench\ [0-9]+\.[0-9]+\.[0-9]+.*CUDA ]] || fails "no version, or no build"
    done
    commit=$("$TRIBENCH" --dry-run -e cpu -n 9 -f json | grep -o '"git_commit":"[^"]*' | head -n 1 | cut -d '"' -f 4)
    [ -z "$commit" ] || grep -q "^commit $commit, " "$stdout" || fails "no commit"
    run_tribench -h
    expect_status 0
}

@test "bash completes the options that the help has" {
    # shellcheck source=contrib/tribench.bash
    . "$BATS_TEST_DIRNAME/../../contrib/tribench.bash"
    _tribench "$TRIBENCH" --mem
    [ "${COMPREPLY[*]}" = --memory ]
    COMPREPLY=()
    _tribench "$TRIBENCH" points.c
    [ "${#COMPREPLY[@]}" -eq 0 ]
    _tribench "$TRIBENCH" --
    [ "${#COMPREPLY[@]}" -gt 40 ]
    [[ ${COMPREPLY[*]} = *"--strategy"*"--n "*"--help"* ]]
}
