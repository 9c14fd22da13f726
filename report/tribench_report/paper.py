"""The results that the papers published, in their own words, for comparison with the results here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from .improve import Improvements
from .model import DEFAULT_CUTOFF, Run, time_ms
from .select import plain_lines

TRIANGLE = "Navarro and Hitschfeld, triangular domains"
TETRA = "tetrahedral domains with dynamic parallelism"
GEMS = "GPU Gems cellular automata, chapter 6"
THESIS = "cellular automata, thesis"

# I on a GTX 680 by strategy: for the kernel that only maps, and for the distance matrix.
GTX_680 = {
    "ltm-x": ("0.7", "–"),
    "ltm-n": ("1.03", "–"),
    "ltm-r": ("1.13 to 1.15", "1.12 to 1.15"),
    "rb": ("up to 1.25", "1.14 on average"),
    "rec": ("below 1", "1.05 at N = 30,720"),
    "utm": ("below 1", "slowest of all"),
}

# What a technique saves over another: where, the words, the figure, and both with their blocks.
HALO, SHARED, ALIGNED = ("halo", "16x16"), ("shared", "16x16"), ("aligned", "16x16")
RECT, TWO_CELL = ("rect", "64x4"), ("two-cell", "64x4")
TECHNIQUES = (
    (GEMS, "shared instead of global memory", "-30 %", HALO, SHARED),
    (GEMS, "64x4 blocks", "-20 %", ALIGNED, RECT),
    (GEMS, "two cells per thread", "-35 %", RECT, TWO_CELL),
    (GEMS, "all together", "about -65 %", HALO, TWO_CELL),
    (THESIS, "halo instead of conditionals", "-18 %", ("conditional", "16x16"), HALO),
    (THESIS, "shared memory", "-30 %", HALO, SHARED),
    (THESIS, "128-byte alignment", "-8 %", SHARED, ALIGNED),
    (THESIS, "64x4 blocks", "-16 %", ALIGNED, RECT),
    (THESIS, "two cells per thread", "-44 %", ALIGNED, TWO_CELL),
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A published number, and a function that computes ours from the runs at hand; '' if they lack it."""

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


def _improvement(strategy: str, workload: str, runs: Sequence[Run], improvements: Improvements) -> str:
    mine = [r for r in runs if r.workload == workload and r.dimension == 2 and r.engine == "cuda"]
    mine = [r for r in mine if r.strategy == strategy and r.block_name == "16x16"]
    return _at_largest(plain_lines(mine)[0].runs, improvements) if mine else ""


def _range_above(strategy: str, n: int, runs: Sequence[Run], improvements: Improvements) -> str:
    values = [
        i.value
        for r in runs
        if (r.strategy, r.workload, r.block_name, r.engine) == (strategy, "write", "8x8x8", "cuda")
        and (n < r.n <= 512 and r.cutoff in (None, DEFAULT_CUTOFF))
        and (i := improvements.of(r))
    ]
    return f"{min(values):.2f} to {max(values):.2f}" if values else ""


def _change(before: tuple[str, str], after: tuple[str, str], runs: Sequence[Run], improvements: Improvements) -> str:
    """The change in time, in percent, from one memory technique to another, at the largest N of both."""
    life = [r for r in runs if r.workload == "life" and r.engine == "cuda"]
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
    old, new = (side[place] for side in sides)
    domain = "square" if old.parameters.get("domain") == "square" else "triangle"
    return f"{100.0 * (time_ms(new) / time_ms(old) - 1.0):+.0f} % of the time at N = {old.n:,} ({domain})"


def claims() -> list[Claim]:
    gtx = "GTX 680"
    found = [
        Claim(TRIANGLE, gtx, f"I of {strategy}, dummy", dummy, partial(_improvement, strategy, "dummy"))
        for strategy, (dummy, _) in GTX_680.items()
    ]
    found += [
        Claim(
            TRIANGLE, gtx, f"I of {strategy}, EDM (ours: {workload})", edm, partial(_improvement, strategy, workload)
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
        Claim(TETRA, gpu, "dp-tetra over bb-tetra, 256 < N <= 512", value, partial(_range_above, "dp-tetra", 256))
        for gpu, value in cards
    ]
    found += [
        Claim(source, "GTX 285", what, published, partial(_change, before, after))
        for source, what, published, before, after in TECHNIQUES
    ]
    return found
