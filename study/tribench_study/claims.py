"""Published claims, as papers/*.yaml have them, tested by results: each with its verdict on every GPU at hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import yaml
from tribench_report import cli

from . import measures
from .bench import Bench, read
from .measures import Finding
from .pages import STUDY, render

PROG = "claims"
TEXTS = ("triangle", "tetra", "simplex", "automata")
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


# At one of several N or kernels, an effect that is smaller than published does not count.
AS_LARGE = (Verdict.HOLDS, Verdict.STRONGER)

# Where results change a verdict that nobody has explained yet.
OTHERWISE = {
    Verdict.HOLDS: "The effect is as large as published. Nobody has looked for the reason.",
    Verdict.STRONGER: "The effect is larger than published. Nobody has looked for the reason.",
    Verdict.WEAKER: "The effect is smaller than published. Nobody has looked for the reason.",
    Verdict.NOT: "The claim does not hold on this GPU. Nobody has looked for the reason.",
    Verdict.PART: "The verdict depends on N or the kernel. Nobody has looked for the reason.",
    Verdict.UNASKED: "No run can test the claim.",
}


def _effect(low: float, high: float, bound: Sequence[float], neutral: float) -> Verdict:
    sign = 1.0 if sum(bound) > 2.0 * neutral else -1.0
    theirs, ours = (sorted(sign * (end - neutral) for end in ends) for ends in (bound, (low, high)))
    if ours[0] <= 0.0:
        return Verdict.NOT
    if ours[1] < (1.0 - SLACK) * theirs[0]:
        return Verdict.WEAKER
    return Verdict.STRONGER if ours[0] > (1.0 + SLACK) * theirs[1] else Verdict.HOLDS


def judge(relation: str, bound: Any, low: float, high: float, neutral: float = 1.0) -> Verdict:
    """
    Whether our interval from low to high stands in the relation to the published bound. effect: a difference from
    neutral as large as published; above, below: all of the interval; within, outside: all of it is inside the range, or
    misses it. So a wide interval never makes a claim hold.
    """
    if relation == "effect":
        return _effect(low, high, bound, neutral)
    holds = {
        "above": lambda: low > bound,
        "below": lambda: high < bound,
        "within": lambda: low >= bound[0] and high <= bound[1],
        "outside": lambda: low > bound[1] or high < bound[0],
    }[relation]()
    return Verdict.HOLDS if holds else Verdict.NOT


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A published sentence in other words, its figure, and how the same is read off results; without a measure, not."""

    source: str
    gpu: str
    place: str
    claim: str
    published: str
    # A sentence for each verdict that has a reason of its own; no figures of ours.
    why: Mapping[Verdict, str]
    measure: str | None = None
    selection: Mapping[str, Any] = field(default_factory=dict)
    relation: str = ""
    bound: Any = None
    # The labels of study/measure that answer it: the first one that can, alone; joined by +, all of them together.
    label: str = "paper"
    # Why it is not counted among the published sentences, in a word or two.
    aside: str = ""

    def answer(self, bench: Bench) -> tuple[Finding | None, str]:
        """The finding in the results, and the label that it is under."""
        for label in self.label.split() if self.measure else ():
            measure, runs = getattr(measures, self.measure), bench.only(label)
            finding = measure(runs, **self.selection)
            if finding is not None:
                finding.within = runs.within and measure(runs.within, **self.selection)
                return finding, label
        return None, ""

    def verdicts(self, finding: Finding) -> list[Verdict]:
        """One for each of its N or kernels."""
        ends = zip(finding.values["low"], finding.values["high"])
        neutral = 0.0 if finding.unit == "percent" else 1.0
        return [judge(self.relation, self.bound, low, high, neutral) for low, high in ends]

    def verdict(self, finding: Finding | None) -> Verdict:
        if self.measure is None:
            return Verdict.UNASKED
        if finding is None:
            return Verdict.UNKNOWN
        found = self.verdicts(finding)
        if len(set(found)) == 1:
            return found[0]
        holds = sum(one in AS_LARGE for one in found)
        return Verdict.HOLDS if holds == len(found) else Verdict.PART if holds else Verdict.NOT

    def reason(self, verdict: Verdict) -> str:
        if verdict is Verdict.UNKNOWN:
            return f"needs `study/measure --only '{self.label.split()[0].replace('+', ' ')}'`"
        return self.why.get(verdict, OTHERWISE[verdict])


def _claims(text: str) -> list[Claim]:
    """The claims of one text; what most of them share is said once, at the start of the file."""
    whole = yaml.safe_load((STUDY / "papers" / f"{text}.yaml").read_text(encoding="utf-8"))
    return [
        Claim(**{**part["shared"], **one, "why": {Verdict(verdict): why for verdict, why in one["why"].items()}})
        for part in whole
        for one in part["claims"]
    ]


