"""Whether a claim holds: a published figure or bound against an interval of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from tribench_report.stats import Interval

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
    # For a sentence about several N or kernels: the interval of each; `value` is the middle one.
    each: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """How an interval is judged, and the limits that it has to meet, which are shown beside the published figure."""

    judge: Callable[[Interval], Verdict]
    limits: tuple[float, float] | None = None


def effect(low: float, high: float, neutral: float = 1.0) -> Rule:
    """A difference of this size: from `low` to `high`, where `neutral` is none."""
    sign = 1.0 if low + high > 2.0 * neutral else -1.0
    theirs = sorted(sign * (bound - neutral) for bound in (low, high))

    def judge(value: Interval) -> Verdict:
        ours = sorted(sign * (bound - neutral) for bound in (value.low, value.high))
        if ours[0] <= 0.0:
            return Verdict.NOT
        if ours[1] < (1.0 - SLACK) * theirs[0]:
            return Verdict.WEAKER
        return Verdict.STRONGER if ours[0] > (1.0 + SLACK) * theirs[1] else Verdict.HOLDS

    return Rule(judge)


def above(bound: float) -> Rule:
    """Always more than a bound: the whole interval has to be."""
    return Rule(lambda value: Verdict.HOLDS if value.low > bound else Verdict.NOT)


def below(bound: float) -> Rule:
    return Rule(lambda value: Verdict.HOLDS if value.high < bound else Verdict.NOT)


def within(low: float, high: float) -> Rule:
    """About so much: the interval meets the range."""
    return Rule(lambda value: Verdict.HOLDS if value.low <= high and value.high >= low else Verdict.NOT, (low, high))


def outside(low: float, high: float) -> Rule:
    """Not about so much: the interval misses the range."""
    return Rule(lambda value: Verdict.NOT if value.low <= high and value.high >= low else Verdict.HOLDS)


NO_RULE = Rule(lambda value: Verdict.UNASKED)
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
    # The labels of study/measure that answer it: the first one that can, alone; joined by +, all of them together.
    files: str = "paper"
    is_arithmetic: bool = False

    def answer(self, bench: Bench) -> tuple[Finding | None, str]:
        """The finding in the results, and the label that it is under."""
        for label in self.files.split():
            finding = self.measure(bench.only(label))
            if finding is not None:
                return finding, label
        return None, ""

    def verdicts(self, finding: Finding) -> list[Verdict]:
        """One for each of its N or kernels."""
        return [self.rule.judge(one) for one in finding.each or (finding.value,)]

    def verdict(self, finding: Finding | None) -> Verdict:
        if self.rule is NO_RULE:
            return Verdict.UNASKED
        if finding is None:
            return Verdict.UNKNOWN
        seen = set(self.verdicts(finding))
        if len(seen) > 1:
            return Verdict.PART if Verdict.NOT in seen else Verdict.HOLDS
        return seen.pop()

    def reason(self, verdict: Verdict) -> str:
        if verdict is Verdict.UNKNOWN:
            return f"needs `study/measure --only '{self.files.split()[0].replace('+', ' ')}'`"
        return self.why.get(verdict, OTHERWISE[verdict])


def unasked(source: str, gpu: str, place: str, what: str, published: str, why: str) -> Claim:
    """A sentence that no run here can answer, and why."""
    return Claim(source, gpu, place, what, published, NO_RULE, lambda bench: None, {Verdict.UNASKED: why})


# Where results change a verdict that nobody has explained yet.
OTHERWISE = {
    Verdict.HOLDS: "The effect is as large as published. Nobody has looked for the reason.",
    Verdict.STRONGER: "The effect is larger than published. Nobody has looked for the reason.",
    Verdict.WEAKER: "The effect is smaller than published. Nobody has looked for the reason.",
    Verdict.NOT: "The claim does not hold on this GPU. Nobody has looked for the reason.",
    Verdict.PART: "The verdict depends on N. Nobody has looked for the reason.",
    Verdict.UNASKED: "No run can test the claim.",
}
