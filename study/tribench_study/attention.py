"""Causal attention by order of rows and beside other libraries: what study/attention measured, in tables and lines."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from .panels import PALETTE, Drawing, Panel, exactly, mark_waves

FIGURE = Path("docs/figures/attention.png")
# heads in all x N
SIZES = ((16, 2048), (128, 2048), (8, 4096), (16, 4096), (64, 4096), (32, 8192), (2, 16384), (16, 16384))
# Of a head; rows of a tile; blocks at a time on this GPU; heads that advance together, as --set group has it
COLUMNS, TILE, AT_ONCE, SECTION = 128, 128, 132, 16
GAIN = "full / causal"
CUDNN = "cuDNN"
DRAWN = (CUDNN, "rows, grid", "rows-lpt, grid", "rows-fold, grid", "rows-lpt, dynamic", "rows-fold, persistent")
SAID = Path(__file__).parent.parent / "orders.yaml"
Table = tuple[list[str], list[list[str]]]


def read(path: Path) -> pd.DataFrame:
    runs = pd.read_csv(path, keep_default_na=False)
    labels = [name + (f", {schedule}" if schedule else "") for name, schedule in zip(runs["name"], runs["schedule"])]
    runs = runs.assign(label=labels, is_map=runs["schedule"] != "")
    full = runs[runs["mask"] == "full"].set_index(["heads", "n", "is_map"])["ms"]
    whole = [full.get(key) for key in zip(runs["heads"], runs["n"], runs["is_map"], strict=True)]
    own = runs["is_map"] | (runs["name"] == CUDNN)
    return runs.assign(gain=pd.Series(whole, runs.index, dtype=float).where(own) / runs["ms"])


def rate(heads: int, n: int, ms: float) -> float:
    """Of causal attention [TFLOP/s]."""
    return 2 * COLUMNS * heads * n * (n + 1) / ms / 1e9


def fastest(runs: pd.DataFrame) -> pd.DataFrame:
    """The fastest causal run of tribench at each size."""
    mine = runs[runs["is_map"] & (runs["mask"] == "causal")]
    return mine.loc[mine.groupby(["heads", "n"], sort=False)["ms"].idxmin()].set_index(["heads", "n"])


def _rows(runs: pd.DataFrame, head: list[str], labels: Iterable[str]) -> Table:
    """cuDNN's time, the share of it that others take, and the gains of the fastest map and of cuDNN."""
    best, causal, rows = fastest(runs), runs[runs["mask"] == "causal"], []
    for heads, n in SIZES:
        here = causal[(causal["heads"] == heads) & (causal["n"] == n)].set_index("label")
        if CUDNN not in here.index:
            continue
        ms = here.loc[CUDNN, "ms"]
        cells = [f"{heads} x {n:,}", f"{ms:.4g} ms ({rate(heads, n, ms):.0f} TFLOP/s)"]
        for label in labels:
            one = best.loc[heads, n] if label == "" else here.loc[label] if label in here.index else None
            cells.append(
                "" if one is None else f"{one['of_cudnn']:.3f}" + (f" ({one['label']})" if label == "" else "")
            )
        gains = best.loc[(heads, n), "gain"], here.loc[CUDNN, "gain"]
        rows.append([*cells, *("" if pd.isna(gain) else f"{gain:.2f}" for gain in gains)])
    return ["heads x N", CUDNN, *head, f"{GAIN}, fastest map", "of cuDNN"], rows


def _labels(runs: pd.DataFrame, maps: bool) -> list[str]:
    mine = runs[(runs["is_map"] == maps) & (runs["mask"] == "causal") & (runs["label"] != CUDNN)]
    return list(dict.fromkeys(mine["label"]))


def orders(runs: pd.DataFrame) -> Table:
    labels = _labels(runs, True)
    return _rows(runs, [f"`{label}`" for label in labels], labels)


def peers(runs: pd.DataFrame) -> Table:
    labels = _labels(runs, False)
    head, rows = _rows(runs, [*labels, "fastest map"], [*labels, ""])
    return head[:-2], [row[:-2] for row in rows]


def _reported(what: str) -> Any:
    return yaml.safe_load(SAID.read_text(encoding="utf-8"))[what]


