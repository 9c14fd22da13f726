"""Every figure that can be drawn; each is drawn only when its data is there.

A figure names its function instead of importing it: --help and --list neither wait for matplotlib nor need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from ..improve import Improvements
from ..model import Run
from ..study import Study

if TYPE_CHECKING:
    from ..style import Canvas


@dataclass(slots=True)
class Drawing:
    """
    A picture, its file's name, the notes that its caption adds to the common words, and the runs that it shows: the
    caption names their devices, builds and days.
    """

    name: str
    picture: Canvas
    notes: list[str]
    runs: Sequence[Run]
    caption: str = ""  # the caption's text, once it is written


@dataclass(slots=True)
class Material:
    """The data that a figure draws from."""

    study: Study
    runs: list[Run]
    improvements: Improvements


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    summary: str
    place: str

    def draw(self, material: Material) -> Iterator[Drawing]:
        module, function = self.place.split(".")
        found: Callable[[Material], Iterator[Drawing]] = getattr(
            import_module(f".{module}", __name__), function
        )
        return found(material)


CATALOGUE = (
    Figure("overview", "I over N, one line per strategy, one panel per workload", "overview.overview"),
    Figure("triangle-3", "LTM-X, -N, -R over bb; wasted blocks over N", "triangle.roots"),
    Figure("triangle-5", "I over N for dummy, edm1, edm4; I over features", "triangle.strategies"),
    Figure("time", "time per cell over N on log axes", "scaling.time"),
    Figure("bandwidth", "bandwidth over N on log axes, with the measured peaks", "scaling.bandwidth"),
    Figure("energy", "joules over time per launch, a point per strategy (tribench --energy)", "energy.energy"),
    Figure("ranks", "speed-up and efficiency over the ranks that share a domain (scripts/scaling)", "ranks.ranks"),
    Figure("roofline", "operations per second over operations per byte, a look per strategy", "roofline.roofline"),
    Figure("heatmap", "strategies by workloads, I at the largest N", "overview.heatmap"),
    Figure("tetra-4", "dp-tetra: time over N for each cut-off n_c", "tetra.cutoff"),
    Figure("tetra-5", "dp-tetra: time over N for each block size", "tetra.block"),
    Figure("tetra-6", "dp-tetra: acceleration over bb-tetra over N, one line per GPU", "tetra.acceleration"),
    Figure("gpus", "I over N on each GPU, one panel per strategy", "gpus.gpus"),
    Figure("tetra-host", "dp-tetra against rec-tetra: the same boxes from device and host", "tetra.host"),
    Figure("tetra-maps", "I over N in 3D with a thread per cell, one panel per workload", "overview.tetra_cells"),
    Figure("tetra-maps-tile", "the same with kernels for tiles", "overview.tetra_tiles"),
    Figure("tetra-energy", "nanojoules over time per cell of maps of tetrahedra (tribench --energy)", "energy.tetra"),
    Figure("life-6.2", "life: global, shared and aligned memory", "automata.shared"),
    Figure("life-6.3", "life: the shape of the block alone, for one and two cells per thread", "automata.shapes"),
    Figure("life-6.4", "life: every memory technique of the texts", "automata.techniques"),
    Figure("life-more", "life: techniques that the texts did not have", "automata.beyond"),
    Figure("thesis-5.20", "blur: every memory technique, beside figure 5.21 of the thesis", "thesis.blur"),
    Figure("thesis-5.23", "dog: every memory technique, and packed data", "thesis.difference"),
    Figure("thesis-5.25", "extrema: every memory technique", "thesis.extrema"),
    Figure("thesis-6.4", "water: every memory technique, beside table 6.2 of the thesis", "thesis.water"),
)
