"""Several GPUs side by side: I over N, one panel per strategy, one line per GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tribench_report import style
from tribench_report.figures import Drawing, Material
from tribench_report.figures.parts import (
    BAND_NOTE,
    baseline_words,
    draw_factors,
    factors,
    finished,
    plain_note,
    share_factors,
)
from tribench_report.looks import nth_look
from tribench_report.model import DEFAULT_CUTOFF, Run
from tribench_report.select import Facet, facets, group, plain_lines, strategy_rank

# The runs of a strategy's line, by device.
Panel = dict[str, list[Run]]


def gpus(material: Material) -> Iterator[Drawing]:
    """Draws strategies that several devices measured; each time is compared with the baseline on the same device."""
    runs = [run for run in material.runs if run.engine != "cpu" and run.cutoff in (None, DEFAULT_CUTOFF)]
    fields = ("block_name", "layout", "cache", "dimension", "workload")
    for facet in facets(runs, fields, by_device=False):
        panels = _panels(facet.runs, material)
        if panels:
            yield _draw(facet, panels, material)


def _panels(runs: Sequence[Run], material: Material) -> dict[str, Panel]:
    """One panel per strategy that has at least two devices; one line per device."""
    found: dict[str, Panel] = {}
    for strategy, mine in group(runs, lambda run: run.strategy).items():
        by_device = group(mine, lambda run: run.device)
        panel = {device: plain_lines(here)[0].runs for device, here in by_device.items()}
        panel = {device: line for device, line in panel.items() if factors(line, material.improvements)}
        if len(panel) > 1:
            found[strategy] = panel
    return dict(sorted(found.items(), key=lambda item: strategy_rank(item[0])))


def _draw(facet: Facet, panels: dict[str, Panel], material: Material) -> Drawing:
    devices = sorted({device for panel in panels.values() for device in panel})
    looks = {device: nth_look(place) for place, device in enumerate(devices)}
    workload = facet.runs[0].workload
    drawn = [run for panel in panels.values() for line in panel.values() for run in line]
    over = baseline_words(drawn, material.improvements)
    picture = style.canvas(len(panels), f"{workload}: improvement over {over}, on each GPU", height=2.5)
    for axes, (strategy, panel) in zip(picture.axes, panels.items()):
        axes.set_title(strategy)
        points = {device: factors(line, material.improvements) for device, line in panel.items()}
        draw_factors(axes, points, looks)
    share_factors(picture.axes)
    notes = [BAND_NOTE, plain_note(drawn, material.improvements)]
    return finished("gpus", facet, picture, notes, drawn, material.improvements)