CLAIMS = [claim for text in TEXTS for claim in _claims(text)]
SENTENCES = [claim for claim in CLAIMS if not claim.aside]
ASIDES = Counter(claim.aside for claim in CLAIMS if claim.aside)


# ---------------------------------------------------------------- words


def _number(value: float, unit: str) -> str:
    if unit == "n":
        return f"{value:,.0f}"
    return f"{value:.{ {'percent': 1, 'ms': 4}.get(unit, 2) }f}"


def ours(claim: Claim, finding: Finding | None) -> str:
    """
    '1.96 [1.93, 1.99], within [1.95, 1.97] (dummy, N = 30,720)', and at how many of several N or kernels the claim
    holds, and at how many it holds weaker.
    """
    if finding is None:
        return "–"
    unit = finding.unit
    text = ("N = " if unit == "n" else "") + _number(finding.middle["value"], unit)
    for words, one in ("", finding), (", within", finding.within):
        if one and one.middle["low"] != one.middle["high"]:
            low, high = (_number(one.middle[end], unit) for end in ("low", "high"))
            text += f"{words} [{low}, {high}]"
    verdicts = claim.verdicts(finding) if claim.relation else []
    holds, weaker = sum(one in AS_LARGE for one in verdicts), verdicts.count(Verdict.WEAKER)
    share = f"; {holds} of {len(verdicts)}" if len(verdicts) > 1 else ""
    share += f", weaker at {weaker}" if share and weaker else ""
    noted = int(finding.values["noted"].sum())
    share += f"; {noted} noted" if noted else ""
    return f"{text}{ {'percent': ' %', 'ms': ' ms'}.get(unit, '') } ({finding.where}{share})"


def published(claim: Claim) -> str:
    """The published figure, with the limits that ours has to meet if it has some."""
    return claim.published + (" [{:g}, {:g}]".format(*claim.bound) if claim.relation == "within" else "")


def short_name(device: str) -> str:
    """'H100' for 'NVIDIA H100 80GB HBM3'."""
    found = re.match(r"(?:NVIDIA )?((?:GeForce |Tesla |RTX )*\S+)", device)
    return found.group(1) if found else device


def in_words(verdicts: Sequence[tuple[str, Verdict]]) -> str:
    """One verdict if the GPUs agree, otherwise one per GPU."""
    known = [(name, verdict) for name, verdict in verdicts if verdict is not Verdict.UNKNOWN]
    if not known:
        return Verdict.UNKNOWN.value
    if len(known) == len(verdicts) and len({verdict for _, verdict in known}) == 1:
        return f"**{known[0][1].value}**"
    return "; ".join(f"{name}: **{verdict.value}**" for name, verdict in known)


def why_in_words(claim: Claim, verdicts: Sequence[tuple[str, Verdict]]) -> str:
    """The reason for the verdict, or one per GPU if the reasons differ."""
    known = [(name, claim.reason(verdict)) for name, verdict in verdicts if verdict is not Verdict.UNKNOWN]
    sentences = {sentence for _, sentence in known} or {claim.reason(Verdict.UNKNOWN)}
    if len(sentences) == 1:
        return sentences.pop()
    return " ".join(f"{name}: {sentence}" for name, sentence in known)


def _labels(found: Sequence[tuple[str, str]]) -> str:
    """The labels of the runs: one for all GPUs, or one per GPU if they differ."""
    known = [(name, label) for name, label in found if label]
    if len({label for _, label in known}) < 2:
        return f"`{known[0][1]}`" if known else "–"
    return ", ".join(f"{name}: `{label}`" for name, label in known)


# ---------------------------------------------------------------- the page

Answers = Sequence[tuple[Finding | None, str]]  # of one claim, by GPU


def _row(number: int, claim: Claim, answers: Answers, names: Sequence[str]) -> list[str]:
    verdicts = [(name, claim.verdict(finding)) for name, (finding, _) in zip(names, answers)]
    shown = [ours(claim, finding) for finding, _ in answers]
    labels = _labels([(name, label) for name, (_, label) in zip(names, answers)])
    theirs = f"{published(claim)} ({claim.gpu})"
    words = [in_words(verdicts), why_in_words(claim, verdicts), labels]
    said = claim.claim + (f" *Not counted: {claim.aside}.*" if claim.aside else "")
    return [str(number), said, claim.place, theirs, *shown, *words]


def counts(verdicts: Sequence[tuple[Claim, Verdict]]) -> Counter[Verdict]:
    """Of the published sentences, each of them once."""
    return Counter(verdict for claim, verdict in verdicts if not claim.aside)


