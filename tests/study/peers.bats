#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031  # bats runs each test in a subshell
# study/peers with scipy, and with a stand-in for torch.

setup() {
    export TRIBENCH=${TRIBENCH:-$PWD/tribench} PYTHON=${PYTHON:-$PWD/build/venv/bin/python}
    root=$PWD
    out=$BATS_TEST_TMPDIR/out.json
    quick=(--tribench "$TRIBENCH" --threads 1 --samples 6 --warmup 1 --max-time 0.2 --strategy "ltm,bb" --rounds 1
        -o "$out")
    "$PYTHON" -c 'import scipy' 2>/dev/null || skip "there is no scipy"
}

peers() {
    "$PYTHON" "$root/study/peers" "${quick[@]}" "$@" 2>"$BATS_TEST_TMPDIR/err"
}

# The exit status of peers is this one, and its document is valid.
ends() { # STATUS ARGUMENT...
    local status=0
    peers "${@:2}" || status=$?
    [ "$status" -eq "$1" ] || { cat "$BATS_TEST_TMPDIR/err" && return 1; }
    "$PYTHON" tests/schema_check.py "$out"
}

# Python over the document `d`; `theirs` are the runs of peers, `ours` the others.
value_of() {
    "$PYTHON" -c 'import json, sys
d = json.load(open(sys.argv[1]))
theirs = [r for r in d["runs"] if "peer" in r]
ours = [r for r in d["runs"] if "peer" not in r]
print(eval(sys.argv[2]))' "$out" "$1"
}

equals() { # EXPRESSION VALUE
    local found
    found=$(value_of "$1")
    [ "$found" = "$2" ] || { echo "$1 is $found, not $2" && return 1; }
}

@test "scipy agrees, is timed, and stands beside tribench" {
    ends 0 --engine cpu --peer scipy.pdist --n 2,17,100 --features 1,4
    equals '[(len(ours), len(theirs))]' '[(12, 6)]'
    equals '{(r["strategy"], r["peer"]["name"], r["status"], r["verified"]["status"]) for r in theirs}' \
        "{('scipy.pdist', 'scipy', 'ok', 'pass')}"
    equals 'all(r["samples"]["count"] == 6 and r["time_ms"]["median"] > 0 for r in theirs)' True
    equals '[r["verified"]["checked"] for r in theirs if r["workload"] == "edm4"]' '[1, 136, 4950]'
    equals '{r["peer"]["version"] for r in theirs} == {__import__("scipy").__version__}' True
    equals 'any("/tmp" in word for p in d["merged_from"] for word in p["command"] if p["command"][0] == "tribench")' \
        False
    grep -q "edm4, N = 100, packed: scipy.pdist .* times as fast" "$BATS_TEST_TMPDIR/err"
}

@test "tribench-report plot draws a peer beside the strategies" {
    peers --engine cpu --peer scipy.pdist --n 64,256
    "$PYTHON" report/tribench-report plot "$out" --figure time --format svg --out "$BATS_TEST_TMPDIR"
    grep -q "scipy.pdist" "$BATS_TEST_TMPDIR/time.svg"
    grep -q "ltm-r" "$BATS_TEST_TMPDIR/time.svg"
    equals '{tuple(r["block"]) for r in ours} == {tuple(r["block"]) for r in theirs}' True
}

@test "torch's functions stand in the layout that they fill" {
    PYTHONPATH=tests/fake ends 0 --engine cpu --n 33
    equals '{r["strategy"]: r["layout"] for r in theirs if r["verified"]["status"] == "pass"}' \
        "{'scipy.pdist': 'packed', 'torch.pdist': 'packed', 'torch.cdist': 'full', 'torch.cdist-direct': 'full'}"
    equals '{r["layout"]: r["throughput"]["bytes"] for r in theirs if r["peer"]["name"] == "torch"}' \
        "{'packed': 2640, 'full': 4884}"
    equals 'sorted({r["layout"] for r in ours})' "['full', 'packed']"
}

