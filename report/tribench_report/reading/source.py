"""The content of one result file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Json = dict[str, Any]


def member(holder: Json, name: str) -> Json:
    """A member that is an object; empty if there is none."""
    value = holder.get(name)
    return value if isinstance(value, dict) else {}


class Line(Json):
    """A run that keeps the text it was read from, so that it need not be encoded again."""

    def __init__(self, members: Json, text: str) -> None:
        super().__init__(members)
        self.text = text


def with_source(run: Json, place: int) -> Json:
    """The run with its place in 'merged_from'."""
    changed = {**run, "source": place}
    if isinstance(run, Line) and "source" not in run:
        return Line(changed, f'{run.text[:-1]}, "source": {place}}}')
    return changed


class Name(NamedTuple):
    """Identifies a run among files of several devices."""

    key: str
    device: str
    host: str


def device_of(environment: Json, engine: object) -> str:
    """The name of the GPU; for runs of the cpu engine, that of the processor with the number of threads used."""
    if engine == "cpu":
        cpu = environment.get("cpu") or {}
        threads = cpu.get("threads")
        suffix = f", {threads} thread{'' if threads == 1 else 's'}" if threads else ""
        return str(cpu.get("model") or "unknown processor") + suffix
    return str((environment.get("gpu") or {}).get("name") or "unknown GPU")


def host_of(environment: Json) -> str:
    return str((environment.get("host") or {}).get("name") or "unknown host")


INVOCATION = ("tool", "command", "labels", "shard", "started", "finished", "timing", "environment")


@dataclass(slots=True)
class Source:
    """One result file: the members around the runs, and the runs, one per key, device and host."""

    name: str
    schema: Json
    # The members around the runs, by the names in INVOCATION. The labels are None in files that are older than these.
    around: Json
    runs: dict[Name, Json] = field(default_factory=dict)
    merged_from: list[Json] = field(default_factory=list)
    # The searches of --tune, each with its trials.
    tuning: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def part(self) -> Json:
        """The entry for this file, or for one invocation that wrote to it, in a joined document."""
        return {"file": self.name, **self.around, "labels": self.around["labels"] or {}, "runs": len(self.runs)}

    @property
    def parts(self) -> list[Json]:
        """The invocations that made the runs: those of a joined document, or the one of this file."""
        return self.merged_from or [self.part()]

    @property
    def runs_by_part(self) -> list[list[Json]]:
        runs: list[list[Json]] = [[] for _ in self.parts]
        for run in self.runs.values():
            runs[run.get("source") or 0].append(run)
        return runs

    @property
    def environments(self) -> list[Json]:
        """The environment of each part."""
        return [part.get("environment") or {} for part in self.parts]

    def environment_of(self, run: Json) -> Json:
        return self.environments[run.get("source") or 0] if self.merged_from else self.around["environment"]

    def name_of(self, run: Json) -> Name:
        environment = self.environment_of(run)
        return Name(run["key"], device_of(environment, run.get("engine")), host_of(environment))

    @property
    def major(self) -> int:
        return int(self.schema["major"])


def verification(run: Json) -> str:
    """The result of the verification: pass, fail or none."""
    return str(member(run, "verified").get("status") or "none")


UNMEASURED = ("skipped", "planned")


def displaces(run: Json, held: Json | None) -> bool:
    """
    Whether a later record of a key replaces the earlier one: a run that was not started does not undo a measurement.
    """
    return held is None or run.get("status") not in UNMEASURED or held.get("status") in UNMEASURED


def is_wrong(run: Json) -> bool:
    """Whether the run gave a wrong result: unlike other failures, a second try does not undo that."""
    return verification(run) == "fail"


def rank(run: Json) -> tuple[int, bool]:
    """
    How much a run tells. An invocation without verification or energy does not undo those of another one, and a wrong
    result stays wrong until a run is verified.
    """
    if is_wrong(run):
        return 2, False
    if run.get("status") != "ok":
        return 0, False
    return 3 if verification(run) == "pass" else 1, member(run, "energy").get("launch_j") is not None


def name_of_part(file: object) -> str:
    """The name by which a part is chosen: 'paper' for what was read from 'DIR/paper.json.gz'."""
    return re.sub(r"(\.jsonl?|\.csv)?(\.gz)?$", "", re.split("[/:]", str(file))[-1])


def common_labels(sources: Sequence[Source]) -> Json | None:
    labels = [one.around["labels"] for one in sources]
    if None in labels:
        return None
    return {name: text for name, text in labels[0].items() if all((name, text) in one.items() for one in labels)}


def _undoes(run: Json, held: Json) -> bool:
    """Whether `run` is not verified, but an earlier invocation verified that result."""
    return run.get("status") == "ok" and verification(run) == "none" != verification(held)


def resumed(invocations: list[Source], warnings: list[str]) -> Source:
    """Joins the invocations that wrote to one file: as in joined files, each run of several names its invocation."""
    if len(invocations) == 1:
        return replace(invocations[0], warnings=warnings)
    first, ends = invocations[0], [one.around["finished"] for one in invocations]
    whole = Source(
        name=first.name,
        schema=max((one.schema for one in invocations), key=lambda schema: int(schema.get("minor") or 0)),
        around={
            **first.around,
            "labels": common_labels(invocations),
            "shard": None,
            "finished": max(filter(None, ends), default=None),
            "timing": None,
        },
        merged_from=[one.part() for one in invocations],
        tuning=[tuning for one in invocations for tuning in one.tuning],
        warnings=warnings,
    )
    for place, one in enumerate(invocations):
        for name, run in one.runs.items():
            # The later record is the valid one, at the place of the first.
            held = whole.runs.get(name)
            if displaces(run, held) and not (held and _undoes(run, held)):
                whole.runs[name] = with_source(run, place)
    return whole
