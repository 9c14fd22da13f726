"""How a claim's figure is read off results. Each answers None where the runs are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

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


def _ms(run: Run) -> float:
    assert run.time is not None
    return run.time.value


def _lead(mine: Run | None, others: Sequence[Run], enough: int, said: Callable[[Run], str]) -> Finding | None:
    """T(the best of the others) / T(mine), where so many others were measured."""
    if mine is None or len(others) < enough:
        return None
    best = min(others, key=_ms)
    return Finding(_over(best, mine), f"over {said(best)}")


def _of_n(intervals: Callable[[Bench], Mapping[int, Interval]], n: int, where: str) -> Measure:
    """An interval that was measured at some N."""

    def measure(bench: Bench) -> Finding | None:
        found = intervals(bench).get(n)
        return Finding(found, where) if found else None

    return measure


def _mean(values: Sequence[Interval]) -> Interval:
    count = len(values)
    value, low, high = (sum(getattr(v, part) for v in values) / count for part in ("value", "low", "high"))
    return Interval(value, low, high, all(v.known for v in values))


# ---- triangles ----


def improvement(strategy: str, workload: str, n: int = LARGEST) -> Measure:
    return _of_n(lambda bench: bench.improvement(strategy, workload), n, f"{workload}, {_at(n)}")


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


def _one_and_others(
    bench: Bench, one: str, others: Sequence[str], workload: str, n: int
) -> tuple[Run | None, list[Run]]:
    found = [run for other in others if (run := bench.triangle(other, workload).get(n))]
    return bench.triangle(one, workload).get(n), found


def lead(winner: str, others: Sequence[str], workload: str, n: int = LARGEST) -> Measure:
    """T(best of the others) / T(winner)."""

    def measure(bench: Bench) -> Finding | None:
        mine, found = _one_and_others(bench, winner, others, workload, n)
        return _lead(mine, found, len(others), lambda best: f"{best.strategy}, {workload}, {_at(n)}")

    return measure


def trail(loser: str, others: Sequence[str], workload: str, n: int = LARGEST) -> Measure:
    """T(loser) / T(slowest of the others)."""

    def measure(bench: Bench) -> Finding | None:
        mine, found = _one_and_others(bench, loser, others, workload, n)
        if mine is None or len(found) < len(others):
            return None
        worst = max(found, key=_ms)
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
    return _of_n(lambda bench: bench.tetra_improvement(strategy, cutoff), n, _at(n))


def cutoff_lead(best: int, others: Sequence[int], strategy: str = "dp-tetra", n: int = TETRA_LARGEST) -> Measure:
    """T(the best other n_c) / T(this one)."""

    def measure(bench: Bench) -> Finding | None:
        mine = bench.tetra(strategy, best).get(n)
        found = [run for other in others if (run := bench.tetra(strategy, other).get(n))]
        return _lead(mine, found, 1, lambda best: f"n_c = {best.cutoff}, {_at(n)}")

    return measure


def side_lead(best: int, others: Sequence[int], strategy: str = "dp-tetra", n: int = TETRA_LARGEST) -> Measure:
    """T(the best other block) / T(this one), n_c = 128."""

    def measure(bench: Bench) -> Finding | None:
        mine = bench.tetra(strategy, 128, best).get(n)
        found = [run for other in others if (run := bench.tetra(strategy, 128, other).get(n))]
        return _lead(mine, found, len(others), lambda best: f"{best.block_name}, {_at(n)}")

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


def slower(workload: str, slow: Technique, fast: Technique) -> Measure:
    """T(slow) / T(fast)."""

    def measure(bench: Bench) -> Finding | None:
        found = _pair(bench, workload, slow, fast)
        return None if found is None else Finding(_over(found[0], found[1]), _where(found[2]))

    return measure


def saving(workload: str, before: Technique, after: Technique) -> Measure:
    """Percent of the time that a technique saves over another."""
    left = slower(workload, after, before)

    def measure(bench: Bench) -> Finding | None:
        found = left(bench)
        if found is None:
            return None
        value, low, high = (100.0 * (1.0 - share) for share in (found.value.value, found.value.high, found.value.low))
        return Finding(Interval(value, low, high, found.value.known), found.where, "percent")

    return measure


def technique_lead(workload: str, best: Technique, others: Sequence[Technique]) -> Measure:
    """T(the best of the others) / T(this one), where all of them were measured."""

    def measure(bench: Bench) -> Finding | None:
        found = [_pair(bench, workload, other, best) for other in others]
        pairs = [pair for pair in found if pair is not None]
        if not pairs or len(pairs) < len(others) or len({pair[2] for pair in pairs}) > 1:
            return None
        _, mine, place = pairs[0]
        seconds = [second for second, _, _ in pairs]
        return _lead(
            mine, seconds, 1, lambda run: f"{run.parameters.get('memory')} {run.block_name}, {_where(place)}"
        )

    return measure
