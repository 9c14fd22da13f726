"""What the templates of the docs need: a function for each marker, with the values of its template."""

from __future__ import annotations

import contextlib
import csv
import fnmatch
import io
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tribench_report import compare, documents, frame, table

from . import attention as attention_
from . import formulas as formulas_
from . import front, repeats, which
from . import products as products_
from .claims import SENTENCES

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]


class Missing(Exception):
    """The results have nothing for this marker: what stands there stays."""


@dataclass
class Measured:
    """The results of one GPU, GPU.json.gz, with the files beside it, and what the program lists."""

    results: Path
    tribench: str
    scratch: Path  # for output of tribench-report

    @cached_property
    def parts(self) -> dict[str, documents.Document]:
        """The invocations by their labels, in the order of the document."""
        if not self.results.exists():
            return {}
        return {
            documents.name_of_part(part.name.rpartition(":")[2]): part for part in documents.read([f"{self.results}:*"])
        }

    def labels(self, wanted: Sequence[str]) -> list[str]:
        """Those that match one of the patterns, which may have alternatives: 'life-*-u*|life-*-bit*'. Errors: none."""
        found = {
            label: None
            for pattern in wanted
            for label in self.parts
            if any(fnmatch.fnmatchcase(label, one) for one in pattern.split("|"))
        }
        if not found:
            raise Missing(wanted[0])
        return list(found)

    def words(self, *labels: str) -> str:
        return f"{self.results}:{','.join(self.labels(labels))}"

    def load(self, *labels: str) -> frame.Results:
        return frame.load([self.words(*labels)])

    def beside(self, suffix: str) -> Path:
        """Another file of the same GPU. Errors: it is not there."""
        path = Path(str(self.results).removesuffix(".json.gz") + suffix)
        if not path.exists():
            raise Missing(path.name)
        return path

    @cached_property
    def every(self) -> list[Path]:
        """The results of all GPUs in the same folder, these first."""
        others = sorted(self.results.parent.glob("*.json.gz"))
        apart = ("-again.json.gz", "-repeats.json.gz", "-turns.json.gz")
        others = [path for path in others if not path.name.endswith(apart)]
        return sorted(others, key=lambda path: path != self.results)

    @cached_property
    def tested(self) -> list[Path]:
        """The results of all GPUs that have their maps checked, for the claims; results of two GPUs at once do not."""
        return [path for path in self.every if Path(str(path).replace(".json.gz", "-maps.json")).exists()]

    def listed(self, what: str) -> list[Json]:
        done = subprocess.run([self.tribench, "--list", what, "-f", "json"], capture_output=True, text=True, check=True)
        found: list[Json] = json.loads(done.stdout)
        return found

    def said(self, run: Any, *words: object) -> str:
        """What a command of tribench-report writes. Errors: what it raises."""
        path = self.scratch / "said.md"
        run(["-o", str(path), *map(str, words)])
        return path.read_text(encoding="utf-8")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _json(path: Path) -> Json:
    found: Json = json.loads(path.read_bytes())
    return found


# ---------------------------------------------------------------- tables of runs


def runs_table(here: Measured, kind: str, labels: Sequence[Any] = (), file: str = "", **filters: object) -> str:
    """As tribench-report table makes it."""
    flat = [label for one in labels for label in ([one] if isinstance(one, str) else one)]
    words = here.words(*flat) if flat else here.beside(file)
    options = [word for name, value in filters.items() for word in (f"--{name}", str(value))]
    return here.said(table.run, words, "--kind", kind, *options)


# The published I on a GTX 680 by strategy: for the kernel that only maps, and for the distance matrix.
GTX_680 = {
    "ltm-x": ("0.7", "–"),
    "ltm-n": ("1.03", "–"),
    "ltm-r": ("1.13 to 1.15", "1.12 to 1.15"),
    "rb": ("up to 1.25", "1.14 on average"),
    "rec": ("below 1", "1.05 at N = 30,720"),
    "utm": ("below 1", "slowest of all"),
}


def improvement(here: Measured) -> Json:
    """The table of I, with columns of what was published."""
    lines = runs_table(here, "improvement", ["paper"], n=30720).splitlines()
    head, _, *rows = ([cell.strip() for cell in line[1:-1].split(" | ")] for line in lines if line.startswith("|"))
    return {
        "head": [*head, "GTX 680, dummy", "GTX 680, EDM"],
        "rows": [[*row, *GTX_680.get(row[0], ("–", "–"))] for row in rows],
        "below": [line for line in lines if not line.startswith("|")],
    }


# ---------------------------------------------------------------- what the program lists, and its input


def strategies(here: Measured) -> Json:
    return {"strategies": [one for one in here.listed("strategies") if one["kind"] == "strategy"]}


def workloads(here: Measured) -> Json:
    return {"workloads": [one for one in here.listed("workloads") if one["kind"] == "workload"]}


