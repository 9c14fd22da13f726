"""The roofline: what each run attained under what the machine can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes

from .. import style
from ..looks import GREY, nth_look
from ..model import Run
from ..select import by_workload, facets
from . import Drawing, Material
from .parts import throttle_note

# A panel for each kind of arithmetic, for each has a ceiling of its own.
PANELS = {"fp32": "FP32", "fp64": "FP64", "int32": "Integers, 32 bits"}
DASHES = {"fill": "--", "copy": ":"}
ROOM = 4.0  # free factor left and right of the points


def roofline(material: Material) -> Iterator[Drawing]:
    """One point per run; runs without operations, or without bytes that grow with them, have no place here."""
    placed = [run for run in material.runs if _place(run) is not None]
    absent = sorted({run.workload for run in material.runs} - {run.workload for run in placed})
    for facet in facets(placed, ("engine", "rank_count")):
        kinds = [kind for kind in PANELS if any(_kind(run) == kind for run in facet.runs)]
        picture = style.canvas(len(kinds), "Roofline: operations per second over operations per byte")
        peaks = material.study.peaks(facet.runs)
        looks = {name: nth_look(place) for place, name in enumerate(by_workload(facet.runs))}
        for axes, kind in zip(picture.axes, kinds):
            runs = [run for run in facet.runs if _kind(run) == kind]
            axes.set_title(PANELS[kind])
            for workload, members in by_workload(runs).items():
                points = [place for run in members if (place := _place(run))]
                seen = looks[workload]
                axes.plot(
                    [x for x, _ in points], [y for _, y in points], label=workload,
                    color=seen.colour, marker=seen.marker, linestyle="none", alpha=0.7,
                )  # fmt: skip
            _ceilings(axes, kind, peaks, runs)
            style.log_value_axis(axes, "Gop/s")
            style.log_ratio_axis(axes, "operations per byte")
        style.legend(picture)
        without = f"no point: {', '.join(absent)}, with nothing to compute or to move" if absent else ""
        yield Drawing(f"roofline{facet.suffix}", picture, [facet.words, without, throttle_note(facet.runs)], facet.runs)


def _place(run: Run) -> tuple[float, float] | None:
    """dummy's four bytes are no amount of data: it would lie decades to the right of all others."""
    found = run.roofline
    if found is None or found.arithmetic not in PANELS or (found.bytes or 0) < run.n:
        return None
    x, y = found.operations_per_byte, found.gop_per_s
    return (x, y) if x and y else None


def _kind(run: Run) -> str | None:
    return run.roofline.arithmetic if run.roofline else None


def _ceilings(axes: Axes, kind: str, peaks: dict[str, float], runs: Sequence[Run]) -> None:
    """Memory rises with the intensity, up to what the arithmetic allows; the ridge where they meet is shown."""
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
