#!/usr/bin/env bats
# check-gpu --sanitize: tribench accepts each of its command lines.
# shellcheck disable=SC2154  # stdout comes from helpers

load helpers

# The command lines for the sanitizer are only planned, and count as verified.
@test "every line that would run under a sanitizer has runs, of all strategies, workloads, memories and cells" {
    cp tests/cuda/check-gpu "$BATS_TEST_TMPDIR/"
    ln -s "$TRIBENCH" "$BATS_TEST_TMPDIR/tribench"
    export PLANNED=$BATS_TEST_TMPDIR/planned
    mkdir "$BATS_TEST_TMPDIR/bin" "$PLANNED"
    cat >"$BATS_TEST_TMPDIR/bin/compute-sanitizer" <<'END'
#!/usr/bin/env bash
[[ $* != *--fault* ]] || { echo 'ERROR SUMMARY: 1 error' && exit 86; }
while [[ $1 = --* ]]; do shift 2; done
all=$*
file=${all#*--output } && file=${file%% *}
"$@" --dry-run || exit
sed -i 's/"status":"planned"/"verified":{"status":"pass"}/' "$file"
grep '"type":"run"' "$file" | grep -F '"verified":{"status":"pass"}' >"$PLANNED/$$"
echo 'ERROR SUMMARY: 0 errors'
END
    chmod +x "$BATS_TEST_TMPDIR/bin/compute-sanitizer"
    status=0 stdout=$BATS_TEST_TMPDIR/stdout stderr=$BATS_TEST_TMPDIR/stderr
    PATH=$BATS_TEST_TMPDIR/bin:$PATH "$BATS_TEST_TMPDIR/check-gpu" --sanitize --jobs 2 memcheck \
        >"$stdout" 2>"$stderr" || status=$?
    grep FAIL "$stdout" || true
    expect_status 0
    "$PYTHON" - "$PLANNED" "$TRIBENCH" <<'END' || fails "see above"
import itertools, json, pathlib, subprocess, sys
runs = [json.loads(line) for file in pathlib.Path(sys.argv[1]).iterdir() for line in file.open()]
listed = lambda what: [json.loads(line) for line in subprocess.check_output(
    [sys.argv[2], "--list=" + what, "--format", "jsonl"], text=True).splitlines()]
planned = lambda workload, memory: subprocess.run(
    [sys.argv[2], *f"--engine cuda -s bb -w {workload} --memory {memory} -n 70 --dry-run --quiet".split()],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
kernels = {(r["strategy"], r["workload"], r["kernel"], r["schedule"]) for r in runs}
strategies, workloads = listed("strategies"), listed("workloads")
takes = lambda w, name: any(p["name"] == name for p in w["parameters"])
loops = lambda s: s["maps"] == "block" and not s["tree"]
wanted = {(s["name"], w["name"], kernel, schedule) for s in strategies for w in workloads
          if s["dimension"] == w["dimension"] and not takes(w, "batch") and not (s["by_rows"] and takes(w, "memory"))
          for kernel, schedule in itertools.product(["cell", "loop"], ["grid", "persistent", "dynamic"])
          if loops(s) or (kernel, schedule) == ("cell", "grid")}
wanted |= {(s["name"], "rowsum", "tile", schedule) for s in strategies if s["by_rows"]
           for schedule in ["grid", "persistent", "dynamic"]}
cells = {k[0] for k in kernels if k[2] == "cell"} # a map of whole rows has none: its kernel is a loop
wanted = {k for k in wanted if k[2] != "cell" or k[0] in cells}
assert {s["name"] for s in strategies} - cells <= {"ltm-rows"}, cells
assert wanted <= kernels, sorted(wanted - kernels)[:5]
assert {k[2:] for k in kernels} == set(itertools.product(["cell", "loop", "tile"], ["grid", "persistent", "dynamic"]))
chosen = {(r["workload"], r["parameters"].get("memory"), r["parameters"].get("cell")) for r in runs}
for w in workloads:
    for p in w["parameters"]:
        if p["name"] in ("memory", "cell"):
            found = {c[1 if p["name"] == "memory" else 2] for c in chosen if c[0] == w["name"]}
            left = set(p["choices"]) - {"auto"} - found
            assert not left or p["name"] == "memory" and not any(planned(w["name"], m) for m in left), (w["name"], left)
print(len(runs), "runs")
END
}