@test "a peer that disagrees is not timed, and the exit status says so" {
    FAKE_TORCH=wrong PYTHONPATH=tests/fake ends 3 --engine cpu --peer torch.cdist --n 33
    equals '[(r["status"], r["verified"]["mismatches"], r["time_ms"]) for r in theirs]' "[('failed', 1, None)]"
    equals 'round(theirs[0]["verified"]["max_abs_error"], 3)' 1.0
    grep -q "1 distances are not those of tribench" "$BATS_TEST_TMPDIR/err"
}

@test "an N that no memory holds is a failed point, and the others are written" {
    PYTHONPATH=tests/fake ends 1 --engine cpu --peer scipy.pdist,torch.cdist --n 33,1048576,64 --features 1 \
        --strategy bb
    equals '[(r["strategy"], r["status"]) for r in theirs if r["n"] < 100]' \
        "[('scipy.pdist', 'ok'), ('torch.cdist', 'ok'), ('scipy.pdist', 'ok'), ('torch.cdist', 'ok')]"
    equals '{(r["status"], r["reason"].startswith("tribench: edm1 with N = 1048576 needs ")) for r in theirs
        if r["n"] > 100}' "{('failed', True)}"
    equals '{(r["n"] > 100, r["status"]) for r in ours} == {(False, "ok"), (True, "failed")}' True
    equals '{r["verified"]["status"] for r in theirs if r["n"] > 100}' "{'none'}"
    grep -q "edm1, N = 1048576, full: tribench: edm1 with N = 1048576 needs" "$BATS_TEST_TMPDIR/err"
}

@test "an N that tribench rejects is named, and the others are written" {
    ends 1 --engine cpu --peer scipy.pdist --n 33,1048576,64 --features 1 --strategy ltm-r
    equals '[r["n"] for r in theirs]' '[33, 64]'
    grep -q "edm1, N = 1048576: tribench: ltm-r is exact up to" "$BATS_TEST_TMPDIR/err"
}

@test "a peer that runs out of memory is a failed point, and says so in one line" {
    FAKE_TORCH=full PYTHONPATH=tests/fake ends 1 --engine cpu --n 33,64 --features 1 --peer torch.pdist,torch.cdist
    equals '[(r["n"], r["strategy"], r["reason"]) for r in theirs if r["status"] != "ok"]' \
        "[(64, 'torch.cdist', 'torch.cdist: out of memory. Tried to allocate 2 GiB.')]"
    equals 'sum(r["status"] == "ok" for r in theirs)' 3
    [ "$(grep -c Traceback "$BATS_TEST_TMPDIR/err")" -eq 0 ]
}

@test "a share of the peak is of the peak that the part's environment has, if it was measured" {
    PYTHONPATH=tests/fake peers --engine cpu --n 257 --features 1
    equals 'sorted({r["layout"] for r in theirs})' "['full', 'packed']"
    # a triangle of this size lies in the caches, so that tribench measures no peak
    equals '[r["strategy"] for r in theirs if (r["throughput"]["fraction_of_peak"] or 0) != (lambda peak:
        r["throughput"]["gb_per_s"] / peak if peak else 0)(
        d["merged_from"][r["source"]]["environment"].get("peak_bandwidth", {}).get("fill_gb_per_s"))]' '[]'
}

@test "on a GPU events are the clock, and a cold cache is overwritten before each sample" {
    FAKE_TORCH=cuda PYTHONPATH=tests/fake "$PYTHON" - <<'END'
import importlib.machinery, importlib.util
loader = importlib.machinery.SourceFileLoader("peers", "study/peers")
peers = importlib.util.module_from_spec(importlib.util.spec_from_loader("peers", loader))
loader.exec_module(peers)
import numpy, torch
options = peers.parse_options(["--samples", "5", "--warmup", "0", "--cache", "cold"])
chosen = peers.choose({"torch": torch}, options)
assert options.engine == "cuda" and [p.name for p in chosen] == ["torch.pdist", "torch.cdist", "torch.cdist-direct"]
points = numpy.zeros((9, 2), numpy.float32)
packed = numpy.zeros(45, numpy.float32)
seen = {p.name: peers.verify_peer(p, torch, points, packed, options) for p in chosen[:2]}
assert all((verified["status"], reason) == ("pass", None) for _, verified, reason in seen.values()), seen
calls = {name: call for name, (call, _, _) in seen.items()}
for run in peers.time_peers(calls, peers.clocks.TorchClock(torch), options).values():
    samples = run["samples"]
    assert (samples["count"], samples["batch"], samples["graph"]) == (5, 1, False), samples
assert torch.calls["flushes"] == 10 and torch.calls["events"] >= 2 * (3 + 9 + 5), torch.calls
assert peers.parse_options(["--", "--tile", "128"]).tribench_words == ["--tile", "128"]
END
}

