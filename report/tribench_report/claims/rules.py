"""What makes a claim hold: a published figure or bound against an interval of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from ..stats import Interval
from .bench import Bench

# A measured effect is the published one when it is within this share of it.
SLACK = 0.1


class Verdict(Enum):
    HOLDS = "holds"
    STRONGER = "holds stronger"
    WEAKER = "holds weaker"
    NOT = "does not hold"
    PART = "holds in part"
    UNKNOWN = "not measured yet"
    UNASKED = "not measured"


@dataclass(frozen=True, slots=True)
class Finding:
    """Ours: a value with its interval, in which unit, and where it was read."""

    value: Interval
    where: str
    unit: str = "factor"
    # Of a sentence about several N or kernels: each of them, the value being their middle one.
    each: tuple[Interval, ...] = ()


class Rule(Protocol):
    def judge(self, value: Interval) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference of this size: from `low` to `high`, where `neutral` is none."""

    low: float
    high: float
    neutral: float = 1.0

    def judge(self, value: Interval) -> Verdict:
        sign = 1.0 if self.low + self.high > 2.0 * self.neutral else -1.0
        ours = sorted(sign * (bound - self.neutral) for bound in (value.low, value.high))
        theirs = sorted(sign * (bound - self.neutral) for bound in (self.low, self.high))
        if ours[0] <= 0.0:
            return Verdict.NOT
        if ours[1] < (1.0 - SLACK) * theirs[0]:
            return Verdict.WEAKER
        return Verdict.STRONGER if ours[0] > (1.0 + SLACK) * theirs[1] else Verdict.HOLDS


@dataclass(frozen=True, slots=True)
class Above:
    """Always more than a bound: the whole interval has to be."""

    bound: float

    def judge(self, value: Interval) -> Verdict:
        return Verdict.HOLDS if value.low > self.bound else Verdict.NOT


@dataclass(frozen=True, slots=True)
class Below:
    bound: float

    def judge(self, value: Interval) -> Verdict:
        return Verdict.HOLDS if value.high < self.bound else Verdict.NOT


@dataclass(frozen=True, slots=True)
class Within:
    """About so much: the interval meets the range."""

    low: float
    high: float

    def judge(self, value: Interval) -> Verdict:
        return Verdict.HOLDS if value.low <= self.high and value.high >= self.low else Verdict.NOT


@dataclass(frozen=True, slots=True)
class Outside:
    """Not about so much: the interval misses the range."""

    low: float
    high: float

    def judge(self, value: Interval) -> Verdict:
        return Verdict.NOT if value.low <= self.high and value.high >= self.low else Verdict.HOLDS


@dataclass(frozen=True, slots=True)
class Unasked:
    """A sentence that results cannot answer, and why."""

    verdict: Verdict

    def judge(self, value: Interval) -> Verdict:
        return self.verdict


Measure = Callable[[Bench], Finding | None]


@dataclass(frozen=True, slots=True)
class Claim:
    """A published sentence in other words, its figure, and how the same is read off results."""

    source: str
    gpu: str
    place: str
    what: str
    published: str
    rule: Rule
    measure: Measure
    # A sentence for each verdict that has a reason of its own; no figures of ours.
    why: Mapping[Verdict, str]
    # The labels of scripts/measure that answer it: the first one that can, alone; joined by +, all of them together.
    files: str = "paper"
    is_arithmetic: bool = False

    def answer(self, bench: Bench) -> tuple[Finding | None, str]:
        """What the results say, and under which label of theirs."""
        for label in self.files.split():
            finding = self.measure(bench.only(label))
            if finding is not None:
                return finding, label
        return None, ""

    def share(self, finding: Finding) -> tuple[int, int]:
        """At how many of its N or kernels the claim holds, and how many there are."""
        verdicts = [self.rule.judge(one) for one in finding.each or (finding.value,)]
        return sum(verdict is not Verdict.NOT for verdict in verdicts), len(verdicts)

    def verdict(self, finding: Finding | None) -> Verdict:
        if isinstance(self.rule, Unasked):
            return self.rule.verdict
        if finding is None:
            return Verdict.UNKNOWN
        holds, count = self.share(finding)
        if holds == 0:
            return Verdict.NOT
        if holds < count:
            return Verdict.PART
        seen = {self.rule.judge(one) for one in finding.each or (finding.value,)}
        return seen.pop() if len(seen) == 1 else Verdict.HOLDS

    def reason(self, verdict: Verdict) -> str:
        if verdict is Verdict.UNKNOWN:
            return f"needs `scripts/measure --only '{self.files.split()[0].replace('+', ' ')}'`"
        return self.why.get(verdict, OTHERWISE[verdict])


def unasked(source: str, gpu: str, place: str, what: str, published: str, why: str) -> Claim:
    """A sentence that no run here can answer, and why."""
    verdict = Verdict.UNASKED
    return Claim(source, gpu, place, what, published, Unasked(verdict), lambda bench: None, {verdict: why})


# Where results change a verdict that nobody has explained yet.
OTHERWISE = {
    Verdict.HOLDS: "The effect is as large as published. Nobody has looked for the reason.",
    Verdict.STRONGER: "The effect is larger than published. Nobody has looked for the reason.",
    Verdict.WEAKER: "The effect is smaller than published. Nobody has looked for the reason.",
    Verdict.NOT: "The claim does not hold on this GPU. Nobody has looked for the reason.",
    Verdict.PART: "The verdict depends on N. Nobody has looked for the reason.",
    Verdict.UNASKED: "No run can test the claim.",
}
