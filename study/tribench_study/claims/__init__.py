"""Published claims tested by results: each claim with its verdict on every GPU at hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tribench_report import cli
from tribench_report.select import add_unverified
from tribench_report.table import markdown

from . import automata, simplex, tetra, triangle
from .bench import Bench, read
from .rules import Claim, Finding, Verdict

PROG = "claims"
CLAIMS = (*triangle.CLAIMS, *tetra.CLAIMS, *simplex.CLAIMS, *automata.CLAIMS)

HEAD = """# Published claims, and what these GPUs say

This page is generated, so no figure of ours is typed by hand:

    {command}

The claims are in the order of the texts, in our words. The published figures were measured on older GPUs: a claim that
does not hold here may still be right there. [README.md](../README.md#references) and
[workloads.md](workloads.md#references) list the texts. [record.md](record.md) says how a number is measured.

* Our figures are ratios of times with their 95 % intervals: I, or how many times longer one kernel takes. For a claim
  about several N, the figure is the middle one, with the range of all intervals. A percentage is the share of the time
  that is saved.
* **holds**: the effect is as large as published, within a tenth. **holds stronger**, **holds weaker**: the effect has
  the same direction, but it is larger or smaller. **does not hold**: the interval includes no effect, or has the other
  direction. Where only a bound or an order was published, the whole interval has to be on the published side. Where
  things are said to be equal or within limits, the interval has to meet the limits in brackets in the column
  *published*.
* **holds in part**: the claim holds at some of several N or kernels. The count is beside the figure. A claim about a
  rank is tested by rank.
* *noted*: the number of results behind a figure that rest on a run with a [caveat](record.md#caveats), such as two
  modes.
* *not measured yet*: the results lack the runs, which `study/measure` makes. **not measured**: no run here can test
  the claim, for the reason given.
* Labels that begin with `published-` are runs on the tiles of the texts: 64 x 4 with one cell per thread, 128 x 4 with
  two. A run on a tile of 64, with 16 cells per thread, never stands for one of them.
* Each row rests on one invocation and names its *label*: `study/claims
  study/results/h200.json.gz:paper` computes the rows of the label `paper` from that invocation alone. Labels joined by
  + are several invocations (write a comma for the +). Their interval is 4 % wider, because one kernel differed by that
  much between two invocations. The label `maps` is the device's own check of every map,
  [h200-maps.json](../study/results/h200-maps.json), which the command also reads.
* Reasons are guesses unless they name [h200-counters.csv](../study/results/h200-counters.csv), which
  `study/counters` makes. [h100-counters.csv](../study/results/h100-counters.csv) has the same for an H100.
* Only the abstract is tested of the text on the map H (A scalable and energy efficient GPU thread map for m-simplex
  domains, FGCS 2023, doi:10.1016/j.future.2022.12.020, arXiv:2208.11617). It does not name its tests: `write`,
  `accumulate` and `life` are ours, at powers of two, in blocks of 16 x 16 and 8 x 8 x 8. Trees run at their best n_c of
  32, 64 and 128, and for energy at 128. "Among the highest" and "one of the most" mean beyond the middle one of the
  other maps.
* Techniques of cellular automata are compared on the whole square, as in the texts, if that was measured, and
  otherwise on the triangle.

"""


def _number(value: float, unit: str) -> str:
    if unit == "n":
        return f"{value:,.0f}"
    return f"{value:.1f}" if unit == "percent" else f"{value:.2f}"


def ours(claim: Claim, finding: Finding | None) -> str:
    """'1.96 [1.95, 1.97] (dummy, N = 30,720)', and the number of N or kernels at which the claim holds."""
    if finding is None:
        return "–"
    v, unit = finding.value, finding.unit
    text = ("N = " if unit == "n" else "") + _number(v.value, unit)
    if v.low != v.high:
        text += f" [{_number(v.low, unit)}, {_number(v.high, unit)}]"
    verdicts = claim.verdicts(finding)
    holds = sum(verdict is not Verdict.NOT for verdict in verdicts)
    share = f"; {holds} of {len(verdicts)}" if len(verdicts) > 1 else ""
    noted = sum(one.noted for one in finding.each or (v,))
    share += f"; {noted} noted" if noted else ""
    return f"{text}{' %' if unit == 'percent' else ''} ({finding.where}{share})"


def published(claim: Claim) -> str:
    """The published figure, with the limits that ours has to meet if it has some."""
    limits = " [{:g}, {:g}]".format(*claim.rule.limits) if claim.rule.limits else ""
    return claim.published + limits


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


def _row(number: int, claim: Claim, benches: Sequence[Bench]) -> list[str]:
    answers = [claim.answer(bench) for bench in benches]
    findings = [finding for finding, _ in answers]
    verdicts = [claim.verdict(finding) for finding in findings]
    named = [(short_name(bench.device), verdict) for bench, verdict in zip(benches, verdicts)]
    shown = [ours(claim, finding) for finding in findings]
    words = [
        in_words(named),
        why_in_words(claim, named),
        _labels([(name, label) for (name, _), (_, label) in zip(named, answers)]),
    ]
    return [str(number), claim.what, claim.place, f"{published(claim)} ({claim.gpu})", *shown, *words]


def counts(benches: Sequence[Bench]) -> str:
    """'* NVIDIA H200: holds 18, ...' per GPU."""
    lines = []
    for bench in benches:
        seen = Counter(claim.verdict(claim.answer(bench)[0]) for claim in CLAIMS if not claim.is_arithmetic)
        parts = ", ".join(f"{verdict.value} {seen[verdict]}" for verdict in Verdict if seen[verdict])
        unchecked = sum(not run.is_verified for run in bench.runs)
        mark = f"; {unchecked} of {len(bench.runs)} runs not verified" if unchecked else ""
        lines.append(f"* {bench.device}: {parts}{mark}\n")
    return "".join(lines)


def shared(benches: Sequence[Bench]) -> str:
    """The number of measurements behind the answers, and the rows that share one."""
    rows: dict[object, list[int]] = {}
    for number, claim in enumerate(CLAIMS, 1):
        answers = [claim.answer(bench) for bench in benches]
        measured = tuple((label, found.each or found.value) for found, label in answers if found is not None)
        if measured:
            rows.setdefault(measured, []).append(number)
    groups = [" and ".join(map(str, numbers)) for numbers in rows.values() if len(numbers) > 1]
    count = sum(map(len, rows.values()))
    same = f" Rows that share one measurement: {', '.join(groups)}." if groups else ""
    return f"{count} are answered, by {len(rows)} measurements.{same}"


def text(benches: Sequence[Bench], command: str) -> str:
    columns = [short_name(bench.device) for bench in benches]
    head = ["", "claim", "where", "published", *columns, "verdict", "reason", "label"]
    sums = sum(claim.is_arithmetic for claim in CLAIMS)
    out = HEAD.format(command=command)
    out += f"There are {len(CLAIMS)} claims. {sums} of them are arithmetic, the same on any GPU. {shared(benches)} "
    out += f"The claims that are not arithmetic:\n\n{counts(benches)}"
    for source in dict.fromkeys(claim.source for claim in CLAIMS):
        mine = [(k, claim) for k, claim in enumerate(CLAIMS, 1) if claim.source == source]
        rows = [_row(k, claim, benches) for k, claim in mine]
        out += f"\n## {source}\n\n{markdown(head, rows)}"
    return out.replace("---:", "---")


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Tests published claims by results, one file of study/measure per GPU.",
        "A claim whose runs are missing is 'not measured yet'. The device's check of its maps is read from "
        "GPU-maps.json\n"
        "beside GPU.json.gz.",
    )
    parser.add_argument("results", nargs="+", metavar="FILE")
    cli.add_output(parser)
    add_unverified(parser)
    options = parser.parse_args(arguments)
    benches = [read(word, options.unverified) for word in options.results]
    words = [f"study/{PROG}", *options.results]
    words += ["-o", options.output] if options.output != "-" else []
    command = " ".join([*words, "--unverified"] if options.unverified else words)
    cli.write_output(options.output, text(benches, command))
    return 0
