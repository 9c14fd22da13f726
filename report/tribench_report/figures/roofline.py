"""The roofline: the rate of each run below the ceilings of the machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation

from .. import scales, style
from ..looks import GREY, look
from ..model import Run
from ..select import by_workload, facets, strategy_rank
from . import Drawing, Material
from .parts import finished

# One panel per kind of arithmetic, because each has its own ceiling.
PANELS = {"fp32": "FP32", "fp64": "FP64", "int32": "Integers, 32 bits"}
DASHES = {"fill": "--", "copy": ":"}
BESIDE_POINTS = 2.6  # [pt] between the strategies of a workload, whose points would overlap
OTHERS = "{}, other kernels and tiles"
ROOM = 4.0  # the axis extends by this factor to the left and right of the points


def roofline(material: Material) -> Iterator[Drawing]:
    """One point per run, in the look of its strategy; each workload's largest N in full colour, smaller N pale.

    Runs without operations, or with bytes that do not grow with them, are left out.
    """
    placed = [run for run in material.runs if _place(run) is not None]
    absent = sorted({run.workload for run in material.runs} - {run.workload for run in placed})
    for facet in facets(placed, ("engine", "rank_count")):
        kinds = [kind for kind in PANELS if any(_kind(run) == kind for run in facet.runs)]
        picture = style.canvas(len(kinds), "Roofline: operations per second over operations per byte")
        peaks = material.study.peaks(facet.runs)
        order = sorted({run.strategy for run in facet.runs}, key=strategy_rank)
        for axes, kind in zip(picture.axes, kinds):
            runs = [run for run in facet.runs if _kind(run) == kind]
            axes.set_title(PANELS[kind])
            for strategy in order:
                _points(axes, strategy, [run for run in runs if run.strategy == strategy], order)
            _name_workloads(axes, runs)
            _ceilings(axes, kind, peaks, runs)
            scales.log_value_axis(axes, "Gop/s")
            scales.log_ratio_axis(axes, "operations per byte")
        beside = "strategies of a workload stand side by side; pale: smaller N" if len(order) > 1 else ""
        without = f"no point: {', '.join(absent)}, with nothing to compute or to move" if absent else ""
        yield finished("roofline", facet, picture, [beside, without], facet.runs)


def _points(axes: Axes, strategy: str, runs: Sequence[Run], order: Sequence[str]) -> None:
    """Draws a strategy's points, shifted on the page and not in the data; variants are hollow."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    aside = BESIDE_POINTS * (order.index(strategy) - (len(order) - 1) / 2.0) / 72.0
    moved = axes.transData + ScaledTranslation(aside, 0.0, figure.dpi_scale_trans)
    largest = {name: max(run.n for run in members) for name, members in by_workload(runs).items()}
    for plain in (True, False):
        label = strategy if plain else OTHERS.format(strategy)
        mine = [run for run in runs if (run.plainness == 0) == plain]
        seen = look(strategy)
        if mine:
            seen = style.point_look(axes, label, replace(seen, hollow=seen.hollow or not plain))
        for pale in (True, False):
            points = [
                place
                for run in mine
                if (run.n < largest[run.workload]) == pale and (place := _place(run))
            ]
            if points:
                axes.update_datalim(points)  # a line with a shifted transform does not do this
                axes.plot(
                    [x for x, _ in points], [y for _, y in points], label="_pale" if pale else label,
                    color=seen.colour, marker=seen.marker, markerfacecolor="white" if seen.hollow else seen.colour,
                    linestyle="none", alpha=0.2 if pale else 0.9, markersize=3.0 if pale else 4.5, transform=moved,
                )  # fmt: skip


def _name_workloads(axes: Axes, runs: Sequence[Run]) -> None:
    for workload, members in by_workload(runs).items():
        places = [place for run in members if (place := _place(run))]
        top = max(places, key=lambda place: place[1])
        axes.annotate(workload, top, (0, 5), textcoords="offset points", ha="center", va="bottom", fontsize=8)


def _place(run: Run) -> tuple[float, float] | None:
    """The position of a run, or None. dummy's four bytes are no amount of data: it would lie decades to the right."""
    found = run.roofline
    if found is None or found.arithmetic not in PANELS or (found.bytes or 0) < run.n:
        return None
    x, y = found.operations_per_byte, found.gop_per_s
    return (x, y) if x and y else None


def _kind(run: Run) -> str | None:
    return run.roofline.arithmetic if run.roofline else None


def _ceilings(axes: Axes, kind: str, peaks: dict[str, float], runs: Sequence[Run]) -> None:
    """
    Draws the memory ceilings, which rise with the intensity up to the arithmetic ceiling; the ridges stay in view.
    """
    xs = [place[0] for run in runs if (place := _place(run))]
    top = peaks.get(kind)
    rates = {name: rate for name in DASHES if (rate := peaks.get(name))}
    ridges = [top / rate for rate in rates.values()] if top else []
    left, right = min([*xs, *ridges]) / ROOM, max(xs) * ROOM
    for name, rate in rates.items():
        end = min(right, top / rate) if top else right
        axes.plot(
            [left, end], [left * rate, end * rate], color=GREY, linestyle=DASHES[name], linewidth=1.2,
            label=f"peak {name} {rate:,.0f} GB/s", zorder=1,
        )  # fmt: skip
    if top:
        axes.axhline(top, color=GREY, linewidth=1.2, label=f"peak {kind} {top:,.0f} Gop/s", zorder=1)