def generator(here: Measured) -> Json:
    """
    The input generator again, written from its definition: tests/unit/generate_test.c expects the same values from
    ours.
    """
    mask, golden = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(x: int) -> int:
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & mask
        return x ^ x >> 31

    rows = []
    for seed, stream, index in (1, 0, 0), (1, 3, 1000), (mask, 1, 30719):
        start = mix((seed + golden * (stream + 1)) & mask)
        bits = mix((start + golden * (index + 1)) & mask)
        rows.append([seed, stream, index, f"{bits:#018x}", f"{bits >> 54}/1024"])
    return {"rows": rows}


# ---------------------------------------------------------------- single invocations


def _short(value: Any, known: set[str]) -> Any:
    """With four digits, and only the members that today's schema knows."""
    if isinstance(value, dict):
        return {name: _short(member, known) for name, member in value.items() if member is not None and name in known}
    if isinstance(value, list):
        return [_short(element, known) for element in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _members(schema: Any) -> Iterator[str]:
    """The names of all members of a schema's objects."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from _members(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _members(value)


def example(here: Measured) -> Json:
    """A record, cut short."""
    (label,) = here.labels(["paper"])
    part = here.parts[label]
    run = next(run for run in part.runs if run["key"] == "cuda/dummy/ltm-r/n8192/b16x16/t16/packed/seed1")
    schema = _json(ROOT / "report" / "schema" / "tribench-2.schema.json")
    run = _short({name: value for name, value in run.items() if name != "source"}, set(_members(schema)))
    run["samples"]["ms"] = [*run["samples"]["ms"][:2], "..."]
    return {"text": json.dumps(run) + ", ...]}", "gpu": part.parts[0]["environment"]["gpu"]["name"]}


def small(here: Measured) -> Json:
    """The first sizes of the papers, beside filling as many bytes, as measured by study/fill."""
    fill = {(int(r["bytes_per_cell"]), int(r["n"])): 1e3 * float(r["fill_ms"]) for r in _rows(here.beside("-fill.csv"))}
    sizes = sorted({n for _, n in fill})
    rows = [
        [f"filling with {words} per cell", *(f"{fill[width, n]:.2f}" for n in sizes)]
        for width, words in ((4, "four bytes"), (1, "one byte"))
    ]
    labels = {"small-tile": "its tile kernel", "small-cell": "one cell per thread"}
    for label, what in labels.items():
        runs = here.load(label).usable
        for workload, mine in runs.groupby("workload", sort=False):
            width, cells = 1 if workload == "collision" else 4, []
            for n in sizes:
                best = mine[mine["n"] == n].sort_values(["time_ms.median", "strategy"]).iloc[0]
                us = 1e3 * best["time_ms.median"]
                cells.append(f"{us:.2f} ({us / fill[width, n]:.2f}), `{best['strategy']}`")
            rows.append([f"`{workload}`, {what}", *cells])
    return {"sizes": [f"{n:,}" for n in sizes], "rows": rows, "parts": [here.parts[label].parts[0] for label in labels]}


def schedules(here: Measured) -> Json:
    """The same runs under each --schedule."""
    runs = here.load("schedule-*").usable
    rows = []
    for (workload, dimension, kernel, tile, strategy, n), mine in runs.groupby(
        ["workload", "dimension", "kernel", "tile", "strategy", "n"], sort=False
    ):
        ms = dict(zip(mine["schedule"], mine["time_ms.median"]))
        if "grid" in ms:
            how = "one cell per thread" if kernel == "cell" else f"{kernel} kernel, tiles of {tile}"
            rows.append([f"`{workload}` in {dimension}D, {how}", f"`{strategy}`", n, ms])
    parts = [part.parts[0] for label, part in here.parts.items() if fnmatch.fnmatchcase(label, "schedule-*-grid")]
    return {"rows": rows, "parts": parts}


def maps(here: Measured) -> Json:
    """The result of the check of each map on this GPU, for every n."""
    return _json(here.beside("-maps.json"))


def own(here: Measured) -> Json:
    """The cost of a workload from a file on this GPU, as measured by tests/cuda/check-own."""
    rows = _rows(here.beside("-own.csv"))
    first = {row["what"]: row for row in rows if row["what"].startswith("first result")}
    sizes: dict[str, list[float]] = {}
    for row in rows:
        if row["what"] not in first:
            sizes.setdefault(row["n"], []).append(float(row["file_ms"]) / float(row["built_in_ms"]))
    return {"gpu": here.results.name.removesuffix(".json.gz").upper(), "first": first, "sizes": sizes}


def formulas(here: Measured) -> Json:
    """The formulas of other programs, as study/formulas checked and measured them."""
    host, gpu = here.results.parent / "host-formulas.json", Path(str(here.results).removesuffix(".json.gz"))
    if not host.exists():
        raise Missing(host.name)
    return formulas_.table(host, gpu.with_name(f"{gpu.name}-formulas.json"), gpu.with_name(f"{gpu.name}-formulas.csv"))


def products(here: Measured) -> Json:
    """The symmetric product beside other libraries, as measured by study/products. Draws its figure, too."""
    runs = products_.read(here.beside("-products.csv"))
    head, rows = products_.table(runs)
    products_.figure(runs)
    sizes = list(dict.fromkeys(zip(runs["n"], runs["columns"], strict=True)))
    words = [",".join(f"{n}x{k}" for n, k in sizes if ((n, k) in products_.SIZES) == first) for first in (True, False)]
    return {"head": head, "rows": rows, "gpu": runs["gpu"].iloc[0], "date": runs["date"].iloc[0], "sizes": words}


def attention(here: Measured) -> Json:
    """Causal attention by order and beside other libraries, as measured by study/attention. Draws its figure, too."""
    runs = attention_.read(here.beside("-attention.csv"))
    attention_.figure(runs)
    sizes = list(dict.fromkeys(zip(runs["heads"], runs["n"], strict=True)))
    words = [",".join(f"{h}x{n}" for h, n in sizes if ((h, n) in attention_.SIZES) == first) for first in (True, False)]
    return {
        "orders": attention_.orders(runs), "peers": attention_.peers(runs),
        "published": attention_.published(runs), "said": attention_.said(runs), "sizes": words,
        "gpu": runs["gpu"].iloc[0], "date": runs["date"].iloc[0],
    }  # fmt: skip


def tune(here: Measured) -> Json:
    """The time of a search and the quality of its winners, as measured by study/tune-check."""
    found = _json(here.beside("-tune.json"))
    searches = sorted(found["searches"], key=lambda one: (one["workload"], one["n"]))
    for one in searches:
        mine = [c["winner_over_best"] for c in found["cases"] if (c["workload"], c["n"]) == (one["workload"], one["n"])]
        one |= {"cases": len(mine), "near": sum(ratio <= 1.01 for ratio in mine)}
    ratios = [case["winner_over_best"] for case in found["cases"]]
    return {
        "device": found["device"], "date": found["date"], "searches": searches, "cases": len(ratios),
        "near": sum(ratio <= 1.01 for ratio in ratios), "worst": 100 * (max(ratios, default=1.0) - 1.0),
    }  # fmt: skip


# ---------------------------------------------------------------- repeats and turns


def turns(here: Measured) -> Json:
    path = here.beside("-turns.json.gz")
    said = here.said(compare.run, f"{path}:old-*", "--threshold", "1", "--by", "strategy", "--", f"{path}:new-*")
    return {"lines": said.splitlines()}


def repeats_(here: Measured, *options: str, words: str = "") -> Json:
    """Its status says whether there are too many false alarms; the table shows them in any case."""
    words = words or f"{here.beside('-repeats.json.gz')}:*"
    with contextlib.redirect_stdout(io.StringIO()) as said:
        repeats.run([words, *options])
    lines = [line for line in said.getvalue().splitlines() if not line.startswith(" ")]
    found = frame.load([words])
    # Shows one command: the others differ in their output file.
    return {
        "cells": {name.replace(" us", " µs"): value for name, value in (re.split("  +", line) for line in lines)},
        "measured": table.measured(found, None), "command": found.commands()[0],
    }  # fmt: skip


def paper_again(here: Measured) -> Json:
    here.labels(["paper-again"])
    return repeats_(here, "--agreement", words=here.words("paper", "paper-again"))


# ---------------------------------------------------------------- README


def which_(here: Measured, sizes: Sequence[str] = which.SIZES, select: Json | None = None) -> Json:
    if not here.every:
        raise Missing("which")
    runs = frame.load([str(path) for path in here.every]).usable
    for name, words in (select or {}).items():
        runs = runs[runs[name].isin(words.split(","))]
    return which.answers(runs, sizes)


def front_(here: Measured) -> Json:
    return front.example(here.load("beyond"))


def findings(here: Measured, docs: str = "docs") -> Json:
    """
    Input: docs: that folder, as seen from the text
    Errors: the sentences do not hold in these results.
    """
    labels = (["beyond"], ["floors"], ["tiles", "edm-tile-packed", "edm-tile-full"])
    return front.findings(*(here.load(*some).usable for some in labels)) | {
        "product": products_.finding(products_.read(here.beside("-products.csv"))),
        "attention": attention_.finding(attention_.read(here.beside("-attention.csv"))),
        "docs": docs, "claims": len(SENTENCES), "held": front.held([str(path) for path in here.tested]),
    }  # fmt: skip


# The function of each marker.
FUNCTIONS = {
    **{function.__name__.rstrip("_").replace("_", "-"): function for function in (
        improvement, strategies, workloads, generator, example, small, schedules, maps, own, formulas, products,
        attention, tune, turns, paper_again, which_, front_, findings,
    )},
    "repeats": lambda here: repeats_(here, "--splits", "2000"),
}  # fmt: skip
