"""The runs of one workload, N and block as tribench prints them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tribench_report import cli
from tribench_report.model import Run
from tribench_report.stats import Interval

# Columns whose title differs from their name.
TITLES = {"I, 95 %": "95 % interval"}


def _shown(value: float | None, form: str = "{:.5g}") -> str:
    return "" if value is None else form.format(value)


def _ends(interval: Interval | None, form: str = "{:.5g}") -> str:
    """'low .. high'; '' if the value was recorded without an interval."""
    if interval is None or not interval.known:
        return ""
    return f"{form} .. {form}".format(interval.low, interval.high)


def _bound(run: Run) -> str:
    if run.roofline is None or run.roofline.fraction is None:
        return ""
    return f"{100 * run.roofline.fraction:.1f} % {run.roofline.ceiling}"


def _cells(run: Run) -> dict[str, str]:
    flag = run.status if run.status != "ok" else ", ".join(run.caveats)
    return {
        "strategy": run.strategy + (f"/{run.cutoff}" if run.cutoff else ""),
        "blocks": _shown(run.blocks, "{}"),
        "wasted": _shown(run.blocks_wasted, "{}"),
        "median ms": _shown(run.time.value if run.time else None),
        "95 % interval": _ends(run.time),
        "I": _shown(run.improvement.value if run.improvement else None, "{:.3f}"),
        "I, 95 %": _ends(run.improvement, "{:.3f}"),
        "GB/s": _shown(run.gb_per_s, "{:.4g}"),
        "of fill": _shown(100 * run.fraction_of_peak if run.gb_per_s and run.fraction_of_peak else None, "{:.1f} %"),
        "of bound": _bound(run),
        "check": {"none": "", "fail": "FAIL"}.get(run.verified, run.verified),
        "notes": ": ".join(dict.fromkeys(word for word in (flag, run.reason) if word)),
    }


def _heading(run: Run) -> str:
    return (
        f"{run.workload}, N = {run.n}, {run.block_name} threads per block, tile {run.tile}, {run.layout}, {run.engine}"
    )


def _aligned(cells: list[dict[str, str]], left_out: Collection[str]) -> str:
    columns = [name for name in cells[0] if name not in left_out and any(row[name] for row in cells)]
    table = [[TITLES.get(name, name) for name in columns], *([row[name] for name in columns] for row in cells)]
    words = [place for place, name in enumerate(columns) if name in ("strategy", "check", "notes")]
    return "\n".join(f"  {line}" for line in cli.columns(table, words))


def aligned(runs: Sequence[Run], left_out: Collection[str] = ()) -> str:
    """The runs under one heading, as tribench itself prints them, without the columns in `left_out`."""
    return f"{_heading(runs[0])}\n{_aligned([_cells(run) for run in runs], left_out)}\n"
