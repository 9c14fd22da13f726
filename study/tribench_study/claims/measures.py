"""How a claim's figure is read off results. Each answers None where the runs are missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec

from tribench_report.model import BASELINES, Run, time_ms
from tribench_report.stats import Interval, ratio

from .bench import Bench, Place, common_place
from .rules import Finding, Measure

LARGEST = 30720  # of the triangle's paper
TETRA_LARGEST = 512


Asked = ParamSpec("Asked")


def of_results(read: Callable[Concatenate[Bench, Asked], Finding | None]) -> Callable[Asked, Measure]:
    """Binds all arguments but the results, which come later."""

    @wraps(read)
    def named(*words: Asked.args, **more: Asked.kwargs) -> Measure:
        return lambda bench: read(bench, *words, **more)

    return named


def _at(n: int) -> str:
    return f"N = {n:,}"


def _over(slow: Run, fast: Run) -> Interval:
    """How many times longer the first takes: of separate medians, so that the interval is wide enough for any two."""
    assert slow.time is not None and fast.time is not None
    return ratio(slow.time, fast.time)


def _middle(values: Sequence[Interval]) -> Interval:
    """The middle one, with the range of all of them."""
    ranked = sorted(values, key=lambda v: v.value)
    middle = ranked[len(ranked) // 2]
    known, noted = all(v.known for v in values), any(v.noted for v in values)
    return Interval(middle.value, min(v.low for v in values), max(v.high for v in values), known, noted)


def _scoped(found: Sequence[tuple[int, Interval]], where: str, more: str = "") -> Finding | None:
    """The finding for a sentence about every N: all N that were measured."""
    if not found:
        return None
    ns, values = [n for n, _ in found], tuple(value for _, value in found)
    span = f"N = {min(ns):,} to {max(ns):,}" if len(set(ns)) > 1 else _at(ns[0])
    return Finding(_middle(values), f"{where}, {span}{more}", each=values)


Times = Mapping[int, Run]
Factor = Callable[[Sequence[Run]], Interval]


def _over_n(runs: Sequence[Times], factor: Factor, above: int = 0) -> list[tuple[int, Interval]]:
    """A factor at every N at which all of them were measured."""
    shared = set.intersection(*(set(one) for one in runs))
    return [(n, factor([one[n] for one in runs])) for n in sorted(shared) if n > above]


@of_results
def _of_maps(
    bench: Bench, names: Sequence[str], workloads: Sequence[str], factor: Factor, where: str = "", side: int = 16,
    first_timing: str = "batched",
) -> Finding | None:
    """A factor of maps at every N, of every workload. The first one may have been launched in another way."""
    found: list[tuple[int, Interval]] = []
    for workload in workloads:
        runs = [bench.triangle(names[0], workload, side, first_timing)]
        runs += [bench.triangle(name, workload, side) for name in names[1:]]
        found += _over_n(runs, factor)
    return _scoped(found, where or ", ".join(workloads), f", {side} x {side}" if side != 16 else "")


def _mean(values: Sequence[Interval]) -> Interval:
    count = len(values)
    value, low, high = (sum(getattr(v, part) for v in values) / count for part in ("value", "low", "high"))
    return Interval(value, low, high, all(v.known for v in values), any(v.noted for v in values))


# ---- triangles ----


@of_results
def improvement(bench: Bench, strategy: str, workload: str, side: int = 16) -> Finding | None:
    """I at the largest N of the text, or at the largest one that was measured."""
    found = bench.gains(bench.triangle(strategy, workload, side))
    n = LARGEST if LARGEST in found else max(found, default=0)
    where = f"{workload}, {_at(n)}" + (f", {side} x {side}" if side != 16 else "")
    return Finding(found[n], where) if found else None


@of_results
def improvements(
    bench: Bench, strategy: str, workloads: Sequence[str], above: int = 0, timing: str = "batched"
) -> Finding | None:
    """I at every N, of every workload."""
    gains = [bench.gains(bench.triangle(strategy, workload, timing=timing)) for workload in workloads]
    found = [(n, i) for one in gains for n, i in sorted(one.items()) if n > above]
    return _scoped(found, ", ".join(workloads))


def apart(slow: str, fast: str, workloads: Sequence[str], side: int = 16, timing: str = "batched") -> Measure:
    """T(slow) / T(fast) at every N, of every workload. Timing is how the slow one was launched."""
    return _of_maps((slow, fast), workloads, lambda pair: _over(*pair), side=side, first_timing=timing)


def _lead(runs: Sequence[Run]) -> Interval:
    """T(the best of the others) / T(the first one)."""
    return _over(min(runs[1:], key=time_ms), runs[0])


def fastest(winner: str, others: Sequence[str], workload: str) -> Measure:
    """T(best of the others) / T(winner) at every N."""
    return _of_maps((winner, *others), [workload], _lead)


def slowest(loser: str, others: Sequence[str], workloads: Sequence[str]) -> Measure:
    """T(loser) / T(slowest of the others) at every N, of every workload."""
    return _of_maps((loser, *others), workloads, lambda runs: _over(runs[0], max(runs[1:], key=time_ms)))


def second(name: str, others: Sequence[str], workload: str) -> Measure:
    """Above 1 where exactly one of the others is faster: how far the nearer neighbour in the ranks is away."""

    def factor(runs: Sequence[Run]) -> Interval:
        ranked = sorted(runs[1:], key=time_ms)
        return min(_over(runs[0], ranked[0]), _over(ranked[1], runs[0]), key=lambda i: i.low)

    return _of_maps((name, *others), [workload], factor, f"distance in the ranks, {workload}")


@of_results
def gains_apart(bench: Bench, strategy: str, workloads: Sequence[str]) -> Finding | None:
    """The mean of I over the workloads over I on the kernel that only maps, at every N."""
    gains = [bench.gains(bench.triangle(strategy, workload)) for workload in ("dummy", *workloads)]
    shared = set.intersection(*(set(one) for one in gains))
    found = [(n, ratio(_mean([one[n] for one in gains[1:]]), gains[0][n])) for n in sorted(shared)]
    return _scoped(found, f"I on {workloads[0]} to {workloads[-1]} over I on dummy")


@of_results
def mean_improvement(bench: Bench, strategy: str, workloads: Sequence[str]) -> Finding | None:
    found = [i for workload in workloads for i in bench.gains(bench.triangle(strategy, workload)).values()]
    return Finding(_mean(found), f"mean over {len(found)} of {', '.join(workloads)}") if found else None


@of_results
def features(bench: Bench, strategy: str) -> Finding | None:
    """I with four features over I with one."""
    many, few = (bench.gains(bench.triangle(strategy, workload)).get(LARGEST) for workload in ("edm4", "edm1"))
    return Finding(ratio(many, few), f"I on edm4 over I on edm1, {_at(LARGEST)}") if many and few else None


@of_results
def waste(bench: Bench, strategy: str) -> Finding | None:
    """
    The most wasted blocks for N up to the largest over those for N up to its half: 2 when they grow as N does, 4 when
    as its square. Of the most, because a square grid for a triangle of blocks wastes now more and now less.
    """
    runs, half = bench.triangle(strategy, "dummy").values(), LARGEST // 2
    most = [
        max((run.blocks_wasted or 0 for run in runs if top // 2 < run.n <= top), default=0) for top in (LARGEST, half)
    ]
    if not all(most):
        return None
    growth = most[0] / most[1]
    return Finding(Interval(growth, growth, growth), f"up to {_at(LARGEST)} over up to {_at(half)}")


@of_results
def exact(bench: Bench, strategy: str) -> Finding | None:
    """The largest N in blocks of 16 x 16 up to which the device found the map right, asked for every n."""
    if strategy not in bench.exact:
        return None
    n, fails = bench.exact[strategy]
    cells = 16.0 * n
    return Finding(Interval(cells, cells, cells), "and not beyond" if fails else "as far as asked", "n")


# ---- tetrahedra ----


@of_results
def tetra_improvement(bench: Bench, strategy: str, cutoff: int, n: int) -> Finding | None:
    """I over the bounding box; at a power of two, for which the boxes of a tree fit best."""
    found = bench.gains(bench.tetra(strategy, cutoff)).get(n)
    return Finding(found, _at(n)) if found else None


@of_results
def tetra_improvements(bench: Bench, strategy: str, cutoff: int, first: int, last: int) -> Finding | None:
    """I at every N in a range."""
    gains = bench.gains(bench.tetra(strategy, cutoff))
    found = [(n, i) for n, i in sorted(gains.items()) if first <= n <= last]
    return _scoped(found, f"{strategy}, n_c = {cutoff}") if len(found) > 1 else None


@of_results
def cutoffs_apart(bench: Bench, slow: Sequence[int], fast: int) -> Finding | None:
    """T(the best of some n_c) / T(another n_c) at every N that is at least twice the largest of them."""
    runs = [bench.tetra("dp-tetra", cutoff) for cutoff in (fast, *slow)]
    least = 2 * max(fast, *slow) - 1
    found = _over_n(runs, _lead, least)
    return _scoped(found, f"n_c = {', '.join(map(str, slow))} over {fast}") if len(found) > 1 else None


@of_results
def sizes_apart(bench: Bench, strategy: str, cutoff: int, slow: int, fast: int) -> Finding | None:
    """T at one N over T at another one."""
    runs = bench.tetra(strategy, cutoff)
    if slow not in runs or fast not in runs:
        return None
    return Finding(_over(runs[slow], runs[fast]), f"N = {slow} over N = {fast}")


@of_results
def side_lead(bench: Bench, best: int, others: Sequence[int]) -> Finding | None:
    """T(the best other block) / T(this one), n_c = 128."""
    found = [run for side in (best, *others) if (run := bench.tetra("dp-tetra", 128, side).get(TETRA_LARGEST))]
    if len(found) <= len(others):
        return None
    mine, *rest = found
    next_one = min(rest, key=time_ms)
    return Finding(_over(next_one, mine), f"over {next_one.block_name}, {_at(TETRA_LARGEST)}")


# ---- automata ----

# A technique: its name in --memory, and the block and tile where more than one was measured.
Technique = tuple[str, str | None, int | str | None]


def _where(place: Place) -> str:
    domain = "square" if place[1] == "square" else "triangle"
    return f"{domain}, {_at(int(str(place[-1])))}"


def _where_all_ran(bench: Bench, workload: str, techniques: Sequence[Technique]) -> tuple[list[Run], Place] | None:
    found = [bench.automaton(workload, *one) for one in techniques]
    place = common_place(*found)
    return None if place is None else ([runs[place] for runs in found], place)


# One and the same kernel differed by as much between two invocations (rect, and aligned 64x4 at a tile of 64).
ACROSS = 0.04


def _apart_enough(found: Interval, bench: Bench) -> Interval:
    """Widened by the difference that one kernel may show between two invocations."""
    if not bench.is_across:
        return found
    return replace(found, low=found.low * (1.0 - ACROSS), high=found.high * (1.0 + ACROSS))


@of_results
def slower(bench: Bench, workload: str, slow: Technique, fast: Technique) -> Finding | None:
    """T(slow) / T(fast)."""
    found = _where_all_ran(bench, workload, (slow, fast))
    if found is None:
        return None
    (one, other), place = found
    return Finding(_over(one, other), _where(place))


@of_results
def _ranked_among(
    bench: Bench, workload: str, mine: Technique, others: Sequence[Technique], is_first: bool
) -> Finding | None:
    found = _where_all_ran(bench, workload, (mine, *others))
    if found is None:
        return None
    (one, *rest), place = found
    next_one = min(rest, key=time_ms) if is_first else max(rest, key=time_ms)
    factor = _over(next_one, one) if is_first else _over(one, next_one)
    named = f"{next_one.parameters['memory']} in {next_one.block_name}"
    return Finding(factor, f"over {named}, {_where(place)}")


def ahead(workload: str, mine: Technique, *others: Technique) -> Measure:
    """T(the best other) / T(this one)."""
    return _ranked_among(workload, mine, others, is_first=True)


def behind(workload: str, mine: Technique, *others: Technique) -> Measure:
    """T(this one) / T(the slowest other)."""
    return _ranked_among(workload, mine, others, is_first=False)


@of_results
def saving(bench: Bench, workload: str, before: Technique, after: Technique) -> Finding | None:
    """Percent of the time that a technique saves over another."""
    found = slower(workload, after, before)(bench)
    if found is None:
        return None
    left_over = found.value
    value, low, high = (100.0 * (1.0 - share) for share in (left_over.value, left_over.high, left_over.low))
    return Finding(replace(left_over, value=value, low=low, high=high), found.where, "percent")


# ---- simplices ----


def _best_gain(bench: Bench, dimension: int, strategy: str, workload: str) -> tuple[int, Interval] | None:
    """The largest I of all N, each of the run of the best cut-off."""
    found = bench.gains(bench.simplex(dimension, strategy, workload))
    return max(found.items(), key=lambda one: one[1].value, default=None)


@of_results
def simplex_reached(bench: Bench, dimension: int, strategy: str, workload: str) -> Finding | None:
    """The largest I of all N."""
    best = _best_gain(bench, dimension, strategy, workload)
    return Finding(best[1], f"{workload}, {_at(best[0])}") if best else None


@of_results
def simplex_ahead(bench: Bench, dimension: int, winner: str, others: Sequence[str], workload: str) -> Finding | None:
    """T(the best of the others) / T(winner) at every N."""
    runs = [bench.simplex(dimension, name, workload) for name in (winner, *others)]
    return _scoped(_over_n(runs, _lead), workload)


@of_results
def simplex_dimensions(bench: Bench, workload: str) -> Finding | None:
    """The largest I of H in three dimensions over that in two."""
    flat, solid = (_best_gain(bench, d, name, workload) for d, name in ((2, "hmap"), (3, "hmap-tetra")))
    if flat is None or solid is None:
        return None
    found = _apart_enough(ratio(solid[1], flat[1]), bench)
    return Finding(found, f"{workload}, {_at(solid[0])} over {_at(flat[0])}")


@of_results
def simplex_space(bench: Bench, dimension: int, strategy: str) -> Finding | None:
    """Blocks of the box over those of a map, at the largest N."""
    box, mine = (bench.simplex(dimension, name, "write") for name in (BASELINES[dimension - 2], strategy))
    n = max(set(box) & set(mine), default=0)
    if n == 0 or not box[n].blocks or not mine[n].blocks:
        return None
    share = (box[n].blocks or 0) / (mine[n].blocks or 1)
    return Finding(Interval(share, share, share), _at(n))


def _watts(run: Run) -> Interval:
    """Power of a launch. Its time and its energy were measured separately: the interval is wide enough for both."""
    assert run.launch_j is not None and run.time is not None
    return ratio(run.launch_j, run.time).times(1e3)


def _joules(run: Run) -> Interval:
    assert run.nj_per_cell is not None
    return run.nj_per_cell


@of_results
def simplex_energy(
    bench: Bench, dimension: int, strategy: str, others: Sequence[str], is_power: bool
) -> Finding | None:
    """Watts over the middle ones of the others, or their joules per cell over this one's: a factor for each test."""
    asked = _watts if is_power else _joules
    found = []
    for workload in ("write", "accumulate", "life"):
        runs = [bench.simplex(dimension, name, workload) for name in (strategy, *others)]
        n = max(set.intersection(*(set(one) for one in runs)), default=0)
        if n == 0 or any(one[n].nj_per_cell is None for one in runs):
            continue
        mine, *rest = (asked(one[n]) for one in runs)
        rest.sort(key=lambda one: one.value)
        # of an even number the one that is harder to beat
        factor = ratio(mine, rest[len(rest) // 2]) if is_power else ratio(rest[(len(rest) - 1) // 2], mine)
        found.append((n, _apart_enough(factor, bench)))
    return _scoped(found, "write, accumulate, life") if len(found) == 3 else None
