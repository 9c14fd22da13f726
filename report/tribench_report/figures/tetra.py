"""Figures 4, 5 and 6 of the tetrahedral paper, and the comparison that it lacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import style
from ..looks import GREY, Look, nth_look
from ..model import DEFAULT_CUTOFF, Run
from ..select import Facet, block_list, by_workload, facets, lines
from ..stats import ratio
from . import Drawing, Material
from .parts import BAND_NOTE, draw_improvement, draw_time, sizes, throttle_note


def _tetra(material: Material, fields: Sequence[str]) -> list[Facet]:
    runs = [r for r in material.runs if r.dimension == 3 and r.schedule in (None, "grid")]
    return facets(runs, fields)


def cutoff(material: Material) -> Iterator[Drawing]:
    """Figure 4: where to stop the recursion."""
    for facet in _tetra(material, ("engine", "block_name", "layout", "workload")):
        runs = [run for run in facet.runs if run.strategy == "dp-tetra" and run.cutoff]
        cuts = sorted({run.cutoff for run in runs if run.cutoff})
        if len(cuts) < 2:
            continue
        picture = style.canvas(1, "dp-tetra: time over N for each cut-off n_c", width=5.6, height=3.4)
        axes = picture.axes[0]
        baseline = [run for run in facet.runs if run.strategy == "bb-tetra"]
        if baseline:
            draw_time(axes, "bb-tetra", baseline, Look(GREY, "", "--"))
        for place, cut in enumerate(cuts):
            draw_time(axes, f"n_c = {cut}", [run for run in runs if run.cutoff == cut], nth_look(place))
        style.log_n_axis(axes, sizes(runs))
        style.log_value_axis(axes, "time [ms]")
        style.legend(picture)
        yield Drawing(f"tetra-4{facet.suffix}", picture, [facet.words, BAND_NOTE, throttle_note(runs)])


def _best_cutoff(runs: Sequence[Run]) -> list[Run]:
    """The paper's n_c where it was measured, else the largest one: each line must have a single n_c."""
    cuts = {run.cutoff for run in runs if run.cutoff}
    chosen = DEFAULT_CUTOFF if DEFAULT_CUTOFF in cuts else max(cuts, default=None)
    return [run for run in runs if run.cutoff in (None, chosen)]


def block(material: Material) -> Iterator[Drawing]:
    """Figure 5: the choice of the block."""
    for facet in _tetra(material, ("engine", "layout", "workload")):
        runs = _best_cutoff([run for run in facet.runs if run.strategy == "dp-tetra"])
        names = block_list(runs)
        if len(names) < 2:
            continue
        picture = style.canvas(1, "dp-tetra: time over N for each block size", width=5.6, height=3.4)
        axes = picture.axes[0]
        for place, name in enumerate(names):
            draw_time(axes, name, [run for run in runs if run.block_name == name], nth_look(place))
        style.log_n_axis(axes, sizes(runs))
        style.log_value_axis(axes, "time [ms]")
        style.legend(picture)
        words = [
            facet.words,
            f"n_c = {runs[0].cutoff}" if runs[0].cutoff else "",
            BAND_NOTE,
            throttle_note(runs),
        ]
        yield Drawing(f"tetra-5{facet.suffix}", picture, words)


def acceleration(material: Material) -> Iterator[Drawing]:
    """Figure 6: T_BB / T over N, for every 3D strategy at the paper's cut-off."""
    for facet in _tetra(material, ("engine", "block_name", "layout")):
        runs = _best_cutoff([r for r in facet.runs if r.kernel in (None, "cell")])
        panels = {w: found for w, found in by_workload(runs).items() if _has_rival(found, material)}
        if not panels:
            continue
        picture = style.canvas(
            len(panels), "Acceleration over the bounding box, T_BB / T", width=4.6, height=3.0
        )
        for axes, (workload, found) in zip(picture.axes, panels.items()):
            axes.set_title(workload)
            draw_improvement(axes, lines(found), material.improvements)
            axes.set_ylabel("T_BB / T")
        style.legend(picture)
        cuts = {run.cutoff for run in runs if run.cutoff}
        words = [facet.words, f"n_c = {cuts.pop()}" if cuts else "", BAND_NOTE, throttle_note(runs)]
        yield Drawing(f"tetra-6{facet.suffix}", picture, words)


def _has_rival(runs: Sequence[Run], material: Material) -> bool:
    return any(not run.is_baseline and material.improvements.of(run) is not None for run in runs)


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
        for place, cut in enumerate(cuts):
            looks = nth_look(place)
            pair = {s: [r for r in runs if r.strategy == s and r.cutoff == cut] for s in of}
            draw_time(left, f"dp-tetra, n_c = {cut}", pair["dp-tetra"], looks)
            draw_time(left, f"rec-tetra, n_c = {cut}", pair["rec-tetra"], Look(looks.colour, "", "--"))
            rec = {r.n: r.time for r in pair["rec-tetra"] if r.time}
            found = {r.n: ratio(r.time, rec[r.n]) for r in pair["dp-tetra"] if r.time and r.n in rec}
            style.draw_line(right, "", looks, sorted(found.items(), key=lambda point: point[0]))
        left.set_title("Time")
        style.log_n_axis(left, sizes(runs))
        style.log_value_axis(left, "time [ms]")
        right.set_title("T(dp-tetra) / T(rec-tetra)")
        style.log_n_axis(right, sizes(runs))
        style.log_value_axis(right, "ratio")
        style.even_line(right)
        style.legend(picture)
        yield Drawing(f"tetra-host{facet.suffix}", picture, [facet.words, BAND_NOTE, throttle_note(runs)])
