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
    package: str = __name__

    def draw(self, material: Material) -> Iterator[Drawing]:
        module, function = self.place.split(".")
        found: Callable[[Material], Iterator[Drawing]] = getattr(import_module(f"{self.package}.{module}"), function)
        return found(material)


CATALOGUE = (
    Figure("overview", "I over N, one line per strategy, one panel per workload", "overview.overview"),
    Figure("time", "time per cell over N on log axes", "scaling.time"),
    Figure("bandwidth", "bandwidth over N on log axes, with the measured peaks", "scaling.bandwidth"),
    Figure("energy", "joules over time per launch, a point per strategy (tribench --energy)", "energy.energy"),
    Figure("ranks", "speed-up and efficiency over the ranks that share a domain (scripts/scaling)", "ranks.ranks"),
    Figure("roofline", "operations per second over operations per byte, a look per strategy", "roofline.roofline"),
    Figure("heatmap", "strategies by workloads, I at the largest N", "overview.heatmap"),
    Figure("tetra-maps", "I over N in 3D with a thread per cell, one panel per workload", "overview.tetra_cells"),
    Figure("tetra-maps-tile", "the same with kernels for tiles", "overview.tetra_tiles"),
    Figure("tetra-energy", "nanojoules over time per cell of maps of tetrahedra (tribench --energy)", "energy.tetra"),
)
