"""GPUs beside each other: I over N, a panel for each strategy, a line for each GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import style
from ..looks import nth_look
from ..model import DEFAULT_CUTOFF, Run
from ..select import Facet, facets, group, plain_lines, strategy_rank
from ..stats import Interval
from . import Drawing, Material
from .parts import BAND_NOTE, draw_factors, share_factors, throttle_note

Points = dict[str, list[tuple[int, Interval]]]


def gpus(material: Material) -> Iterator[Drawing]:
    """Only what several devices measured; each is divided by the baseline on the same device."""
    runs = [run for run in material.runs if run.engine != "cpu" and run.cutoff in (None, DEFAULT_CUTOFF)]
    fields = ("block_name", "layout", "cache", "dimension", "workload")
    for facet in facets(runs, fields, by_device=False):
        panels = _panels(facet.runs, material)
        if panels:
            yield _draw(facet, panels)


def _panels(runs: Sequence[Run], material: Material) -> dict[str, Points]:
    """By strategy, then by device."""
    found: dict[str, Points] = {}
    for strategy, mine in group(runs, lambda run: run.strategy).items():
        points: Points = {}
        for device, here in group(mine, lambda run: run.device).items():
            line = plain_lines(here)[0]
            factors = [(run.n, material.improvements.of(run)) for run in line.runs if not run.is_baseline]
            points[device] = [(n, i) for n, i in factors if i is not None]
        if sum(bool(one) for one in points.values()) > 1:
            found[strategy] = points
    return dict(sorted(found.items(), key=lambda item: strategy_rank(item[0])))


def _draw(facet: Facet, panels: dict[str, Points]) -> Drawing:
    devices = sorted({device for points in panels.values() for device in points})
    looks = {device: nth_look(place) for place, device in enumerate(devices)}
    workload = facet.runs[0].workload
    picture = style.canvas(len(panels), f"{workload}: improvement over the bounding box, on each GPU", height=2.5)
    for axes, (strategy, points) in zip(picture.axes, panels.items()):
        axes.set_title(strategy)
        draw_factors(axes, points, looks)
    share_factors(picture.axes)
    style.legend(picture)
    notes = [facet.words, BAND_NOTE, throttle_note(facet.runs)]
    return Drawing(f"gpus{facet.suffix}", picture, notes, facet.runs)
