"""Results that look like an H200's, made from a few constants and a seed; no measurement is needed for a test."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

from tribench_report.documents import from_document
from tribench_report.frame import Results, from_documents

Json = dict[str, Any]

# Nanoseconds per block and per cell; chosen so that I at N = 30720 is near what one sees on an H200.
BLOCK_NS = 0.6
CELL_PS = {"dummy": 0.0, "edm1": 1.0, "edm2": 1.2, "edm3": 1.35, "edm4": 1.5, "write": 0.9, "life": 2.1, "water": 9.0}
STRATEGY = {
    "bb": (1.00, 1.00), "ltm-x": (1.06, 1.03), "ltm-n": (1.10, 1.05), "ltm-r": (1.03, 1.02), "ltm-i": (1.12, 1.06),
    "utm": (1.9, 1.35), "utm-b": (1.35, 1.2), "rb": (1.02, 1.0), "rb-b": (1.1, 0.93), "rec": (1.3, 1.05),
    "hmap": (1.05, 1.0), "bb-tetra": (1.0, 1.0), "dp-tetra": (1.1, 1.0), "rec-tetra": (1.05, 1.0),
    "ltm-tetra": (1.3, 1.4), "rb-tetra": (1.05, 1.0),
}  # fmt: skip
MEMORY = {
    "conditional": 1.18, "halo": 1.0, "shared": 0.7, "aligned": 0.65, "rect": 0.55, "two-cell": 0.38,
    "two-generation": 0.42,
}  # fmt: skip
# The names that a run's "parameters" may have.
PARAMETERS = ("steps", "rule", "density", "memory", "cell", "domain", "rain", "infiltration")
PAPER = ("bb", "ltm-r", "utm", "rb", "rec")
TRI = ("bb", "ltm-x", "ltm-n", "ltm-r", "ltm-i", "utm", "utm-b", "rb", "rb-b", "rec", "hmap")
TETRA = ("bb-tetra", "dp-tetra", "rec-tetra", "ltm-tetra", "rb-tetra")


def environment(gpu: str | None = "NVIDIA H200") -> Json:
    return {
        "host": {"name": "node1", "os": "Debian GNU/Linux 12", "kernel": "6.1.0"},
        "cpu": {"model": "Example CPU 9000", "cores": 16, "memory_bytes": 137438953472},
        "gpu": gpu
        and {
            "name": gpu, "uuid": "GPU-0", "pci_id": "0000:01:00.0", "compute_capability": "9.0", "sms": 132,
            "memory_bytes": 150754820096, "l2_bytes": 62914560, "ecc": True, "driver": "580.95.05", "runtime": "13.0",
        },
        "peak_bandwidth": {"fill_gb_per_s": 4570.0 if gpu else None, "copy_gb_per_s": 4270.0 if gpu else None,
                           "fill_bytes": 2**31 if gpu else None, "copy_bytes": 2**31 if gpu else None},
        "peak_arithmetic": {
            "fp32_gop_per_s": 65000.0 if gpu else None, "fp64_gop_per_s": 33000.0 if gpu else None,
            "int32_gop_per_s": 64000.0 if gpu else None,
        },
        "build": {"compiler": "gcc 12.2", "flags": "-O2", "git_commit": "0123456789abcdef", "cuda": "13.0"},
    }  # fmt: skip


def document(runs: list[Json], gpu: str | None = "NVIDIA H200", **changes: Any) -> Json:
    return {
        "schema": {"name": "tribench", "major": 2, "minor": 1},
        "tool": {"name": "tribench", "version": "0.1.0", "git_commit": "0123456789abcdef"},
        "command": ["tribench", "--strategy", "paper", "--n", "1024:30720:1024"],
        "started": "2025-11-20T10:00:00Z",
        "finished": "2025-11-20T10:04:00Z",
        "environment": environment(gpu),
        "runs": runs,
        **changes,
    }


def as_lines(whole: Json, footer: bool = True) -> str:
    head = {"type": "header", **{k: v for k, v in whole.items() if k not in ("runs", "finished")}}
    lines = [head, *({**run, "type": "run"} for run in whole["runs"])]
    if footer:
        lines.append({"type": "footer", "finished": whole["finished"], "runs": len(whole["runs"]), "status_counts": {}})
    return "".join(json.dumps(line) + "\n" for line in lines)


def save(path: Path, runs: list[Json], **changes: Any) -> Path:
    whole = document(runs, **changes)
    path.write_text(as_lines(whole) if path.suffix == ".jsonl" else json.dumps(whole))
    return path


def results(runs: list[Json], unverified: bool = True, **changes: Any) -> Results:
    """The runs as a document that was read."""
    return from_documents([from_document("synthetic.json", document(runs, **changes))], unverified)


def counts(strategy: str, n: int, dimension: int) -> tuple[int, int]:
    """Blocks launched and wasted, near enough for a picture."""
    if dimension == 3:
        needed = n * (n + 1) * (n + 2) // 6
        return (n**3, n**3 - needed) if strategy == "bb-tetra" else (int(needed * 1.2), int(needed * 0.2))
    needed = n * (n + 1) // 2
    if strategy == "bb":
        return n * n, n * (n - 1) // 2
    if strategy in ("ltm-x", "ltm-n", "ltm-r"):
        side = math.isqrt(needed - 1) + 1
        return side * side, side * side - needed
    return needed, 0


def summary(samples: list[float]) -> Json:
    ordered = sorted(samples)
    return {
        "median": ordered[len(ordered) // 2], "ci95": [ordered[18], ordered[32]] if len(ordered) == 51 else None,
        "min": ordered[0], "max": ordered[-1], "mean": sum(samples) / len(samples), "stddev": 0.001,
    }  # fmt: skip


def roofline(workload: str, cells: int, spent: int, median_ms: float, passes: int) -> Json:
    """Features cost three operations and a root, `dummy` and automata a few integer ones, `write` none."""
    features = int(workload[3:]) if workload.startswith("edm") else 0
    operations = cells * (3 * features + 1 if features else 0 if workload == "write" else 6)
    kind = "fp32" if features else "int32" if operations else None
    least = spent - passes * 62914560
    bound_ms = least / 4570.0 / 1e6 if least > 0 else None
    return {
        "bytes": spent, "arithmetic": kind, "operations": operations, "operations_per_byte": operations / spent,
        "gop_per_s": operations / median_ms / 1e6 if operations else None, "ceiling": "fill" if bound_ms else None,
        "bound_ms": bound_ms, "fraction_of_bound": bound_ms / median_ms if bound_ms else None,
    }  # fmt: skip


def run(strategy: str, workload: str, n: int, rng: random.Random, *, block: int = 16, engine: str = "cuda",
        dimension: int = 2, noise: float = 0.003, factor: float = 1.0, samples: int = 51,
        **changes: Any) -> Json:  # fmt: skip
    """One run; `changes` replaces or adds fields and parameters."""
    given = {name: changes.pop(name) for name in PARAMETERS if name in changes}
    per_block, per_cell = STRATEGY.get(strategy, (1.2, 1.2))
    tiles = -(-n // block)
    launched, wasted = counts(strategy, tiles, dimension)
    cells = n * (n + 1) // 2 if dimension == 2 else n * (n + 1) * (n + 2) // 6
    cell_ps = CELL_PS.get(workload, 1.5) * MEMORY.get(str(given.get("memory")), 1.0)
    busy = (launched - wasted) * BLOCK_NS * per_block + wasted * 0.5 * BLOCK_NS
    base = (busy * (1.0 if block <= 16 else 1.6) / 1e6 + cells * cell_ps * per_cell * 4 / 1e9 * 0.25 + 0.003) * factor
    if strategy.startswith("dp"):
        base += 0.04 + 2.0 / (changes.get("cutoff") or 128)
    if strategy in ("rec", "rec-tetra"):
        base += 0.006
    steps = given.get("steps") or 1
    base *= steps
    ms = [base * math.exp(rng.gauss(0, noise)) for _ in range(samples)]
    spent = 4 if workload == "dummy" else cells * 4 * steps
    time = summary(ms)
    tile = changes.pop("tile", block)
    gbs = spent / time["median"] / 1e6
    shape = [block, block, 1 if dimension == 2 else block]
    key = f"{engine}/{workload}/{strategy}/n{n}/b{'x'.join(map(str, shape[:dimension]))}/t{tile}/packed/seed1"
    told = ("cutoff", "memory", "kernel", "schedule", "cell", "domain")
    extras = "/".join(f"{k}={v}" for k, v in sorted({**changes, **given}.items()) if k in told)
    return {
        "key": key + ("/" + extras if extras else ""), "strategy": strategy, "workload": workload, "engine": engine,
        "dimension": dimension, "n": n, "block": shape, "tile": tile, "layout": "packed", "seed": 1,
        "schedule": "grid", "kernel": "cell", "cache": "warm", "cutoff": None, "parameters": given,
        "launch": {"kernels": 1, "blocks": launched, "blocks_needed": launched - wasted, "blocks_wasted": wasted,
                   "threads": launched * block**dimension, "cells": cells},
        "status": "ok", "reason": None,
        "verified": {"status": "pass", "checked": cells, "mismatches": 0, "max_abs_error": 0.0},
        "time_ms": time,
        "samples": {"count": samples, "warmup": 3, "batch": 1, "graph": False, "ms": ms},
        "throughput": {"cells_per_s": cells / time["median"] * 1e3, "bytes": spent, "gb_per_s": gbs,
                       "fraction_of_peak": gbs / 4570.0},
        "roofline": roofline(workload, cells * steps, spent, time["median"], steps),
        "improvement": None,
        "device_state": {"sm_mhz": 1980, "memory_mhz": 3201, "temperature_c": 41, "power_w": 310.2, "throttled": False},
        "energy_j": None, "result": None, **changes,
    }  # fmt: skip


def improve(runs: list[Json], baseline: str = "bb") -> list[Json]:
    """Fills in I as tribench does: the median of the per-round ratios."""
    base = {(r["workload"], r["n"], tuple(r["block"])): r for r in runs if r["strategy"] == baseline}
    for one in runs:
        other = base.get((one["workload"], one["n"], tuple(one["block"])))
        if other and other is not one:
            ratios = summary([a / b for a, b in zip(other["samples"]["ms"], one["samples"]["ms"])])
            one["improvement"] = {"baseline": baseline, "factor": ratios["median"], "ci95": ratios["ci95"]}
    return runs


def count_energy(runs: list[Json], watts: float = 500.0) -> list[Json]:
    """As --energy would have it: so many watts, the windows within 1 %."""
    for one in runs:
        joules, cells = watts * one["time_ms"]["median"] / 1e3, one["launch"]["cells"]
        nj = joules * 1e9 / cells
        one["energy_j"] = joules
        one["energy"] = {
            "launch_j": joules, "ci95": [0.99 * joules, 1.01 * joules], "nj_per_cell": nj,
            "nj_per_cell_ci95": [0.99 * nj, 1.01 * nj], "power_w": watts, "launches": 1000, "seconds": 2.5,
            "reason": None,
        }  # fmt: skip
    return runs


def triangle(strategies: tuple[str, ...] = PAPER, workloads: tuple[str, ...] = ("dummy", "edm1", "edm4"),
             ns: tuple[int, ...] = (1024, 4096, 15360, 30720), seed: int = 1, **more: Any) -> list[Json]:  # fmt: skip
    rng = random.Random(seed)
    return improve([run(s, w, n, rng, **more) for w in workloads for n in ns for s in strategies])


def one_run(n: int = 1024, **changes: object) -> Json:
    return {**triangle(("bb",), ("edm1",), (n,))[0], **changes}


def tetra(ns: tuple[int, ...] = (64, 128, 256, 512), blocks: tuple[int, ...] = (8,), cutoffs: tuple[int, ...] = (128,),
          seed: int = 1) -> list[Json]:  # fmt: skip
    rng = random.Random(seed)
    runs = [
        run(s, "write", n, rng, block=block, dimension=3, cutoff=cut)
        for n in ns for block in blocks for s in TETRA
        for cut in (cutoffs if s in ("dp-tetra", "rec-tetra") else (None,))
    ]  # fmt: skip
    return improve(runs, "bb-tetra")


def life(ns: tuple[int, ...] = (1024, 8192, 30720), strategy: str = "ltm-r", seed: int = 1) -> list[Json]:
    rng, runs = random.Random(seed), []
    words: Json = {"steps": 100, "rule": "2333", "density": 0.3, "cell": "u32", "domain": "triangle"}
    for n in ns:
        for memory in MEMORY:
            runs.append(run(strategy, "life", n, rng, memory=memory, **words))
        for x, y in ((64, 4), (32, 8)):
            for memory in ("aligned", "two-cell"):
                one = run(strategy, "life", n, rng, memory=memory, factor=0.9, **words)
                runs.append({**one, "block": [x, y, 1], "key": one["key"] + f"/b{x}x{y}"})
    return runs


# The automata on floats: their own parameters, and the techniques that they lack.
FLOATS: dict[str, tuple[Json, tuple[str, ...]]] = {
    "blur": ({"steps": 48}, ()),
    "dog": ({}, ("two-generation",)),
    "extrema": ({}, ("two-generation",)),
    "water": ({"steps": 100, "rain": 0.001, "infiltration": 0.0002}, ("strip",)),
}


def floats(workload: str, ns: tuple[int, ...], domain: str = "square", seed: int = 1) -> list[Json]:
    """Every technique in its own block; of `dog` packed data too, and two cells in another block."""
    rng, runs = random.Random(seed), []
    words, lacks = FLOATS[workload]
    cells = ("f32", "f32x2") if workload == "dog" else ("f32",)
    for n in ns:
        for memory in (*MEMORY, "strip"):
            for cell in cells if memory not in lacks else ():
                one = run("bb", workload, n, rng, memory=memory, cell=cell, domain=domain, **words)
                shape = {"rect": [64, 4, 1], "two-cell": [32, 8, 1], "strip": [32, 8, 1]}.get(memory, [16, 16, 1])
                runs.append({**one, "block": shape, "tile": 16 if shape[0] == 16 else 64})
    return runs