@test "in each round peers are timed, then tribench, and the median of the ratios within the rounds counts" {
    cat >"$BATS_TEST_TMPDIR/drift.py" <<'END'
# The study with times that are known: from round to round everything takes twice as long, a peer then 3, 5 and 4 times
# as long as tribench's bb.
import runpy, sys
sys.argv[:] = ["peers", *sys.argv[1:]]
sys.path[:0] = ["study", "report", "python"]
from tribench_report import documents
from tribench_study import rounds
import tribench
order, take, read = [], tribench.rounds, documents.read_file

def scaled(run, ms):
    run["time_ms"] |= {"median": ms, "min": ms, "max": ms, "mean": ms, "ci95": [ms, ms]}

def peers_round(calls, **how):
    found = take(calls, **how)
    number = order.count("peers")
    order.append("peers")
    for run in found.records:
        scaled(run, 2.0**number * (3.0, 5.0, 4.0)[number])
    return found

def maps_round(path):
    document = read(path)
    if "packed" in path.name:
        number = order.count("maps")
        order.append("maps")
        for run in document.runs:
            scaled(run, 2.0**number * (1.0 if run["strategy"] == "bb" else 0.5))
    return document

tribench.rounds, documents.read_file = peers_round, maps_round
try:
    runpy.run_path("study/peers", run_name="__main__")
finally:
    assert order == ["peers", "maps"] * 3, order
END
    "$PYTHON" "$BATS_TEST_TMPDIR/drift.py" "${quick[@]}" --engine cpu --peer scipy.pdist --n 33 --rounds 3 \
        2>"$BATS_TEST_TMPDIR/err"
    "$PYTHON" tests/schema_check.py "$out"
    equals '[(r["strategy"], r["improvement"]["baseline"], r["improvement"]["factor"], r["improvement"]["ci95"])
        for r in theirs]' "[('scipy.pdist', 'bb', 0.25, None)]"
    # one record of each, that of the round with the median time
    equals '{r["strategy"]: r["time_ms"]["median"] for r in d["runs"]}' "{'ltm-r': 1.0, 'bb': 2.0, 'scipy.pdist': 10.0}"
    equals '[p["runs"] for p in d["merged_from"]]' '[0, 2, 0, 1]'
    grep -q "scipy.pdist [^ ]* 10 ms, tribench (ltm-r) 1 ms: 8.00 times as fast" "$BATS_TEST_TMPDIR/err"
}

@test "from six rounds on the ratio has an interval, and figures show it" {
    ends 0 --engine cpu --peer scipy.pdist --n 64,256 --rounds 6 --samples 2
    equals '[r["improvement"]["ci95"][0] <= r["improvement"]["factor"] <= r["improvement"]["ci95"][1]
        for r in theirs]' '[True, True]'
    run "$PYTHON" report/tribench-report table "$out" --kind improvement
    grep -Eq 'scipy.pdist .*\[[0-9.]+, [0-9.]+\]' <<<"$output"
}

@test "what is not there is named" {
    status=0
    peers --engine cpu --peer torch.pdist || status=$?
    if "$PYTHON" -c 'import torch' 2>/dev/null; then skip "torch is there"; fi
    [ "$status" -eq 1 ]
    grep -q "not all of torch.pdist are there on the cpu engine" "$BATS_TEST_TMPDIR/err"
    status=0
    peers --peer numpy.dot || status=$?
    [ "$status" -eq 2 ]
    grep -q "got 'numpy.dot'" "$BATS_TEST_TMPDIR/err"
    status=0
    peers --peer scipy.pdist --rounds 0 || status=$?
    [ "$status" -eq 2 ]
    grep -q -e "--rounds, --samples and --max-time are above 0" "$BATS_TEST_TMPDIR/err"
}
