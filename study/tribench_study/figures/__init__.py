"""The figures of the papers, and of several GPUs side by side, beside those that tribench-report draws."""

from __future__ import annotations

from functools import partial

from tribench_report import figures

_figure = partial(figures.Figure, package=__name__)

CATALOGUE = (
    *figures.CATALOGUE,
    _figure("triangle-3", "LTM-X, -N, -R over bb; wasted blocks over N", "triangle.roots"),
    _figure("triangle-5", "I over N for dummy, edm1, edm4; I over features", "triangle.strategies"),
    _figure("tetra-4", "dp-tetra: time over N for each cut-off n_c", "tetra.cutoff"),
    _figure("tetra-5", "dp-tetra: time over N for each block size", "tetra.block"),
    _figure("tetra-6", "dp-tetra: acceleration over bb-tetra over N, one line per GPU", "tetra.acceleration"),
    _figure("gpus", "I over N on each GPU, one panel per strategy", "gpus.gpus"),
    _figure("tetra-host", "dp-tetra against rec-tetra: the same boxes from device and host", "tetra.host"),
    _figure("life-6.2", "life: global, shared and aligned memory", "automata.shared"),
    _figure("life-6.3", "life: the shape of the block alone, for one and two cells per thread", "automata.shapes"),
    _figure("life-6.4", "life: every memory technique of the texts", "automata.techniques"),
    _figure("life-more", "life: techniques that the texts did not have", "automata.beyond"),
    _figure("thesis-5.20", "blur: every memory technique, beside figure 5.21 of the thesis", "thesis.blur"),
    _figure("thesis-5.23", "dog: every memory technique, and packed data", "thesis.difference"),
    _figure("thesis-5.25", "extrema: every memory technique", "thesis.extrema"),
    _figure("thesis-6.4", "water: every memory technique, beside table 6.2 of the thesis", "thesis.water"),
)
