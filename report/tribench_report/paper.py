"""What the papers measured, to set beside what was measured here; the figures are theirs, in their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .improve import Improvements
from .model import DEFAULT_CUTOFF, Run
from .select import plain_lines

TRIANGLE = "Navarro and Hitschfeld, triangular domains"
TETRA = "tetrahedral domains with dynamic parallelism"
GEMS = "GPU Gems cellular automata, chapter 6"
THESIS = "cellular automata, thesis"

# I on a GTX 680 by strategy, for the kernel that only maps and for the distance matrix.
GTX_680 = {
    "ltm-x": ("0.7", "–"),
    "ltm-n": ("1.03", "–"),
    "ltm-r": ("1.13 to 1.15", "1.12 to 1.15"),
    "rb": ("up to 1.25", "1.14 on average"),
    "rec": ("below 1", "1.05 at N = 30,720"),
    "utm": ("below 1", "slowest of all"),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A published figure, and how the same figure is read off the runs at hand; '' when they lack it."""

    source: str
    gpu: str
    what: str
    published: str
    ours: Callable[[Sequence[Run], Improvements], str]


def _at_largest(runs: Sequence[Run], improvements: Improvements) -> str:
    found = [(run.n, i) for run in runs if (i := improvements.of(run)) is not None]
    if not found:
        return ""
    n, value = max(found, key=lambda point: point[0])
    return f"{value.value:.2f} at N = {n:,}"


def _improvement(strategy: str, workload: str) -> Callable[[Sequence[Run], Improvements], str]:
    def ours(runs: Sequence[Run], improvements: Improvements) -> str:
        mine = [r for r in runs if r.workload == workload and r.dimension == 2 and r.engine == "cuda"]
        line = [
            line
            for line in plain_lines([r for r in mine if r.block_name == "16x16"])
            if line.strategy == strategy
        ]
        return _at_largest(line[0].runs, improvements) if line else ""

    return ours


def _range_above(strategy: str, n: int) -> Callable[[Sequence[Run], Improvements], str]:
    def ours(runs: Sequence[Run], improvements: Improvements) -> str:
        mine = [
            r
            for r in runs
            if r.strategy == strategy
            and r.workload == "write"
            and r.block_name == "8x8x8"
            and r.engine == "cuda"
        ]
        values = [
            i.value
            for r in mine
            if n < r.n <= 512 and r.cutoff in (None, DEFAULT_CUTOFF) and (i := improvements.of(r))
        ]
        return f"{min(values):.2f} to {max(values):.2f}" if values else ""

    return ours


def _change(before: tuple[str, str], after: tuple[str, str]) -> Callable[[Sequence[Run], Improvements], str]:
    """Percent of time that one memory technique saves over another, at the largest N of both."""

    def ours(runs: Sequence[Run], improvements: Improvements) -> str:
        life = [r for r in runs if r.workload == "life" and r.time and r.engine == "cuda"]
        life = [r for r in life if r.parameters.get("cell") in (None, "u32")]
        square = [r for r in life if r.parameters.get("domain") == "square"]
        sides: list[dict[tuple[object, ...], Run]] = []
        for memory, block in (before, after):
            chosen = [r for r in square or life if r.parameters.get("memory") == memory and r.block_name == block]
            sides.append({(r.strategy, r.parameters.get("domain"), r.generations, r.n): r for r in chosen})
        common = [place for place in sides[0] if place in sides[1]]
        if not common:
            return ""
        place = max(common, key=lambda p: sides[0][p].n)
        old, new = sides[0][place].time, sides[1][place].time
        assert old is not None and new is not None
        domain = "square" if sides[0][place].parameters.get("domain") == "square" else "triangle"
        return f"{100.0 * (new.value / old.value - 1.0):+.0f} % of the time at N = {sides[0][place].n:,} ({domain})"

    return ours


def claims() -> list[Claim]:
    gtx = "GTX 680"
    found = [
        Claim(TRIANGLE, gtx, f"I of {strategy}, dummy", dummy, _improvement(strategy, "dummy"))
        for strategy, (dummy, _) in GTX_680.items()
    ]
    found += [
        Claim(
            TRIANGLE, gtx, f"I of {strategy}, EDM (ours: {workload})", edm, _improvement(strategy, workload)
        )
        for strategy, (_, edm) in GTX_680.items()
        if edm != "–"
        for workload in ("edm1", "edm4")
    ]
    cards = (
        ("Tesla K40c", "0.7 to 0.9"),
        ("GTX 1050 Ti", "0.7 to 0.8"),
        ("Titan X", "0.6 to 0.7"),
        ("Tesla V100", "2.4 to 3.1"),
    )
    found += [
        Claim(TETRA, gpu, "dp-tetra over bb-tetra, 256 < N <= 512", value, _range_above("dp-tetra", 256))
        for gpu, value in cards
    ]
    square, wide = "16x16", "64x4"
    found += [
        Claim(
            GEMS,
            "GTX 285",
            "shared instead of global memory",
            "-30 %",
            _change(("halo", square), ("shared", square)),
        ),
        Claim(GEMS, "GTX 285", "64x4 blocks", "-20 %", _change(("aligned", square), ("rect", wide))),
        Claim(GEMS, "GTX 285", "two cells per thread", "-35 %", _change(("rect", wide), ("two-cell", wide))),
        Claim(GEMS, "GTX 285", "all together", "about -65 %", _change(("halo", square), ("two-cell", wide))),
        Claim(
            THESIS,
            "GTX 285",
            "halo instead of conditionals",
            "-18 %",
            _change(("conditional", square), ("halo", square)),
        ),
        Claim(THESIS, "GTX 285", "shared memory", "-30 %", _change(("halo", square), ("shared", square))),
        Claim(
            THESIS, "GTX 285", "128-byte alignment", "-8 %", _change(("shared", square), ("aligned", square))
        ),
        Claim(THESIS, "GTX 285", "64x4 blocks", "-16 %", _change(("aligned", square), ("rect", wide))),
        Claim(
            THESIS, "GTX 285", "two cells per thread", "-44 %", _change(("aligned", square), ("two-cell", wide))
        ),
    ]
    return found
