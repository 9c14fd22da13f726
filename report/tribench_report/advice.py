"""Which map should one use here: the fastest for each workload and range of N, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .improve import faster_by
from .model import Run, variant
from .select import group, strategy_rank, varying_fields
from .stats import Interval, geometric_mean

# Two maps closer than this are the same for whoever has to choose one.
PRACTICAL = 1.01


@dataclass(frozen=True, slots=True)
class Advice:
    """For one workload and a range of measured sizes: the choice, or those that cannot be told apart."""

    place: str
    first_n: int
    last_n: int
    sizes: int
    best: str
    equals: list[str]
    clear_at: int
    runner_up: str
    margin: Interval | None

    def verdict(self) -> str:
        if self.equals:
            return "no clear winner: " + ", ".join([self.best, *self.equals])
        if self.clear_at == self.sizes:
            return self.best
        return f"{self.best}: never beaten, clearly faster at {self.clear_at} of {self.sizes} sizes"


def _value(run: Run) -> float:
    assert run.time is not None
    return run.time.value


def _contenders(runs: Sequence[Run]) -> dict[str, Run]:
    """The fastest run of each strategy, with whatever block, tile or kernel suits it best."""
    best: dict[str, Run] = {}
    for run in runs:
        held = best.get(run.strategy)
        if held is None or _value(run) < _value(held):
            best[run.strategy] = run
    return best


def _ties(best: dict[str, Run]) -> set[str]:
    """The strategies that the fastest one does not beat: the interval holds 1, or the margin is too small."""
    winner = min(best.values(), key=_value)
    tied = {winner.strategy}
    for run in best.values():
        margin = faster_by(winner, run)
        if margin.value < PRACTICAL or not margin.low > 1.0:
            tied.add(run.strategy)
    return tied


def _ranges(by_n: dict[int, dict[str, Run]]) -> list[tuple[list[int], set[str]]]:
    """As few ranges as possible: each goes on as long as one strategy is among the best throughout."""
    found: list[tuple[list[int], set[str]]] = []
    for n, best in sorted(by_n.items()):
        tied = _ties(best)
        if found and found[-1][1] & tied:
            found[-1][0].append(n)
            found[-1] = (found[-1][0], found[-1][1] & tied)
        else:
            found.append(([n], tied))
    return found


def _label(run: Run, fields: Sequence[str], with_block: bool) -> str:
    words = [run.block_name] if with_block else []
    more = variant(run, fields)
    return run.strategy + (f" ({', '.join(words + ([more] if more else []))})" if words or more else "")


def advise(runs: Sequence[Run]) -> list[Advice]:
    """Input: usable runs. Only what computes the same on the same device is compared."""
    found: list[Advice] = []
    with_device = len({run.device for run in runs}) > 1
    for place, members in group(runs, lambda run: _place(run, with_device)).items():
        by_n = {n: _contenders(at) for n, at in _by_n(members).items()}
        by_n = {n: best for n, best in by_n.items() if len(best) > 1}
        if not by_n:
            continue
        fields = varying_fields(members)
        with_block = len({run.block for run in members}) > 1
        for ns, tied in _ranges(by_n):
            found.append(_advice(place, ns, tied, by_n, fields, with_block))
    return found


def _place(run: Run, with_device: bool) -> str:
    words = [run.workload, f"{run.engine} engine", f"{run.layout} output" if run.layout else ""]
    words += [f"{run.cell} cells" if run.cell else "", f"{run.domain} domain" if run.domain else ""]
    words += [f"rule {run.rule}" if run.rule else "", f"{run.steps} steps" if run.steps else ""]
    words += ["cold cache" if run.cache == "cold" else "", run.device if with_device else ""]
    return ", ".join(word for word in words if word)


def _by_n(runs: Sequence[Run]) -> dict[int, list[Run]]:
    found: dict[int, list[Run]] = {}
    for run in runs:
        found.setdefault(run.n, []).append(run)
    return found


def _advice(
    place: str,
    ns: list[int],
    tied: set[str],
    by_n: dict[int, dict[str, Run]],
    fields: Sequence[str],
    with_block: bool,
) -> Advice:
    """The margin is the one at the range's largest N, over the next strategy that is not among the equals."""
    present = [s for s in tied if all(s in by_n[n] for n in ns)]
    order = sorted(
        present, key=lambda s: (geometric_mean([_value(by_n[n][s]) for n in ns]), strategy_rank(s))
    )
    top = by_n[ns[-1]]
    best, equals = order[0], order[1:]
    rivals = [run for strategy, run in top.items() if strategy not in tied]
    rival = min(rivals, key=_value, default=None)
    return Advice(
        place=place,
        first_n=ns[0],
        last_n=ns[-1],
        sizes=len(ns),
        best=_label(top[best], fields, with_block),
        equals=[_label(top[s], fields, with_block) for s in equals],
        clear_at=sum(_ties(by_n[n]) == {best} for n in ns),
        runner_up=_label(rival, fields, with_block) if rival else "",
        margin=faster_by(top[best], rival) if rival else None,
    )
