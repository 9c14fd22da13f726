"""50 files with 20,000 runs are merged and plotted in under 20 s."""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path

import synthetic
from conftest import Script

FILES, RUNS = 50, 20_000
LIMIT_S = 20.0
TRIES = 3  # what neighbours on a shared machine take is not ours


def merge_and_plot_s(script: Script, tmp_path: Path, folder: Path) -> float:
    started = time.monotonic()
    merged = script("merge", folder, "-o", tmp_path / "merged.json", timeout_s=300)
    plotted = script("plot", tmp_path / "merged.json", "--out", tmp_path / "figures", timeout_s=300)
    taken_s = time.monotonic() - started
    assert (merged.returncode, plotted.returncode) == (0, 0), merged.stderr + plotted.stderr
    assert len(plotted.stdout.splitlines()) >= 20
    return taken_s


def test_fifty_files_with_twenty_thousand_runs(tmp_path: Path, script: Script) -> None:
    rng = random.Random(1)
    workloads = ("dummy", "edm1", "edm2", "edm3", "edm4", "write")
    places = itertools.product((16, 32), workloads, range(128, 128 * 152, 128))
    patterns = {s: synthetic.run(s, "edm1", 1024, rng) for s in synthetic.TRI}
    runs = []
    for block, workload, n in places:
        for s in synthetic.TRI:
            # Copies of a few runs: the time to make up 20,000 samples is not what is measured.
            key = f"cuda/{workload}/{s}/n{n}/b{block}x{block}/t{block}/packed/seed1"
            runs.append(
                {
                    **patterns[s],
                    "key": key,
                    "workload": workload,
                    "n": n,
                    "block": [block, block, 1],
                    "tile": block,
                }
            )
    runs = (runs + [{**run, "key": run["key"] + "x", "seed": 2} for run in runs[: RUNS - len(runs)]])[:RUNS]
    assert len(runs) == RUNS
    folder = tmp_path / "shards"
    folder.mkdir()
    for k in range(FILES):
        synthetic.save(folder / f"{k:02}.jsonl", runs[k::FILES])

    taken_s = []
    while len(taken_s) < TRIES and (not taken_s or min(taken_s) >= LIMIT_S):
        taken_s.append(merge_and_plot_s(script, tmp_path, folder))
    assert min(taken_s) < LIMIT_S, taken_s
