"""Figures 6.2 to 6.4 of the cellular-automata texts: life, one line per memory technique."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import style
from ..looks import nth_look
from ..model import Run
from ..select import Facet, facets, plain_lines, strategy_rank
from ..stats import Interval
from . import Drawing, Material
from .parts import BAND_NOTE, sizes, throttle_note

TECHNIQUES = "conditional halo shared aligned rect two-cell two-generation strip".split()


def _facets(material: Material) -> list[Facet]:
    """One strategy, domain and cell type per picture: there the technique is the only thing that varies."""
    runs = [
        run
        for run in material.runs
        if run.workload == "life" and run.parameters.get("memory") and run.kernel in (None, "cell", "tile")
    ]
    found = facets(runs, ("engine", "domain", "cell", "strategy", "layout", "cache"))
    return sorted(found, key=lambda facet: strategy_rank(facet.runs[0].strategy))


def _rank(label: tuple[str, str]) -> tuple[int, str]:
    return (TECHNIQUES.index(label[0]) if label[0] in TECHNIQUES else len(TECHNIQUES), label[1])


def _draw(name: str, title: str, facet: Facet, wanted: Sequence[str], with_blocks: bool) -> Iterator[Drawing]:
    runs = [run for run in facet.runs if run.parameters["memory"] in wanted]
    if not with_blocks:
        runs = _first_block(runs)
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((str(run.parameters["memory"]), run.block_name), []).append(run)
    if len(groups) < 2:
        return
    unit, per_ms = _unit(runs)
    # Some techniques prescribe their block: a difference that the reader must see.
    differ = len({run.block for run in runs}) > 1
    picture = style.canvas(2, title, width=4.2, height=3.2)
    left, right = picture.axes
    for place, names in enumerate(sorted(groups, key=_rank)):
        label = f"{names[0]}, {names[1]}" if differ else names[0]
        looks = nth_look(place)
        for line in plain_lines(groups[names]):
            times = [(r.n, r.time.times(per_ms / r.generations)) for r in line.runs if r.time]
            style.draw_line(left, label, looks, times)
            rates = [(r.n, Interval(g, g, g)) for r in line.runs if (g := r.gb_per_s)]
            style.draw_line(right, "", looks, rates)
    left.set_title("(a) Time per generation")
    left.set_ylabel(f"time [{unit}]")
    left.set_ylim(bottom=0.0)
    style.linear_n_axis(left, sizes(runs))
    right.set_title("(b) Bandwidth")
    style.rate_axis(right)
    style.linear_n_axis(right, sizes(runs))
    style.legend(picture)
    notes = [
        facet.words,
        BAND_NOTE,
        "bandwidth: each cell read once and written once per generation",
        f"{runs[0].generations} generations" if runs[0].parameters.get("steps") else "",
        throttle_note(runs),
    ]
    yield Drawing(f"{name}{facet.suffix}", picture, notes)


def _unit(runs: Sequence[Run]) -> tuple[str, float]:
    """A generation of a small domain takes microseconds: three zeros before each tick tell nobody anything."""
    longest = max(run.time.value / run.generations for run in runs if run.time)
    return ("us", 1000.0) if longest < 0.1 else ("ms", 1.0)


def _first_block(runs: Sequence[Run]) -> list[Run]:
    """16x16 where a technique was measured with it, else the block that it was measured with most."""
    chosen: list[Run] = []
    for memory in TECHNIQUES:
        mine = [run for run in runs if run.parameters["memory"] == memory]
        blocks = [run.block_name for run in mine]
        if blocks:
            block = "16x16" if "16x16" in blocks else max(sorted(set(blocks)), key=blocks.count)
            chosen += [run for run in mine if run.block_name == block]
    return chosen


def shared(material: Material) -> Iterator[Drawing]:
    for facet in _facets(material):
        yield from _draw(
            "life-6.2",
            "Life: global, shared and aligned memory",
            facet,
            ("conditional", "halo", "shared", "aligned"),
            False,
        )


def shapes(material: Material) -> Iterator[Drawing]:
    for facet in _facets(material):
        runs = [run for run in facet.runs if run.parameters.get("memory") in ("aligned", "rect", "two-cell")]
        if len({run.block for run in runs}) > 1:
            yield from _draw(
                "life-6.3", "Life: the shape of the block", facet, ("aligned", "rect", "two-cell"), True
            )


def techniques(material: Material) -> Iterator[Drawing]:
    for facet in _facets(material):
        yield from _draw("life-6.4", "Life: every memory technique", facet, TECHNIQUES, False)
