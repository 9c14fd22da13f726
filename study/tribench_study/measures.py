"""How a claim's figure is read off results: the `measure` of a claim, with its `selection` as arguments.

Each returns None where the runs are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from .bench import TIME, Bench, common_place, intervals, ranked, ratio, shared

LARGEST = 30720  # of the triangle's paper
TETRA_LARGEST = 512
BOX = {2: "bb", 3: "bb-tetra"}


@dataclass(slots=True)
class Finding:
    """Ours: a value with its interval for each N, kernel or test that a claim is about, and where it was read."""

    values: pd.DataFrame
    where: str
    unit: str = "factor"
    within: Finding | None = None  # the same with intervals of single invocations

    @property
    def middle(self) -> dict[str, float]:
        """The middle value, with the range of all intervals."""
        values = self.values
        middle = values["value"].sort_values().iloc[len(values) // 2]
        return {"value": middle, "low": values["low"].min(), "high": values["high"].max()}


def _at(n: int) -> str:
    return f"N = {n:,}"


def _shape(side: int) -> str:
    """Blocks, where they are not the usual ones."""
    return f", {side} x {side}" if side != 16 else ""


def _one(values: pd.DataFrame, n: int, where: str) -> Finding | None:
    return Finding(values.loc[[n]], where) if n in values.index else None


def _exactly(value: float, where: str, unit: str = "factor") -> Finding:
    return Finding(pd.DataFrame([{"value": value, "low": value, "high": value, "noted": False}]), where, unit)


def _scoped(found: Sequence[pd.DataFrame], where: str, more: str = "") -> Finding | None:
    """The finding for a sentence about every N: all N that were measured."""
    values = pd.concat(found)
    if values.empty:
        return None
    first, last = values.index.min(), values.index.max()
    span = f"N = {first:,} to {last:,}" if first < last else _at(first)
    return Finding(values, f"{where}, {span}{more}")


def _lead(mine: pd.DataFrame, *others: pd.DataFrame) -> pd.DataFrame:
    """T(the best of the others) / T(the first one)."""
    return ratio(ranked(others, 0), mine)


def _mean(values: pd.DataFrame, by: object) -> pd.DataFrame:
    """The means of the rows of each group, and whether one of them is noted."""
    groups = values.groupby(by)
    return groups[["value", "low", "high"]].mean().assign(noted=groups["noted"].any())


# ---- triangles ----


def improvement(bench: Bench, strategy: str, workload: str, side: int = 16) -> Finding | None:
    """I at the largest N of the text, or at the largest one that was measured."""
    found = bench.triangle(workload, side).gains(strategy)
    n = LARGEST if LARGEST in found.index else found.index.max()
    return _one(found, n, f"{workload}, {_at(n)}{_shape(side)}")


def best_improvement(bench: Bench, strategy: str, workload: str, side: int = 16) -> Finding | None:
    """The largest I of all N, for a sentence that says "up to"."""
    found = bench.triangle(workload, side).gains(strategy)
    return None if found.empty else _one(found, n := found["value"].idxmax(), f"{workload}, {_at(n)}{_shape(side)}")


def improvements(
    bench: Bench,
    strategy: str,
    workloads: Sequence[str],
    above: int = 0,
    below: int = 1 << 31,
    side: int = 16,
    timing: str = "batched",
) -> Finding | None:
    """I at every N, of every workload."""
    found = [bench.triangle(workload, side, timing).gains(strategy) for workload in workloads]
    return _scoped(
        [one[(one.index > above) & (one.index < below)] for one in found], ", ".join(workloads), _shape(side)
    )


def apart(
    bench: Bench, slow: str, fast: str, workloads: Sequence[str], side: int = 16, timing: str = "batched"
) -> Finding | None:
    """T(slow) / T(fast) at every N, of every workload. Timing is how the slow one was launched."""
    found = [
        ratio(*shared([*bench.triangle(one, side, timing).times(slow), *bench.triangle(one, side).times(fast)]))
        for one in workloads
    ]
    return _scoped(found, ", ".join(workloads), _shape(side))


def fastest(bench: Bench, winner: str, others: Sequence[str], workload: str) -> Finding | None:
    """T(best of the others) / T(winner) at every N."""
    return _scoped([_lead(*bench.triangle(workload).times(winner, *others))], workload)


def slowest(bench: Bench, loser: str, others: Sequence[str], workloads: Sequence[str]) -> Finding | None:
    """T(loser) / T(slowest of the others) at every N, of every workload."""
    found = []
    for workload in workloads:
        mine, *rest = bench.triangle(workload).times(loser, *others)
        found.append(ratio(mine, ranked(rest, -1)))
    return _scoped(found, ", ".join(workloads))


def leading_pair(bench: Bench, pair: Sequence[str], others: Sequence[str], workloads: Sequence[str]) -> Finding | None:
    """T(the best of the others) / T(the slower one of a pair) at every N, of every workload."""
    found = []
    for workload in workloads:
        one, other, *rest = bench.triangle(workload).times(*pair, *others)
        found.append(ratio(ranked(rest, 0), ranked((one, other), -1)))
    return _scoped(found, ", ".join(workloads))


def second(bench: Bench, name: str, others: Sequence[str], workload: str) -> Finding | None:
    """Above 1 where exactly one of the others is faster: how far the nearer neighbour in the ranks is away."""
    mine, *rest = bench.triangle(workload).times(name, *others)
    before, after = ratio(mine, ranked(rest, 0)), ratio(ranked(rest, 1), mine)
    nearer = before.where(before["low"] <= after["low"], after)
    return _scoped([nearer], f"distance in the ranks, {workload}")


def gains_apart(bench: Bench, strategy: str, workloads: Sequence[str]) -> Finding | None:
    """The mean of I over the workloads over I on the kernel that only maps, at every N."""
    plain, *gains = shared([bench.triangle(workload).gains(strategy) for workload in ("dummy", *workloads)])
    every = pd.concat(gains)
    return _scoped([ratio(_mean(every, every.index), plain)], f"I on {workloads[0]} to {workloads[-1]} over I on dummy")


def gain_left(bench: Bench, strategy: str, workloads: Sequence[str]) -> Finding | None:
    """What is left of the gain over the box on the kernel that only maps, I - 1: on average of all N and workloads."""
    plain = bench.triangle("dummy").gains(strategy)
    found = pd.concat([bench.triangle(workload).gains(strategy) for workload in workloads])
    if plain.empty or found.empty:
        return None
    means = [_mean(one, [0] * len(one)) for one in (found, plain)]
    left = ratio(*(one.assign(**{end: one[end] - 1.0 for end in ("value", "low", "high")}) for one in means))
    return Finding(left, f"mean over {len(found)} of {', '.join(workloads)} over that of dummy")


def mean_improvement(bench: Bench, strategy: str, workloads: Sequence[str]) -> Finding | None:
    found = pd.concat([bench.triangle(workload).gains(strategy) for workload in workloads])
    where = f"mean over {len(found)} of {', '.join(workloads)}"
    return None if found.empty else Finding(_mean(found, [0] * len(found)), where)


def features(bench: Bench, strategy: str) -> Finding | None:
    """I with four features over I with one."""
    many, few = (bench.triangle(workload).gains(strategy) for workload in ("edm4", "edm1"))
    return _one(ratio(many, few), LARGEST, f"I on edm4 over I on edm1, {_at(LARGEST)}")


def waste(bench: Bench, strategy: str) -> Finding | None:
    """
    The most wasted blocks for N up to the largest over those for N up to its half: 2 when they grow as N does, 4 when
    as its square. Of the most, because a square grid for a triangle of blocks wastes now more and now less.
    """
    wasted, half = bench.triangle("dummy").of(strategy)["launch.blocks_wasted"], LARGEST // 2
    most, few = (wasted[(wasted.index > top // 2) & (wasted.index <= top)].max() for top in (LARGEST, half))
    return _exactly(most / few, f"up to {_at(LARGEST)} over up to {_at(half)}") if most > 0 and few > 0 else None


def exact(bench: Bench, strategy: str) -> Finding | None:
    """The largest N in blocks of 16 x 16 up to which the device found the map right, asked for every n."""
    if strategy not in bench.exact:
        return None
    n, fails = bench.exact[strategy]
    return _exactly(16.0 * n, "and not beyond" if fails else "as far as asked", "n")


# ---- tetrahedra ----


def tetra_improvement(bench: Bench, strategy: str, cutoff: int, n: int) -> Finding | None:
    """I over the bounding box; at a power of two, for which the boxes of a tree fit best."""
    return _one(bench.tetra(cutoff).gains(strategy), n, _at(n))


def tetra_improvements(bench: Bench, strategy: str, cutoff: int, first: int, last: int) -> Finding | None:
    """I at every N in a range."""
    found = bench.tetra(cutoff).gains(strategy)
    found = found[(found.index >= first) & (found.index <= last)]
    return _scoped([found], f"{strategy}, n_c = {cutoff}") if len(found) > 1 else None


def cutoffs_apart(bench: Bench, slow: Sequence[int], fast: int, last: int = 1 << 31) -> Finding | None:
    """T(the best of some n_c) / T(another n_c) at every N above it, at which its tree has a level."""
    runs = shared([bench.tetra(cutoff).times("dp-tetra")[0] for cutoff in (fast, *slow)])
    found = _lead(*(one[(one.index > fast) & (one.index <= last)] for one in runs))
    return _scoped([found], f"n_c = {', '.join(map(str, slow))} over {fast}") if len(found) > 1 else None


def uneven(bench: Bench, strategy: str, cutoff: int, first: int, last: int) -> Finding | None:
    """T(n) / T(n + 4) at every n that is a multiple of 4, but not of 8."""
    (times,) = bench.tetra(cutoff).times(strategy)
    odd = times[(times.index >= first) & (times.index < last) & (times.index % 8 == 4)]
    found = ratio(odd, times.set_index(times.index - 4))
    return _scoped([found], strategy) if len(found) > 1 else None


def blocks_saved(bench: Bench, strategy: str, cutoff: int, first: int, last: int) -> Finding | None:
    """Blocks of the box over those of a map at every N in a range."""
    maps = bench.tetra(cutoff)
    share = (maps.of(BOX[3])["launch.blocks"] / maps.of(strategy)["launch.blocks"]).dropna()
    share = share[(share.index >= first) & (share.index <= last)]
    return _scoped([pd.DataFrame({"value": share, "low": share, "high": share, "noted": False})], strategy)


def side_lead(bench: Bench, best: int, others: Sequence[int]) -> Finding | None:
    """T(the best other block) / T(this one), n_c = 128."""
    found = [bench.tetra(128, side).times("dp-tetra")[0] for side in (best, *others)]
    if not all(TETRA_LARGEST in one.index for one in found):
        return None
    next_one = min(zip(found[1:], others), key=lambda one: float(one[0].loc[TETRA_LARGEST, "value"]))[1]
    return _one(_lead(*shared(found)), TETRA_LARGEST, f"over {next_one}x{next_one}x{next_one}, {_at(TETRA_LARGEST)}")


def tetra_time(bench: Bench, strategy: str, cutoff: int, n: int) -> Finding | None:
    """Milliseconds of a launch."""
    found = _one(bench.tetra(cutoff).times(strategy)[0], n, _at(n))
    return found and Finding(found.values, found.where, "ms")


# ---- automata ----

# A technique: its name in --memory, and the block and tile where more than one was measured.
Technique = Sequence[str]


def _where_all_ran(
    bench: Bench, workload: str, techniques: Sequence[Technique]
) -> tuple[list[pd.DataFrame], str] | None:
    """The run of each technique, and where it is."""
    found = [bench.technique(workload, *one) for one in techniques]
    place = common_place(found)
    if place is None:
        return None
    domain = "square" if place[1] == "square" else "triangle"
    return [one.loc[[place]].iloc[-1:] for one in found], f"{domain}, {_at(int(str(place[-1])))}"


def slower(bench: Bench, workload: str, slow: Technique, fast: Technique) -> Finding | None:
    """T(slow) / T(fast)."""
    found = _where_all_ran(bench, workload, (slow, fast))
    return Finding(ratio(*map(intervals, found[0])), found[1]) if found else None


def duration(bench: Bench, workload: str, technique: Technique, generations: int) -> Finding | None:
    """Milliseconds of so many generations."""
    found = _where_all_ran(bench, workload, (technique,))
    if found is None:
        return None
    (run,), where = found
    share = generations / run.index.get_level_values("parameters.steps")[0]
    times = intervals(run)
    return Finding(times.assign(**{end: times[end] * share for end in ("value", "low", "high")}), where, "ms")


def first(bench: Bench, workload: str, mine: Technique, others: Sequence[Technique]) -> Finding | None:
    """T(the best other) / T(this one)."""
    found = _against(bench, workload, mine, others, min)
    return Finding(ratio(intervals(found[1]), intervals(found[0])), found[2]) if found else None


def last(bench: Bench, workload: str, mine: Technique, others: Sequence[Technique]) -> Finding | None:
    """T(this one) / T(the slowest other)."""
    found = _against(bench, workload, mine, others, max)
    return Finding(ratio(intervals(found[0]), intervals(found[1])), found[2]) if found else None


def _against(
    bench: Bench, workload: str, mine: Technique, others: Sequence[Technique], choose: Callable[..., pd.DataFrame]
) -> tuple[pd.DataFrame, pd.DataFrame, str] | None:
    """The run of one technique, that of the others which `choose`, min or max, takes by its time, and where that is."""
    found = _where_all_ran(bench, workload, (mine, *others))
    if found is None:
        return None
    (run, *rest), where = found
    rival = choose(rest, key=lambda one: float(one[TIME].iloc[0]))
    return run, rival, f"over {_named(rival)}, {where}"


def _named(run: pd.DataFrame) -> str:
    return f"{run['parameters.memory'].iloc[0]} in {run['block'].iloc[0]}"


def saving(bench: Bench, workload: str, before: Technique, after: Technique) -> Finding | None:
    """Percent of the time that a technique saves over another."""
    found = slower(bench, workload, after, before)
    if found is None:
        return None
    left = found.values
    saved = {"value": 1.0 - left["value"], "low": 1.0 - left["high"], "high": 1.0 - left["low"]}
    return Finding(100.0 * pd.DataFrame(saved).assign(noted=left["noted"]), found.where, "percent")


def memory_share(bench: Bench, workload: str, technique: Technique) -> Finding | None:
    """Percent of the speed of a copy at which a technique reads and writes its cells."""
    found = _where_all_ran(bench, workload, (technique,))
    if found is None:
        return None
    (run,), where = found
    times = intervals(run)
    share = 100.0 * run["throughput.fraction_of_peak"].iloc[0] * times["value"].iloc[0]
    ends = {"value": share / times["value"], "low": share / times["high"], "high": share / times["low"]}
    return Finding(times.assign(**ends), where, "percent")


def instructions(bench: Bench, over: Sequence[str], under: Sequence[str]) -> Finding | None:
    """Instructions of one kernel over those of another: each a workload, a map and a technique of study/counters."""
    counted = bench.counters.get(tuple(over)), bench.counters.get(tuple(under))
    if None in counted:
        return None
    (one, n), (other, _) = counted
    return _exactly(one / other, f"{over[0]}, {_at(n)}")


# ---- simplices ----


def _reached(bench: Bench, dimension: int, strategy: str, workload: str) -> pd.DataFrame:
    """The largest I of all N, each of the run of the best cut-off; empty if there is none."""
    found = bench.simplex(dimension, workload).gains(strategy)
    return found if found.empty else found.loc[[found["value"].idxmax()]]


def simplex_reached(bench: Bench, dimension: int, strategy: str, workloads: Sequence[str]) -> Finding | None:
    """The largest I of all N, of each workload."""
    found = [_reached(bench, dimension, strategy, workload) for workload in workloads]
    return None if any(one.empty for one in found) else _scoped(found, ", ".join(workloads))


def simplex_ahead(
    bench: Bench, dimension: int, winner: str, others: Sequence[str], workloads: Sequence[str]
) -> Finding | None:
    """T(the best of the others) / T(winner) at every N, of every workload."""
    found = [_lead(*bench.simplex(dimension, workload).times(winner, *others)) for workload in workloads]
    return None if any(one.empty for one in found) else _scoped(found, ", ".join(workloads))


def simplex_dimensions(bench: Bench, workloads: Sequence[str]) -> Finding | None:
    """The largest I of H in three dimensions over that in two, of each workload."""
    found = []
    for workload in workloads:
        flat, solid = _reached(bench, 2, "hmap", workload), _reached(bench, 3, "hmap-tetra", workload)
        if flat.empty or solid.empty:
            return None
        found.append(ratio(solid, flat.set_axis(solid.index)))
    return _scoped(found, ", ".join(workloads))


def simplex_space(bench: Bench, dimension: int, strategy: str) -> Finding | None:
    """Blocks of the box over those of a map, at the largest N."""
    maps = bench.simplex(dimension, "write")
    share = (maps.of(BOX[dimension])["launch.blocks"] / maps.of(strategy)["launch.blocks"]).dropna()
    return _exactly(share.iloc[-1], _at(share.index[-1])) if len(share) else None


def _of_energy(runs: pd.DataFrame, is_power: bool) -> pd.DataFrame:
    """
    Watts, or joules per cell. The time of a launch and its energy were measured separately: the interval is wide enough
    for both.
    """
    if not is_power:
        return intervals(runs, "energy.nj_per_cell").assign(noted=False)
    watts = ratio(intervals(runs, "energy.launch_j").assign(noted=False), intervals(runs))
    return watts.assign(**{end: 1e3 * watts[end] for end in ("value", "low", "high")})


def simplex_energy(
    bench: Bench, dimension: int, strategy: str, others: Sequence[str], is_power: bool
) -> Finding | None:
    """Watts over the middle ones of the others, or their joules per cell over this one's: a factor for each test."""
    found = []
    for workload in ("write", "accumulate", "life"):
        maps = bench.simplex(dimension, workload)
        runs = shared([maps.of(name) for name in (strategy, *others)])
        mine, *rest = (_of_energy(one.iloc[-1:], is_power) for one in runs)
        if any(one.empty for one in (mine, *rest)):
            return None
        # of an even number the one that is harder to beat
        middle = ranked(rest, len(rest) // 2 if is_power else (len(rest) - 1) // 2)
        found.append(ratio(mine, middle) if is_power else ratio(middle, mine))
    return _scoped(found, "write, accumulate, life")
