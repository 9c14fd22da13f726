"""What makes a claim hold: a published figure or bound against an interval of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    UNKNOWN = "not measured yet"


@dataclass(frozen=True, slots=True)
class Finding:
    """Ours: a value with its interval, in which unit, and where it was read."""

    value: Interval
    where: str
    unit: str = "factor"


class Rule(Protocol):
    def judge(self, value: Interval) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Effect:
    """Something makes a difference of this size: `low` to `high`, where `neutral` would be none."""

    low: float
    high: float
    neutral: float = 1.0

    def judge(self, value: Interval) -> Verdict:
        sign = 1.0 if self.low + self.high > 2.0 * self.neutral else -1.0
        ours = sorted(sign * (bound - self.neutral) for bound in (value.low, value.high))
        theirs = sorted(sign * (bound - self.neutral) for bound in (self.low, self.high))
        if ours[0] <= 0.0:
            return Verdict.NOT
        slack = SLACK * theirs[1]
        if ours[1] < theirs[0] - slack:
            return Verdict.WEAKER
        return Verdict.STRONGER if ours[0] > theirs[1] + slack else Verdict.HOLDS


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


Measure = Callable[[Bench], Finding | None]


@dataclass(frozen=True, slots=True)
class Claim:
    """A published sentence in other words, its figure, and how the same is read off results."""

    source: str
    place: str
    gpu: str
    what: str
    published: str
    rule: Rule
    measure: Measure
    # A sentence for each verdict that has a reason of its own; no figures of ours.
    why: Mapping[Verdict, str]
    # What scripts/measure calls the files that answer it.
    files: str = field(default="")

    def verdict(self, finding: Finding | None) -> Verdict:
        return Verdict.UNKNOWN if finding is None else self.rule.judge(finding.value)

    def reason(self, verdict: Verdict) -> str:
        if verdict is Verdict.UNKNOWN:
            return f"needs `scripts/measure --only '{self.files}'`"
        return self.why.get(verdict, OTHERWISE[verdict])


@dataclass(frozen=True, slots=True)
class Text:
    """One of the texts, the GPU that it measured on, and the files that most of its claims are answered by."""

    source: str
    gpu: str
    files: str

    def claim(
        self,
        place: str,
        what: str,
        published: str,
        rule: Rule,
        measure: Measure,
        why: Mapping[Verdict, str],
        files: str = "",
    ) -> Claim:
        return Claim(self.source, place, self.gpu, what, published, rule, measure, why, files or self.files)


# Where results change a verdict that nobody has explained yet.
OTHERWISE = {
    Verdict.HOLDS: "The size of the effect is the published one; nobody has looked for more.",
    Verdict.STRONGER: "The effect is larger than published; nobody has looked why.",
    Verdict.WEAKER: "The effect is smaller than published; nobody has looked why.",
    Verdict.NOT: "It is not so on this GPU; nobody has looked why.",
}
