"""The symmetric product beside other libraries: a table and a figure of what study/products measured."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pandas as pd

from .panels import Drawing, Panel, exactly, mark_waves

FIGURE = Path("docs/figures/products.png")
SIZES = ((2048, 4096), (4096, 4096), (8192, 4096), (16384, 1024), (16384, 4096), (16384, 8192), (30720, 1024))
LARGE = 8192
SIDE, AT_ONCE, WAVES = 256, 66, 4  # of a tile; clusters on this GPU; waves that are marked
RATIO = "time / time of torch.mm"
PEERS = ("triton box", "ssyrk")  # that store the lower half, as maps do


def _label(name: str, stores: str) -> str:
    return f"{name}, both halves" if stores == "both" else name


def read(path: Path) -> pd.DataFrame:
    runs = pd.read_csv(path, keep_default_na=False)
    return runs.assign(label=[_label(*one) for one in zip(runs["name"], runs["stores"], strict=True)])


def table(runs: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The head and a row per size: torch.mm's time, and of the others the share of it."""
    others = [label for label in dict.fromkeys(runs["label"]) if label != "torch.mm"]
    rows = []
    for n, columns in SIZES:
        here = runs[(runs["n"] == n) & (runs["columns"] == columns)].set_index("label")
        if "torch.mm" in here.index:
            ms = here.loc["torch.mm", "ms"]
            shares = [f"{here.loc[label, 'of_mm']:.3f}" if label in here.index else "" for label in others]
            rate = 2 * n * n * columns / ms / 1e9
            rows.append([f"{n:,} x {columns:,}", f"{ms:.4g} ms ({rate:.0f} TFLOP/s)", *shares])
    return ["N x K", "`torch.mm`", *(f"`{label}`" for label in others)], rows


def finding(runs: pd.DataFrame) -> dict[str, object]:
    """From which N on the lower half is faster than the square, by K; and from LARGE on, shares and what order does."""
    maps = runs[(runs["stores"] == "lower") & ~runs["name"].isin(PEERS)]
    best = maps.groupby(["columns", "n"])["of_mm"].min()
    pays = {}
    for columns in (1024, 4096):
        slower = best[columns][best[columns] >= 1.0].index
        pays[columns] = min(n for n in best[columns].index if n > max(slower, default=0))
    large = maps[maps["n"] >= LARGE]
    rows, groups = (large[large["name"] == name].set_index(["n", "columns"])["ms"] for name in ("ltm-i", "ltm-g"))
    shares = best[best.index.get_level_values("n") >= LARGE]
    gain = 100 * ((rows / groups).max() - 1)
    return {"pays": pays, "large": LARGE, "shares": (shares.min(), shares.max()), "order": gain}


def first_of_wave(wave: int) -> int:
    """The first N whose squares need one more wave than this."""
    return SIDE * next(n for n in count(1) if n * (n + 1) // 2 > AT_ONCE * wave)


def figure(runs: pd.DataFrame) -> None:
    panels = []
    for columns, mine in runs[runs["label"] != "torch.mm"].groupby("columns"):
        if mine["n"].nunique() > len(SIZES):
            lines = {label: exactly(one, "of_mm") for label, one in mine.groupby("label", sort=False)}
            lines |= {peer: lines.pop(peer) for peer in PEERS if peer in lines}  # from the ninth on, lines are dashed
            panels.append(Panel(f"K = {columns:,}", lines, RATIO))
    title = "C = A A^T, bf16: when does half the work take half the time?"
    drawing = Drawing("products", title, panels, [], runs).figure()
    drawing.set_size_inches(11, 4.6)
    for axes in drawing.axes:
        axes.set(ylim=(0.4, 1.6))
        mark_waves(axes, [1 << k for k in range(9, 15)], 0.5, map(first_of_wave, range(1, WAVES + 1)))
    drawing.savefig(FIGURE, dpi=150)