def _shared(answers: Sequence[Answers]) -> str:
    """The number of measurements behind the answers, and the rows that share one."""
    rows: dict[object, list[int]] = {}
    for number, several in enumerate(answers, 1):
        found = tuple(
            (label, *finding.values.itertuples(index=False, name=None)) for finding, label in several if finding
        )
        if found:
            rows.setdefault(found, []).append(number)
    groups = [" and ".join(map(str, numbers)) for numbers in rows.values() if len(numbers) > 1]
    count = sum(map(len, rows.values()))
    same = f" Rows that share one measurement: {', '.join(groups)}." if groups else ""
    return f"{count} are answered, by {len(rows)} measurements.{same}"


def _counted(bench: Bench, found: Sequence[tuple[Claim, Verdict]]) -> str:
    """'NVIDIA H200: holds 18, ...'."""
    seen = counts(found)
    parts = ", ".join(f"{verdict.value} {seen[verdict]}" for verdict in Verdict if seen[verdict])
    unchecked = int((bench.runs["verified.status"] != "pass").sum())
    mark = f"; {unchecked} of {len(bench.runs)} runs not verified" if unchecked else ""
    return f"{bench.device}: {parts}{mark}"


def text(benches: Sequence[Bench], command: str) -> str:
    names = [short_name(bench.device) for bench in benches]
    answers = [[claim.answer(bench) for bench in benches] for claim in CLAIMS]
    verdicts = [[(claim, claim.verdict(mine[k][0])) for claim, mine in zip(CLAIMS, answers)] for k in range(len(names))]
    sources: dict[str, list[list[str]]] = {}
    for number, (claim, mine) in enumerate(zip(CLAIMS, answers), 1):
        sources.setdefault(claim.source, []).append(_row(number, claim, mine, names))
    return render(
        "claims.md", command=command, rows=len(CLAIMS), sentences=len(SENTENCES),
        asides="; ".join(f"{count} {aside}" for aside, count in ASIDES.most_common()),
        shared=_shared(answers), counts=map(_counted, benches, verdicts), sources=sources,
        head=["", "claim", "where", "published", *names, "verdict", "reason", "label"],
    )  # fmt: skip


def differences(mine: Bench, shipped: Bench) -> tuple[list[str], int]:
    """The rows with another verdict than the shipped results have, in words, and how many rows both answer."""
    answers = ([claim.verdict(claim.answer(bench)[0]) for bench in (mine, shipped)] for claim in CLAIMS)
    both = [(n, *two) for n, two in enumerate(answers, 1) if not {*two} & {Verdict.UNKNOWN, Verdict.UNASKED}]
    name = short_name(shipped.device)
    return [
        f"{number}: {ours.value}, on the shipped {name}: {theirs.value} ({CLAIMS[number - 1].claim})"
        for number, ours, theirs in both
        if ours is not theirs
    ], len(both)


def check(benches: Sequence[Bench]) -> int:
    """Names the verdicts that differ from those of the shipped results of the same GPU, or else of each GPU."""
    files = sorted((STUDY / "results").glob("*-maps.json"))
    shipped = [read(str(path).replace("-maps.json", ".json.gz")) for path in files]
    status = 0
    for mine in benches:
        for one in [one for one in shipped if one.device == mine.device] or shipped:
            apart, both = differences(mine, one)
            print("\n".join([*apart, f"{mine.device}: {len(apart)} of {both} verdicts differ from the shipped ones"]))
            status = 1 if apart or not both else status
    return status


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Tests published claims by results, one file of study/measure per GPU.",
        "A claim whose runs are missing is 'not measured yet'. The device's check of its maps is read from "
        "GPU-maps.json\n"
        "beside GPU.json.gz. With --check nothing is written: exit status 1 when a verdict differs from that of the\n"
        "shipped results of the same GPU (of each GPU, if there are none), or none can be compared.",
    )
    parser.add_argument("results", nargs="+", metavar="FILE")
    cli.add_output(parser)
    parser.add_argument("--unverified", action="store_true", help="include runs whose results were not verified")
    parser.add_argument("--check", action="store_true", help="compare the verdicts with the shipped ones")
    options = parser.parse_args(arguments)
    benches = [read(word, options.unverified) for word in options.results]
    if options.check:
        return check(benches)
    words = ["build/venv/bin/python", f"study/{PROG}", *options.results]
    words += ["-o", options.output] if options.output != "-" else []
    command = " ".join([*words, "--unverified"] if options.unverified else words)
    cli.write_output(options.output, text(benches, command))
    return 0
