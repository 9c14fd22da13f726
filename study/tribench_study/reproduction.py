"""docs/reproduction.md: each figure and table of the texts beside ours, and the hardware behind both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from tribench_report import documents

from .bench import Bench
from .claims import CLAIMS, Claim, ours, published, short_name
from .pages import STUDY, render

DATA = yaml.safe_load((STUDY / "reproduction.yaml").read_text(encoding="utf-8"))
PLACE = re.compile(r"(figure|table)s? (\S+?)(?: and (\S+?))?(?=[,;]|$)")


def places(words: str) -> set[str]:
    """{'figure 6.2', 'figure 6.4'} of '6.3.2, figures 6.2 and 6.4'."""
    return {f"{kind} {number}" for kind, *numbers in PLACE.findall(words) for number in numbers if number}


def rows(source: str, name: str, own: Sequence[dict[str, Any]]) -> list[Claim]:
    """The claims of a text that are about a figure or table, and what else is published there."""
    asked = [claim for claim in CLAIMS if claim.source == source and name in places(claim.place)]
    return asked + [Claim(source=source, place=name, why={}, **one) for one in own]


def _cells(claim: Claim, benches: Sequence[Bench]) -> list[str]:
    findings = [claim.answer(bench)[0] for bench in benches]
    if claim.measure is None:
        return [claim.claim, published(claim), *("–" for _ in benches), next(iter(claim.why.values()))]
    return [claim.claim, published(claim), *(ours(claim, finding) for finding in findings), ""]


def _span(values: Sequence[float], unit: str) -> str:
    known = sorted({value for value in values if value})
    if not known:
        return "not recorded"
    return " to ".join(dict.fromkeys(f"{value:,.4g}" for value in (known[0], known[-1]))) + f" {unit}"


def hardware(path: Path) -> list[str]:
    """A row of the records of one GPU: what all of its invocations say."""
    (whole,) = documents.read([str(path)])
    environments = [part["environment"] for part in whole.parts]
    gpus = [one["gpu"] for one in environments]
    states = [run["device_state"] for run in whole.runs if run.get("device_state")]

    def every(holders: Sequence[dict[str, Any]], name: str) -> str:
        return ", ".join(dict.fromkeys(str(one[name]) for one in holders if one.get(name)))

    def gib(holders: Sequence[dict[str, Any]]) -> list[float]:
        return [one["memory_bytes"] / 2**30 for one in holders]

    cards = len({gpu["uuid"] for gpu in gpus})
    fill = [one["peak_bandwidth"]["fill_gb_per_s"] for one in environments if one.get("peak_bandwidth")]
    hosts, cpus = ([one[name] for one in environments] for name in ("host", "cpu"))
    return [
        f"{every(gpus, 'name')}, {cards} card{'s' * (cards > 1)}", f"{every(gpus, 'sms')} SMs",
        f"SM {_span([state['sm_mhz'] for state in states], 'MHz')}; locked: {every(gpus, 'locked_clocks') or 'no'}",
        f"limit not recorded; {_span([state['power_w'] for state in states], 'W')} drawn",
        f"{_span(gib(gpus), 'GiB')}, filled at {_span(fill, 'GB/s')}",
        f"{every(cpus, 'model')}, {every(cpus, 'cores')} cores, {_span(gib(cpus), 'GiB')}",
        f"{every(hosts, 'os')}; driver {every(gpus, 'driver')}, CUDA {every(gpus, 'runtime')}",
    ]  # fmt: skip


def text(benches: Sequence[Bench], files: Sequence[Path]) -> str:
    sections = {
        source: [
            {
                **{"name": name, "at": "", "ours": "", "without": ""},
                **how,
                "rows": [_cells(one, benches) for one in rows(source, name, how.get("rows", []))],
            }
            for name, how in figures.items()
        ]
        for source, figures in DATA["texts"].items()
    }
    known = ("text", "gpu", "cores", "clock", "power", "memory", "host", "software")
    machines = [[one.get(name, "–") for name in known] for one in DATA["machines"]]
    machines += [["these pages", *hardware(path)] for path in files]
    head = ["", "published", *(short_name(bench.device) for bench in benches), "why not"]
    return render("reproduction.md", sections=sections, head=head, machines=machines)
