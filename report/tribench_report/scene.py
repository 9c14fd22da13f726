"""The layout of a picture of a map: the launched grids, and the domain with the block of each place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import ReportError
from .strict import parse, read_bytes

Place = tuple[int, int, int]
GAP = 1.0  # [cells] between slices and between launches
LABEL = 0.9  # [cells] above a launch or a slice


@dataclass(frozen=True, slots=True)
class Launch:
    """
    One grid: its depth in a tree, its blocks, its elements (blocks, or threads if the map works per thread), and the
    places of each element, x first.
    """

    generation: int
    grid: Place
    elements: Place
    places: list[list[Place]]


@dataclass(frozen=True, slots=True)
class SmallMap:
    """The output of `tribench --show --format json` for one strategy at one n."""

    strategy: str
    dimension: int
    maps: str
    n: int
    tree: bool
    blocks: int
    wasted: int
    launches: list[Launch]

    @property
    def words(self) -> str:
        wasted = f"{self.wasted:,} of them wasted" if self.wasted else "none of them wasted"
        launches = f" in {len(self.launches)} launches" if len(self.launches) > 1 else ""
        unit = "tiles" if self.maps == "block" else "cells"
        blocks = "1 block" if self.blocks == 1 else f"{self.blocks:,} blocks"
        return f"{self.strategy}, n = {self.n} {unit}: {blocks}{launches}, {wasted}{self._idle}"

    @property
    def _idle(self) -> str:
        """The number of idle threads: a block of threads may be needed for a few of them only."""
        if self.maps == "block":
            return ""
        threads = [places for launch in self.launches for places in launch.places]
        return f"; {sum(not places for places in threads):,} of {len(threads):,} threads idle"


MOST_N = 4096  # a map with more is no picture, and one of 2^31 slices would take all memory


def _whole(value: Any, low: int, high: int = 10**9) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{ascii(value)[:20]} is not a whole number in {low}..{high}")
    return value


def small_map_of(value: dict[str, Any]) -> SmallMap:
    """Errors: ValueError, KeyError, TypeError, IndexError where it is not what --show prints."""
    n, dimension, launches = _whole(value["n"], 1, MOST_N), _whole(value["dimension"], 2, 3), []
    for one in value["launches"]:
        grid, elements = ((_whole(x, 1), _whole(y, 1), _whole(z, 1)) for x, y, z in (one["grid"], one["elements"]))
        places = [[(_whole(x, 0, n), _whole(y, 0, n), _whole(z, 0, n)) for x, y, z in found] for found in one["places"]]
        if len(places) != elements[0] * elements[1] * elements[2]:
            raise ValueError("a launch lacks elements")
        if elements[0] < grid[0]:
            raise ValueError("a launch has fewer elements than blocks")
        launches.append(Launch(_whole(one["generation"], 0), grid, elements, places))
    if not launches:
        raise ValueError("a map without launches")
    counts = _whole(value["blocks"], 0, 2**63), _whole(value["blocks_wasted"], 0, 2**63)
    return SmallMap(str(value["strategy"]), dimension, str(value["maps"]), n, bool(value["tree"]), *counts, launches)


def read(names: list[str]) -> list[SmallMap]:
    """The maps of several files of --show --format json; - is standard input."""
    found: list[SmallMap] = []
    for name in names:
        try:
            found += map(small_map_of, parse(name, read_bytes(Path(name)).decode("utf-8")))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as problem:
            raise ReportError(f"{name}: not what tribench --show --format json prints: {problem}") from None
    return found


@dataclass(frozen=True, slots=True)
class Block:
    """One element of a grid, drawn as a square of side 1 with its corner at (x, y)."""

    x: float
    y: float
    launch: int
    element: Place
    colour: int  # the block's number in launch order
    places: list[Place]


@dataclass(frozen=True, slots=True)
class Tile:
    """One place of the domain, drawn likewise; block: the element that works on it."""

    x: float
    y: float
    place: Place
    block: int


@dataclass(slots=True)
class Scene:
    """
    All parts of a picture, y downwards. Lines separate the places of different launches, or of different thread blocks.
    """

    small_map: SmallMap
    blocks: list[Block] = field(default_factory=list)
    tiles: list[Tile] = field(default_factory=list)
    labels: list[tuple[float, float, str]] = field(default_factory=list)
    headings: list[tuple[float, float, str]] = field(default_factory=list)
    lines: list[tuple[float, float, float, float]] = field(default_factory=list)
    colours: int = 0
    width: float = 0.0
    height: float = 0.0


def letter(launch: int) -> str:
    return chr(ord("A") + launch % 26)


def _size(of: Place) -> str:
    return " × ".join(str(side) for side in (of if of[2] > 1 else of[:2] if of[1] > 1 else of[:1]))


class _Builder:
    def __init__(self, small_map: SmallMap) -> None:
        self.map = small_map
        self.scene = Scene(small_map)
        self.is_3d = small_map.dimension == 3
        self.threads = small_map.maps == "thread"
        self.most = 72.0 if self.is_3d else max(17.0, small_map.n + 1.0)
        self.least = 5.0 if self.is_3d else 2.6  # [cells] a launch is at least as wide as its label

    def _wrap(self, launch: Launch) -> int:
        """The number of elements per row of a one-dimensional grid, which is too long for a single row."""
        if self.threads:
            return launch.elements[0] // launch.grid[0]
        return 24 if self.is_3d else self.map.n + 1

    def _shape(self, launch: Launch) -> tuple[float, float]:
        columns, rows, slices = launch.elements
        if rows * slices == 1:
            wrap = self._wrap(launch)
            return min(columns, wrap), -(-columns // wrap)
        return slices * (columns + GAP) - GAP, rows

    def _spot(self, launch: Launch, element: Place) -> tuple[float, float]:
        x, y, z = element
        if launch.elements[1] * launch.elements[2] == 1:
            return x % self._wrap(launch), x // self._wrap(launch)
        return x + z * (launch.elements[0] + GAP), y

    def _block_of(self, launch: Launch, element: Place) -> int:
        """The number of the block in its grid; a block of threads has several elements."""
        x, y, z = (e * g // n for e, g, n in zip(element, launch.grid, launch.elements))
        return (z * launch.grid[1] + y) * launch.grid[0] + x

    def _add_launch(self, number: int, left: float, top: float) -> None:
        launch = self.map.launches[number]
        columns, rows, _ = launch.elements
        first = self.scene.colours
        for index, places in enumerate(launch.places):
            element = (index % columns, index // columns % rows, index // (columns * rows))
            x, y = self._spot(launch, element)
            colour = first + self._block_of(launch, element)
            self.scene.blocks.append(Block(left + x, top + y, number, element, colour, places))
        self.scene.colours += launch.grid[0] * launch.grid[1] * launch.grid[2]

    def grids(self, top: float) -> tuple[float, float]:
        """
        Places all launches from left to right, in rows, with a new row per generation. Returns: right and lower end.
        """
        launches = self.map.launches
        order = sorted(range(len(launches)), key=lambda k: launches[k].generation)
        x = right = lower = 0.0
        generation = -1 if self.map.tree else 0
        for number in order:
            launch = launches[number]
            wide, high = self._shape(launch)
            if launch.generation > generation or (x > 0.0 and x + wide > self.most):
                x, top = 0.0, lower + GAP / 2.0 if x else top
            if launch.generation > generation:
                generation = launch.generation
                top += LABEL
                self.scene.labels.append((0.0, top - 0.2, f"generation {generation}"))
            labelled = self._label(number, x, top)
            self._add_launch(number, x, top + labelled)
            right, lower = max(right, x + wide), max(lower, top + labelled + high)
            x += max(wide, self.least) + GAP
        return right, lower

    def _label(self, number: int, x: float, top: float) -> float:
        """Labels a launch if there are several, else the slices of the only one. Returns: the room that it takes."""
        launch = self.map.launches[number]
        if len(self.map.launches) > 1:
            size = _size(launch.elements if self.threads else launch.grid)
            self.scene.labels.append((x, top + LABEL - 0.2, f"{letter(number)}: {size}"))
        elif launch.elements[2] > 1:
            for z in range(launch.elements[2]):
                self.scene.labels.append((self._spot(launch, (0, 0, z))[0], top + LABEL - 0.2, f"z = {z}"))
        else:
            return 0.3
        return LABEL

    def _spots(self, left: float, top: float) -> Callable[[Place], tuple[float, float]]:
        """A function from a place of the domain to its position; in 3D slice z is a triangle with z + 1 columns."""
        if not self.is_3d:
            return lambda at: (left + at[0], top + 0.3 + at[1])
        starts = [left]
        for z in range(self.map.n):
            starts.append(starts[-1] + max(z + 1.0, 2.5) + GAP)  # at least as wide as its label
        return lambda at: (starts[at[2]] + at[0], top + LABEL + at[1])

    def domain(self, left: float, top: float) -> tuple[float, float]:
        """Adds the places, each with its block, and lines where the launch changes, or the thread block."""
        spot = self._spots(left, top)
        owners: dict[Place, int] = {}
        for number, block in enumerate(self.scene.blocks):
            for place in block.places:
                owners[place] = number
                self.scene.tiles.append(Tile(*spot(place), place, number))
        for place, owner in owners.items():
            self.scene.lines += self._edges(owners, place, owner, spot(place))
        if self.is_3d:
            for z in range(self.map.n):
                x, _ = spot((0, 0, z))
                self.scene.labels.append((x, top + LABEL - 0.2, f"z = {z}"))
        last = self.map.n - 1
        ends = [spot((last, 0, last)), spot((0, last, last))] if self.is_3d else [spot((last, last, 0))]
        return max(x for x, _ in ends) + 1.0, max(y for _, y in ends) + 1.0

    def _edges(
        self, owners: dict[Place, int], place: Place, owner: int, at: tuple[float, float]
    ) -> Iterator[tuple[float, float, float, float]]:
        blocks, (px, py, pz), (x, y) = self.scene.blocks, place, at

        def part(number: int) -> int:
            return blocks[number].colour if self.threads else blocks[number].launch

        right, below = owners.get((px + 1, py, pz)), owners.get((px, py + 1, pz))
        if right is not None and part(right) != part(owner):
            yield (x + 1, y, x + 1, y + 1)
        if below is not None and part(below) != part(owner):
            yield (x, y + 1, x + 1, y + 1)

    def block_lines(self) -> None:
        """Frames the blocks in a grid of threads."""
        if not self.threads:
            return
        corners: dict[int, list[Block]] = {}
        for block in self.scene.blocks:
            corners.setdefault(block.colour, []).append(block)
        for mine in corners.values():
            x0, y0 = min(b.x for b in mine), min(b.y for b in mine)
            x1, y1 = max(b.x for b in mine) + 1, max(b.y for b in mine) + 1
            self.scene.lines += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]


def scene_of(small_map: SmallMap) -> Scene:
    """The launched grids on the left, with the domain beside them, or below them in 3D."""
    builder = _Builder(small_map)
    scene, threads = builder.scene, builder.threads
    right, lower = builder.grids(0.7)
    only = small_map.launches[0]
    size = f": {_size(only.elements if threads else only.grid)}" if len(small_map.launches) == 1 else ""
    unit = "threads, blocks framed" if threads else "blocks"
    scene.headings.append((0.0, 0.5, f"launched: {size[2:]} {unit}" if size else f"launched: {unit}"))
    builder.block_lines()
    left, top = (0.0, lower + 1.8) if small_map.dimension == 3 else (max(right, 8.0) + 2.5, 0.7)
    what = "tetrahedron, slice by slice" if small_map.dimension == 3 else "triangle"
    scene.headings.append((left, top - 0.2, f"the {what}"))
    domain = builder.domain(left, top)
    scene.width, scene.height = max(right, domain[0], left + 6.0), max(lower, domain[1])
    return scene
