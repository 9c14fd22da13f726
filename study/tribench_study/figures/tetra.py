"""Figures 4, 5 and 6 of the tetrahedral paper, and the comparison that it lacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from tribench_report import scales, style
from tribench_report.figures import Drawing, Material
from tribench_report.figures.parts import (
    BAND_NOTE,
    FACTOR,
    GREY_NOTE,
    baseline_words,
    draw_factors,
    draw_series,
    factors,
    finished,
    is_over_published,
    plain_times,
    sizes,
    within,
)
from tribench_report.looks import GREY, Look, nth_look
from tribench_report.model import DEFAULT_CUTOFF, Run
from tribench_report.select import Facet, block_list, facets, group, plain_lines
from tribench_report.stats import Interval, ratio

PAPER_N = (1, 512)
Points = list[tuple[int, Interval]]
BEST_CUTOFF = "published: n_c = 128 is the best on a GTX 1050 Ti and a Tesla K40c"
# Published accelerations of dp-tetra: from, to, the N from which they hold, and a label height without overlap.
PUBLISHED = {
    "Tesla V100": (2.4, 3.1, 256, 2.75),
    "Tesla K40c": (0.7, 0.9, 140, 0.9),
    "GTX 1050 Ti": (0.7, 0.8, 128, 0.75),
    "Titan X": (0.6, 0.7, 220, 0.6),
}


def _is_plain(run: Run) -> bool:
    return run.schedule in (None, "grid") and run.kernel in (None, "cell")


def _tetra(material: Material, fields: Sequence[str]) -> list[Facet]:
    runs = [r for r in material.runs if r.dimension == 3 and r.schedule in (None, "grid")]
    return facets(runs, fields)


def cutoff(material: Material) -> Iterator[Drawing]:
    """Figure 4: where to stop the recursion."""
    for facet in _tetra(material, ("engine", "block_name", "layout", "workload")):
        mine, note = within(facet.runs, *PAPER_N)
        runs = [run for run in mine if run.strategy == "dp-tetra" and run.cutoff]
        cuts = sorted({run.cutoff for run in runs if run.cutoff})
        if len(cuts) < 2:
            continue
        picture = style.canvas(1, "dp-tetra: time over N for each cut-off n_c", width=5.6, height=3.4)
        ns = sizes(runs)
        points = {"bb-tetra": plain_times([run for run in mine if run.strategy == "bb-tetra" and run.n in ns])}
        points |= {f"n_c = {cut}": plain_times([run for run in runs if run.cutoff == cut]) for cut in cuts}
        looks = {"bb-tetra": Look(GREY, "", "--"), **{f"n_c = {cut}": nth_look(k) for k, cut in enumerate(cuts)}}
        draw_series(picture.axes[0], points, looks, "time [ms]")
        yield finished("tetra-4", facet, picture, [BEST_CUTOFF, BAND_NOTE, note], runs)


def _best_cutoff(runs: Sequence[Run]) -> list[Run]:
    """Keeps the paper's n_c if it was measured, else the largest one: each line must have a single n_c."""
    cuts = {run.cutoff for run in runs if run.cutoff}
    chosen = DEFAULT_CUTOFF if DEFAULT_CUTOFF in cuts else max(cuts, default=None)
    return [run for run in runs if run.cutoff in (None, chosen)]


def block(material: Material) -> Iterator[Drawing]:
    """Figure 5: the choice of the block."""
    for facet in _tetra(material, ("engine", "layout", "workload")):
        mine, note = within(facet.runs, *PAPER_N)
        runs = _best_cutoff([run for run in mine if run.strategy == "dp-tetra"])
        names = block_list(runs)
        if len(names) < 2:
            continue
        picture = style.canvas(1, "dp-tetra: time over N for each block size", width=5.6, height=3.4)
        points = {name: plain_times([run for run in runs if run.block_name == name]) for name in names}
        looks = {name: nth_look(place) for place, name in enumerate(names)}
        draw_series(picture.axes[0], points, looks, "time [ms]")
        words = [
            f"n_c = {runs[0].cutoff}" if runs[0].cutoff else "",
            "published: 8 is the best block on all of four GPUs",
            BAND_NOTE,
            note,
        ]
        yield finished("tetra-5", facet, picture, words, runs)


