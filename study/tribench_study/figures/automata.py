"""Figures 6.2 to 6.4 of the cellular-automata texts: life, one line per memory technique; and the techniques beyond."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from tribench_report import scales, style
from tribench_report.figures import Drawing, Material
from tribench_report.figures.parts import BAND_NOTE, GREY_NOTE, draw_over_n, finished, rate, sizes, within
from tribench_report.looks import nth_look
from tribench_report.model import Run
from tribench_report.select import Facet, facets, plain_lines, strategy_rank
from tribench_report.stats import Interval

SQUARE = ("conditional", "halo", "shared", "aligned")
TEXT = (*SQUARE, "rect", "two-cell")
OURS = ("two-generation", "strip")
PAPER_N = (160, 1600)
GPU = "GTX 285"
# A published line: the label of our line that it is a share of, that share, and the name of the published technique.
Published = tuple[str, float, str]
Groups = dict[str, list[Run]]


def _is_technique(run: Run) -> bool:
    """
    Whether a run shows a memory technique. conditional and halo mean one cell per thread, so their loop kernels do not
    count; for the other techniques the cpu engine has only loop kernels.
    """
    memory = run.parameters.get("memory")
    return bool(memory) and (run.kernel != "loop" or memory not in ("conditional", "halo"))


def by_technique(material: Material, workload: str, *fields: str) -> list[Facet]:
    """One facet per strategy, domain and the other fields, so that only the technique varies within a picture."""
    runs = [run for run in material.runs if run.workload == workload and _is_technique(run)]
    found = facets(runs, ("engine", "domain", *fields, "strategy", "layout", "cache"))
    return sorted(found, key=lambda facet: strategy_rank(facet.runs[0].strategy))


def _facets(material: Material) -> list[Facet]:
    return by_technique(material, "life", "cell")


def memory_of(run: Run) -> str:
    return str(run.parameters["memory"])


def _one_block(runs: Sequence[Run], techniques: Sequence[str]) -> Groups:
    """
    One line per technique: in 16x16 blocks if measured, else in the block with the most runs, which its label names.
    """
    found: Groups = {}
    for memory in techniques:
        mine = [run for run in runs if memory_of(run) == memory]
        blocks = [run.block_name for run in mine]
        if blocks:
            block = "16x16" if "16x16" in blocks else max(sorted(set(blocks)), key=blocks.count)
            found |= line_in_block([run for run in mine if run.block_name == block], memory)
    return found


def line_in_block(runs: Sequence[Run], *words: str) -> Groups:
    """
    The plainest line of one technique in one block; its label names block and tile if they are not the usual ones.
    """
    line = plain_lines(runs)[0].runs
    block, tile = line[0].block_name, line[0].tile
    odd = [] if block == "16x16" else [block]
    odd += [f"tile {tile}"] if tile not in (None, line[0].block[0]) or odd else []
    return {", ".join([*words, *odd]): line}


def _draw(
    name: str, title: str, facet: Facet, groups: Groups, texts: Sequence[Published], note: str
) -> Drawing:
    runs = [run for members in groups.values() for run in members]
    picture = style.canvas(2, title, width=4.2, height=3.2)
    left, right = picture.axes
    times = draw_times_and_rates(left, right, groups)
    told = [text for text in texts if text[0] in times and len(sizes(runs)) > 1]
    for label, share, what in told:
        _draw_text(left, dict(times[label]), share, what)
    shares = ", ".join([GPU, *(f"{what} {share:.2f} of {of}" for of, share, what in told)])
    notes = [
        BAND_NOTE,
        "bandwidth: each cell read once and written once per generation",
        f"{runs[0].generations} generations" if runs[0].parameters.get("steps") else "",
        GREY_NOTE.format(shares) if told else "",
        note,
    ]
    return finished(name, facet, picture, notes, runs)


def draw_times_and_rates(left: Axes, right: Axes, groups: Groups) -> dict[str, list[tuple[int, Interval]]]:
    """Draws both panels of a figure. Returns: the times as they are drawn."""
    runs = [run for members in groups.values() for run in members]
    unit, per_ms = _unit(runs)
    times = {
        label: [(r.n, r.time.times(per_ms / r.generations)) for r in members if r.time]
        for label, members in groups.items()
    }
    rates = {label: [(r.n, g) for r in members if (g := rate(r))] for label, members in groups.items()}
    once = "generation" if runs[0].parameters.get("steps") else "run"
    _panel(left, f"(a) Time per {once}", f"time [{unit}]", times)
    _panel(right, "(b) Bandwidth", "GB/s", rates)
    if len(sizes(runs)) > 1:
        scales.rate_axis(right)
    return times


def _panel(axes: Axes, title: str, value: str, points: dict[str, list[tuple[int, Interval]]]) -> None:
    axes.set_title(title)
    ns = draw_over_n(axes, points, {label: nth_look(place) for place, label in enumerate(points)}, f"{value} ")
    if len(ns) != 1:
        axes.set_ylabel(value)
        axes.set_ylim(bottom=0.0)
        scales.linear_n_axis(axes, ns)


def _draw_text(axes: Axes, base: dict[int, Interval], share: float, what: str) -> None:
    """Draws a published time as a share of our line: the text's own times are from another GPU."""
    ns = sorted(base)
    style.published_line(axes, what, ns, [base[n].value * share for n in ns])
    style.make_room_for_published(axes, ns[-1], 0.4)