def published(runs: pd.DataFrame) -> Table:
    """Rates by schedule alone, as they were reported for other kernels and as they are here [TFLOP/s]."""
    reported, rows = _reported("rates"), []
    causal = runs[runs["mask"] == "causal"].set_index(["heads", "n", "label"])["ms"]
    for one in reported["sizes"]:
        heads, n = one["heads"], one["n"]
        cells = [f"{heads} x {n:,}"]
        for label, there in zip(reported["orders"], one["tflops"], strict=True):
            ms = causal.get((heads, n, label))
            cells += [str(there), "" if ms is None else f"{rate(heads, n, ms):.0f}"]
        rows.append(cells)
    return ["heads x N", *(word for name in reported["orders"] for word in (f"reported: {name}", "here"))], rows


def said(runs: pd.DataFrame) -> Table:
    """How often a faster order's time goes into a slower one's: what is reported, and the least and most of SIZES."""
    times = runs[runs["mask"] == "causal"].set_index(["heads", "n", "label"])["ms"].unstack()
    times, rows = times[[size in SIZES for size in times.index]], []
    for one in _reported("gains"):
        if {one["slower"], one["faster"]} <= set(times.columns):
            gains = (times[one["slower"]] / times[one["faster"]]).dropna().sort_values()
            ends = [f"{gain:.2f} at {heads} x {n:,}" for (heads, n), gain in gains.iloc[[0, -1]].items()]
            rows.append([one["faster"], one["slower"], one.get("reported", ""), *ends])
    return ["faster", "than", "reported", "here, least", "here, most"], rows


def finding(runs: pd.DataFrame) -> dict[str, object]:
    """Of SIZES, that at which the order of rows is worth the most, and the fastest maps' shares of cuDNN's time."""
    sized = [size in SIZES for size in zip(runs["heads"], runs["n"], strict=True)]
    best = fastest(runs[sized])
    ascending = runs[(runs["label"] == "rows, grid") & (runs["mask"] == "causal")].set_index(["heads", "n"])["ms"]
    order = (ascending / best["ms"]).dropna()
    heads, n = order.idxmax()
    return {
        "heads": heads, "n": n, "name": best.loc[(heads, n), "name"], "order": order.max(),
        "shares": (best["of_cudnn"].min(), best["of_cudnn"].max()),
    }  # fmt: skip


def _ends(lengths: Iterable[int]) -> float:
    """When the last of blocks of these lengths ends, each of which begins where one ends first."""
    free = [0] * AT_ONCE
    for length in lengths:
        heapq.heapreplace(free, free[0] + length)
    return max(free)


def model(name: str, heads: int, n: int) -> float:
    """GAIN if every step of a row took equally long and nothing else took any time."""
    tiles, blocks = -(-n // TILE), []
    units = range((tiles + 1) // 2 if name == "rows-fold" else tiles)
    length = {"rows": lambda unit: unit + 1, "rows-lpt": lambda unit: tiles - unit}.get(
        name, lambda unit: tiles if 2 * unit == tiles - 1 else tiles + 1
    )
    section = 1 if name == "rows" else SECTION
    for first in range(0, heads, section):
        blocks += [length(unit) for unit in units for _ in range(min(section, heads - first))]
    return _ends([tiles] * tiles * heads) / _ends(blocks)


def figure(runs: pd.DataFrame) -> None:
    causal = runs[(runs["mask"] == "causal") & runs["label"].isin(DRAWN)]
    panels = []
    for heads, mine in causal[causal["gain"].notna()].groupby("heads"):
        if mine["n"].nunique() > 3:
            lines = {label: exactly(mine[mine["label"] == label], "gain") for label in DRAWN}
            panels.append(Panel(f"{heads} heads", lines, GAIN))
    drawing = Drawing(
        "attention", "Causal attention: does half the work take half the time?", panels, [], runs
    ).figure()
    drawing.set_size_inches(3.4 * len(panels), 4.2)
    for axes, panel in zip(drawing.axes, panels, strict=True):
        heads = int(panel.title.split()[0])
        for place, label in enumerate(panel.lines):
            name, _, schedule = label.partition(", ")
            if schedule == "grid":
                expected = [model(name, heads, n) for n in panel.ns]
                axes.plot(panel.ns, expected, ":", color=PALETTE[place % 8], lw=1.0, zorder=0)
        axes.set(ylim=(0.7, 2.1))
        axes.get_legend().set(visible=axes is drawing.axes[-1], loc="lower right")
        starts = (waves * AT_ONCE / heads * TILE for waves in (1, 2, 4))  # of whole rows
        mark_waves(axes, [1 << k for k in range(9, 16, 2)], 2.0, starts)
    drawing.savefig(FIGURE, dpi=150)