def acceleration(material: Material) -> Iterator[Drawing]:
    """Figure 6: T_BB / T over N of dp-tetra at the paper's cut-off, one line per GPU, the published ones in grey."""
    runs = [r for r in material.runs if r.dimension == 3 and r.strategy == "dp-tetra" and _is_plain(r)]
    for facet in facets(runs, ("engine", "block_name", "layout", "workload"), by_device=False):
        mine, note = within(_best_cutoff(facet.runs), *PAPER_N)
        lines = {device: plain_lines(found)[0].runs for device, found in group(mine, lambda run: run.device).items()}
        points = {device: factors(found, material.improvements) for device, found in lines.items()}
        shown = [run for found in lines.values() for run in found]
        if not any(points.values()):
            continue
        is_over_bb = is_over_published(shown, material.improvements)
        factor = "T_BB / T" if is_over_bb else FACTOR
        title = f"dp-tetra: acceleration over {baseline_words(shown, material.improvements)}, {factor}"
        picture = style.canvas(1, title, width=6.4, height=3.6)
        axes = picture.axes[0]
        draw_factors(axes, points, {device: nth_look(k) for k, device in enumerate(points)})
        in_grey = is_over_bb and len(sizes(shown)) > 1
        if in_grey:
            _published(axes)
            axes.set_ylabel(factor)
        cuts = {run.cutoff for run in shown if run.cutoff}
        words = [f"n_c = {cuts.pop()}" if cuts else ""]
        words += [GREY_NOTE.format("N from where it is constant") if in_grey else "", note, BAND_NOTE]
        yield finished("tetra-6", facet, picture, words, shown, material.improvements)


def _published(axes: Axes) -> None:
    for gpu, (low, high, first, at) in PUBLISHED.items():
        style.published(axes, f"{gpu}: {low:g} to {high:g}", low, high, (first, PAPER_N[1]), at)
    style.make_room_for_published(axes, PAPER_N[1], 0.3)
    bottom, top = axes.get_ylim()
    axes.set_ylim(min(bottom, 0.5), max(top, 3.3))


def host(material: Material) -> Iterator[Drawing]:
    """The same boxes launched from the device and from the host: what dynamic parallelism costs."""
    for facet in _tetra(material, ("engine", "block_name", "layout", "workload")):
        runs = [run for run in facet.runs if run.strategy in ("dp-tetra", "rec-tetra")]
        of = {s: {r.cutoff for r in runs if r.strategy == s} for s in ("dp-tetra", "rec-tetra")}
        cuts = sorted(cut for cut in of["dp-tetra"] & of["rec-tetra"] if cut)
        if not cuts:
            continue
        picture = style.canvas(
            2, "The same boxes, launched from the device and from the host", width=4.2, height=3.2
        )
        left, right = picture.axes
        looks: dict[str, Look] = {}
        times: dict[str, Points] = {}
        ratios: dict[str, Points] = {}
        for place, cut in enumerate(cuts):
            device, from_host = f"dp-tetra, n_c = {cut}", f"rec-tetra, n_c = {cut}"
            looks[device] = nth_look(place)
            looks[from_host] = Look(looks[device].colour, "", "--", hollow=len(sizes(runs)) == 1)
            for label, name in ((device, "dp-tetra"), (from_host, "rec-tetra")):
                times[label] = plain_times([run for run in runs if run.strategy == name and run.cutoff == cut])
            rec = dict(times[from_host])
            ratios[device] = [(n, ratio(time, rec[n])) for n, time in times[device] if n in rec]
        left.set_title("Time")
        draw_series(left, times, looks, "time [ms]")
        right.set_title("T(dp-tetra) / T(rec-tetra)")
        scales.even_line(right, across=draw_series(right, ratios, looks, "ratio"))
        yield finished("tetra-host", facet, picture, [BAND_NOTE], runs)