def _unit(runs: Sequence[Run]) -> tuple[str, float]:
    """
    The unit of time, and its number per millisecond: microseconds if every generation takes less than 0.1 ms, so that
    the ticks have no leading zeros.
    """
    longest = max(run.time.value / run.generations for run in runs if run.time)
    return ("us", 1000.0) if longest < 0.1 else ("ms", 1.0)


def shared(material: Material) -> Iterator[Drawing]:
    for facet in _facets(material):
        runs, note = within(facet.runs, *PAPER_N)
        groups = _one_block(runs, SQUARE)
        if len(groups) > 1:
            texts = [("halo", 0.70, "shared")]
            yield _draw("life-6.2", "Life: global, shared and aligned memory", facet, groups, texts, note)


def _shapes(runs: Sequence[Run]) -> Groups:
    """Lines that differ only in the shape of the block, for the technique, tile and kernel with the most shapes."""
    kinds: dict[tuple[str, int | str, str, int], dict[str, list[Run]]] = {}
    for run in runs:
        threads = run.block[0] * run.block[1]
        kind = kinds.setdefault((memory_of(run), run.tile or 0, run.kernel or "", threads), {})
        kind.setdefault(run.block_name, []).append(run)
    shared_memory = {kind: found for kind, found in kinds.items() if kind[0] in ("shared", "aligned", "two-cell")}
    one = {kind: found for kind, found in shared_memory.items() if kind[0] != "two-cell" and len(found) > 1}
    if not one:
        return {}
    memory, tile, kernel, threads = max(one, key=lambda kind: (len(one[kind]), kind[0] == "aligned", str(kind)))
    groups = {block: plain_lines(mine)[0].runs for block, mine in _by_width(one[memory, tile, kernel, threads])}
    two = shared_memory.get(("two-cell", tile, kernel, threads), {})
    groups |= {f"two cells, {block}": plain_lines(mine)[0].runs for block, mine in _by_width(two)}
    return groups


def _by_width(shapes: dict[str, list[Run]]) -> list[tuple[str, list[Run]]]:
    return sorted(shapes.items(), key=lambda item: item[1][0].block)


def shapes(material: Material) -> Iterator[Drawing]:
    for facet in _facets(material):
        runs, note = within(facet.runs, *PAPER_N)
        groups = _shapes(runs)
        if groups:
            one = next(iter(groups.values()))[0]
            words = f"{memory_of(one)}, tile {one.tile}, {one.block[0] * one.block[1]} threads for all"
            texts = [("16x16", 0.80, "64x4")]
            title = "Life: the shape of the block, and two cells per thread"
            yield _draw("life-6.3", title, facet, groups, texts, ", ".join(filter(None, (words, note))))


def techniques(material: Material) -> Iterator[Drawing]:
    for facet in _facets(material):
        runs, note = within(facet.runs, *PAPER_N)
        groups = _one_block(runs, TEXT)
        # With only the four techniques of figure 6.2, this would be the same figure.
        if set(groups) - set(SQUARE) and len(groups) > 1:
            texts = [("halo", 0.70, "shared"), ("halo", 0.35, "all together")]
            yield _draw("life-6.4", "Life: every memory technique of the texts", facet, groups, texts, note)


def beyond(material: Material) -> Iterator[Drawing]:
    """The techniques that the texts did not have, beside the simplest and the best of those that they had."""
    for facet in _facets(material):
        if any(memory_of(run) in OURS for run in facet.runs):
            groups = _one_block(facet.runs, ("halo", "rect", "two-cell", *OURS))
            if len(groups) > 1:
                yield _draw("life-more", "Life: beyond the texts, kernels for larger tiles", facet, groups, [], "")
