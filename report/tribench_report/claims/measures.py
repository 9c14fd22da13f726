"""How a claim's figure is read off results. Each answers None where the runs are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..model import Run
from ..stats import Interval, ratio
from .bench import Bench, Place, common_place
from .rules import Finding, Measure

LARGEST = 30720  # of the triangle's paper
TETRA_LARGEST = 512


def _at(n: int) -> str:
    return f"N = {n:,}"


def _over(slow: Run, fast: Run) -> Interval:
    """How many times longer the first takes: of separate medians, so that the interval is wide enough for any two."""
    assert slow.time is not None and fast.time is not None
    return ratio(slow.time, fast.time)


def _mean(values: Sequence[Interval]) -> Interval:
    count = len(values)
    return Interval(*(sum(getattr(v, part) for v in values) / count for part in ("value", "low", "high")))


# ---- triangles ----


def improvement(strategy: str, workload: str, n: int = LARGEST) -> Measure:
    def measure(bench: Bench) -> Finding | None:
        found = bench.improvement(strategy, workload).get(n)
        return Finding(found, f"{workload}, {_at(n)}") if found else None

    return measure


def extreme_improvement(
    choose: Callable[..., tuple[Interval, str]], pairs: Iterable[tuple[str, str]], above: int = 0
) -> Measure:
    """The least or the largest I of some strategies and workloads over all N."""
    wanted = tuple(pairs)

    def measure(bench: Bench) -> Finding | None:
        found = [
            (i, f"{strategy}, {workload}, {_at(n)}")
            for strategy, workload in wanted
            for n, i in bench.improvement(strategy, workload).items()
            if n > above
        ]
        return Finding(*choose(found, key=lambda one: one[0].value)) if found else None

    return measure


def mean_improvement(strategy: str, workloads: Sequence[str]) -> Measure:
    def measure(bench: Bench) -> Finding | None:
        found = [i for workload in workloads for i in bench.improvement(strategy, workload).values()]
        return Finding(_mean(found), f"mean over {len(found)} of {', '.join(workloads)}") if found else None

    return measure


def times_apart(slow: str, fast: str, workload: str, n: int = LARGEST) -> Measure:
    """T(slow) / T(fast)."""

    def measure(bench: Bench) -> Finding | None:
        one, other = bench.triangle(slow, workload).get(n), bench.triangle(fast, workload).get(n)
        return Finding(_over(one, other), f"{workload}, {_at(n)}") if one and other else None

    return measure


def lead(winner: str, others: Sequence[str], workload: str, n: int = LARGEST) -> Measure:
    """T(best of the others) / T(winner)."""

    def measure(bench: Bench) -> Finding | None:
        mine = bench.triangle(winner, workload).get(n)
        found = [run for other in others if (run := bench.triangle(other, workload).get(n))]
        if mine is None or len(found) < len(others):
            return None
        best = min(found, key=lambda run: run.time.value if run.time else 0.0)
        return Finding(_over(best, mine), f"over {best.strategy}, {workload}, {_at(n)}")

    return measure


def trail(loser: str, others: Sequence[str], workload: str, n: int = LARGEST) -> Measure:
    """T(loser) / T(slowest of the others)."""

    def measure(bench: Bench) -> Finding | None:
        mine = bench.triangle(loser, workload).get(n)
        found = [run for other in others if (run := bench.triangle(other, workload).get(n))]
        if mine is None or len(found) < len(others):
            return None
        worst = max(found, key=lambda run: run.time.value if run.time else 0.0)
        return Finding(_over(mine, worst), f"over {worst.strategy}, {workload}, {_at(n)}")

    return measure


def features(strategy: str, few: str = "edm1", many: str = "edm4", n: int = LARGEST) -> Measure:
    """I with many features over I with few."""

    def measure(bench: Bench) -> Finding | None:
        one, other = bench.improvement(strategy, many).get(n), bench.improvement(strategy, few).get(n)
        return Finding(ratio(one, other), f"I on {many} over I on {few}, {_at(n)}") if one and other else None

    return measure


def waste(strategy: str, workload: str = "dummy", n: int = LARGEST) -> Measure:
    """
    The most wasted blocks for N up to the largest over those for N up to its half: 2 when they grow as N does, 4 when
    as its square. Of the most, because a square grid for a triangle of blocks wastes now more and now less.
    """

    def measure(bench: Bench) -> Finding | None:
        runs = bench.triangle(strategy, workload).values()
        most = [
            max((run.blocks_wasted or 0 for run in runs if top // 2 < run.n <= top), default=0)
            for top in (n, n // 2)
        ]
        if not all(most):
            return None
        growth = most[0] / most[1]
        return Finding(Interval(growth, growth, growth), f"up to {_at(n)} over up to {_at(n // 2)}")

    return measure


def exact(strategy: str, side: int = 16) -> Measure:
    """The largest N in blocks of 16 x 16 up to which the device found the map right, asked for every n."""

    def measure(bench: Bench) -> Finding | None:
        if strategy not in bench.exact:
            return None
        n, fails = bench.exact[strategy]
        cells = float(n * side)
        return Finding(Interval(cells, cells, cells), "and not beyond" if fails else "as far as asked", "n")

    return measure


# ---- tetrahedra ----


def tetra_improvement(strategy: str, cutoff: int | None, n: int = TETRA_LARGEST) -> Measure:
    """I over the bounding box; at a power of two, for which the boxes of a tree fit best."""

    def measure(bench: Bench) -> Finding | None:
        found = bench.tetra_improvement(strategy, cutoff).get(n)
        return Finding(found, _at(n)) if found else None

    return measure


def cutoff_lead(best: int, others: Sequence[int], strategy: str = "dp-tetra", n: int = TETRA_LARGEST) -> Measure:
    """T(the best other n_c) / T(this one)."""

    def measure(bench: Bench) -> Finding | None:
        mine = bench.tetra(strategy, best).get(n)
        found = [run for other in others if (run := bench.tetra(strategy, other).get(n))]
        if mine is None or not found:
            return None
        second = min(found, key=lambda run: run.time.value if run.time else 0.0)
        return Finding(_over(second, mine), f"over n_c = {second.cutoff}, {_at(n)}")

    return measure


def side_lead(best: int, others: Sequence[int], strategy: str = "dp-tetra", n: int = TETRA_LARGEST) -> Measure:
    """T(the best other block) / T(this one), n_c = 128."""

    def measure(bench: Bench) -> Finding | None:
        mine = bench.tetra(strategy, 128, best).get(n)
        found = [run for other in others if (run := bench.tetra(strategy, 128, other).get(n))]
        if mine is None or len(found) < len(others):
            return None
        second = min(found, key=lambda run: run.time.value if run.time else 0.0)
        return Finding(_over(second, mine), f"over {second.block_name}, {_at(n)}")

    return measure


# ---- automata ----

# A technique: its name in --memory, and the block and tile where more than one was measured.
Technique = tuple[str, str | None, int | None]


def _where(place: Place) -> str:
    domain = "square" if place[1] == "square" else "triangle"
    return f"{domain}, {_at(int(str(place[-1])))}"


def _pair(bench: Bench, workload: str, one: Technique, other: Technique) -> tuple[Run, Run, Place] | None:
    before, after = bench.automaton(workload, *one), bench.automaton(workload, *other)
    place = common_place(before, after)
    return None if place is None else (before[place], after[place], place)


def saving(workload: str, before: Technique, after: Technique) -> Measure:
    """Percent of the time that a technique saves over another."""

    def measure(bench: Bench) -> Finding | None:
        found = _pair(bench, workload, before, after)
        if found is None:
            return None
        left = _over(found[1], found[0])
        saved = Interval(*(100.0 * (1.0 - part) for part in (left.value, left.high, left.low)))
        return Finding(saved, _where(found[2]), "percent")

    return measure


def slower(workload: str, slow: Technique, fast: Technique) -> Measure:
    """T(slow) / T(fast)."""

    def measure(bench: Bench) -> Finding | None:
        found = _pair(bench, workload, slow, fast)
        return None if found is None else Finding(_over(found[0], found[1]), _where(found[2]))

    return measure


def technique_lead(workload: str, best: Technique, others: Sequence[Technique]) -> Measure:
    """T(the best of the others) / T(this one), where all of them were measured."""

    def measure(bench: Bench) -> Finding | None:
        found = [_pair(bench, workload, other, best) for other in others]
        pairs = [pair for pair in found if pair is not None]
        if not pairs or len(pairs) < len(others) or len({pair[2] for pair in pairs}) > 1:
            return None
        second, mine, place = min(pairs, key=lambda pair: _over(pair[0], pair[1]).value)
        label = f"{second.parameters.get('memory')} {second.block_name}"
        return Finding(_over(second, mine), f"over {label}, {_where(place)}")

    return measure
