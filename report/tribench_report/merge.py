"""Joins result files into one document, and says what does not fit together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import cli, schema, shards
from .differences import facts_of, sentence
from .errors import ReportError
from .reading.checks import SCHEMA_NAME
from .reading.load import SCHEMA_MAJOR, read_all
from .reading.source import (
    Json,
    Line,
    Name,
    Source,
    common_labels,
    device_of,
    displaces,
    is_wrong,
    name_of_part,
    rank,
    with_source,
)

PROG = "merge"
NAMED_AT_MOST = 10
RESULT_FIELDS = ("verified", "time_ms", "result", "launch")


def differs(one: Json, other: Json) -> bool:
    """Whether two runs of one key both succeeded with different results."""
    if one.get("status") != "ok" or other.get("status") != "ok":
        return False
    return any(one.get(name) != other.get(name) for name in RESULT_FIELDS)


@dataclass(slots=True)
class Joined:
    """
    One run per key, device and host, the part that each comes from, and the clashes. `files` names the file that each
    part was read from.
    """

    parts: list[Json] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    runs: dict[Name, Json] = field(default_factory=dict)
    origins: dict[Name, int] = field(default_factory=dict)
    clashes: list[str] = field(default_factory=list)


def join(sources: Sequence[Source]) -> Joined:
    """
    Keeps one run per key, device and host: ok beats not ok, any other end beats a run that never began, verified beats
    not verified, energy beats none, then the later file wins. Ok runs that differ are a clash.
    """
    joined = Joined()
    for source in sources:
        first = len(joined.parts)
        joined.parts += source.parts
        joined.files += [source.name] * (len(joined.parts) - first)
        for name, run in source.runs.items():
            held = joined.runs.get(name)
            if not displaces(run, held):
                continue
            if held is not None:
                before = joined.parts[joined.origins[name]]["file"]
                if differs(held, run):
                    joined.clashes.append(f"{name.key} differs between {before} and {source.name}")
                elif is_wrong(held) != is_wrong(run):
                    wrong, other = (before, source.name) if is_wrong(held) else (source.name, before)
                    joined.clashes.append(f"{name.key} was wrong in {wrong}, and not in {other}")
                if rank(held) > rank(run):
                    continue
            joined.runs[name] = run
            joined.origins[name] = first + int(run.get("source") or 0)
    _forget_failures(joined)
    return joined


def _forget_failures(joined: Joined) -> None:
    """
    Drops a run that failed on one host if another host with the same device tried it again: one record is enough. A
    wrong result stays, because nothing else would report a device that computes wrong results.
    """
    kept: dict[tuple[str, str], Name] = {}
    for name, run in list(joined.runs.items()):
        if is_wrong(run):
            continue
        place = (name.key, name.device)
        held = kept.get(place)
        if held is not None and run.get("status") != "ok" and joined.runs[held].get("status") == "ok":
            del joined.runs[name], joined.origins[name]
            continue
        if held is not None and joined.runs[held].get("status") != "ok":
            del joined.runs[held], joined.origins[held]
        kept[place] = name


def _devices(sources: Sequence[Source], engine: str) -> dict[str, str]:
    """The devices of an engine's runs -> the first file that has such runs."""
    found: dict[str, str] = {}
    for source in sources:
        for environment in source.environments:
            if bool(environment.get("gpu")) == (engine != "cpu"):
                found.setdefault(device_of(environment, engine), source.name)
    return found


def device_warnings(sources: Sequence[Source]) -> list[str]:
    """
    Warns about different GPUs, and about different processors; runs of the cpu engine may stand beside runs of a GPU.
    """
    found = []
    for engine, what in (("cuda", "GPUs"), ("cpu", "processors")):
        devices = _devices(sources, engine)
        if len(devices) > 1:
            parts = [f"{name} ({file})" for name, file in sorted(devices.items())]
            found.append(f"the runs come from different {what}: {', '.join(parts)}")
    return found


def document(sources: Sequence[Source], command: Sequence[str]) -> tuple[Json, list[str]]:
    """The merged document, and the sentences about runs that clash."""
    joined = join(sources)
    several = len(joined.parts) > 1
    around = sources[0].around
    merged = _around(sources, command if several else around["command"])
    if several:
        merged["merged_from"] = joined.parts
        # 'source' is the place in merged_from: samples of two invocations must never be paired round by round.
        merged["runs"] = [with_source(run, joined.origins[name]) for name, run in joined.runs.items()]
    else:
        merged |= {name: around[name] for name in ("shard", "timing") if around[name]}
        merged["runs"] = list(joined.runs.values())
    return merged, joined.clashes


def collection(sources: Sequence[Source]) -> Json:
    """
    All runs of all files; each file is a part under its own name. Of two files with one name, the later one counts.
    """
    files = {f"{name_of_part(source.name)}.json": source for source in sources}
    merged = _around(list(files.values()), [cli.COMMAND, PROG, "--collect"])
    merged.pop("labels", None)  # each part has its own
    parts: list[Json] = []
    runs: list[Json] = []
    for file, source in sorted(files.items()):
        runs += [with_source(run, len(parts) + (run.get("source") or 0)) for run in source.runs.values()]
        parts += [{**part, "file": file} for part in source.parts]
    # Taken from the first part, whichever file was added last.
    around = {name: parts[0][name] for name in ("tool", "environment")}
    return {**merged, **around, "merged_from": parts, "runs": runs}


def _around(sources: Sequence[Source], command: Sequence[str]) -> Json:
    """The members of a document other than its parts and runs."""
    parts = [part for source in sources for part in source.parts]
    started = [part["started"] for part in parts if part.get("started")]
    finished = [part["finished"] for part in parts if part.get("finished")]
    around: Json = {
        "schema": {
            "name": SCHEMA_NAME,
            "major": SCHEMA_MAJOR,
            "minor": max(int(s.schema.get("minor") or 0) for s in sources),
        },
        "tool": sources[0].around["tool"],
        "command": list(command),
        # ISO 8601 in UTC sorts as text.
        "started": min(started, default=None),
        "finished": max(finished, default=None),
        "environment": sources[0].around["environment"],
    }
    labels = common_labels(sources)
    if labels is not None:
        around["labels"] = labels
    tunings: list[Json] = []  # each once, although a document and the lines it was made of may both be read
    for source in sources:
        tunings += [tuning for tuning in source.tuning if tuning not in tunings]
    if tunings:
        around["tuning"] = tunings
    return around


_ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def _line(run: Json) -> str:
    return run.text if isinstance(run, Line) else _ONE_LINE.encode(run)


def dump(value: Any) -> str:
    """Writes one run per line: compact, and a line-based diff still shows what changed."""
    if not isinstance(value, dict) or not value.get("runs"):
        return _ONE_LINE.encode(value) + "\n"
    lists = [name for name in ("tuning", "runs") if value.get(name)]
    head = {name: part for name, part in value.items() if name not in lists}
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, indent=1)[:-2]
    for name in lists:
        lines = ",\n  ".join(map(_line, value[name]))
        text += f',\n "{name}": [\n  {lines}\n ]'
    return text + "\n}\n"


def name_clashes(clashes: Sequence[str]) -> list[str]:
    named = [f"twice with different results: {clash}" for clash in clashes[:NAMED_AT_MOST]]
    if len(clashes) > NAMED_AT_MOST:
        named.append(f"and {len(clashes) - NAMED_AT_MOST} more runs appear twice with different results")
    return named


def count_clashes(clashes: Sequence[str]) -> list[str]:
    """All clashes in one sentence, for commands that read several sweeps, which may overlap."""
    if len(clashes) < 2:
        return name_clashes(clashes)
    which = "the verified run counts, then that with energy, then the later file"
    return [f"{len(clashes)} runs appear twice with different results, {which}: {clashes[0]}, ..."]


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Joins result files (json or jsonl, gzipped or not) into one JSON document.",
        "A DIRECTORY stands for the result files in it. Of two runs with one key, device and host, one\n"
        "that succeeded beats one that did not, one that failed beats one that was skipped, one that\n"
        "was verified beats one that was not, and one with energy beats one without; otherwise the file named\n"
        "later wins. Runs that both succeeded with different results, or of which one was wrong, are named on\n"
        "standard error.\n"
        "Shards know of which sweep they are a part: where runs are missing, the sentence says which, and\n"
        "the exit status is 1; the document is written all the same.\n"
        "With --collect no run beats another: the document keeps every file as a part under the file's name,\n"
        "and FILE:NAME,... reads such parts (of any joined document) as the files that they were; a NAME may be\n"
        "a pattern. 'merge --collect all.json.gz:* new.json -o all.json.gz' puts new.json in the place of the\n"
        "part 'new'.",
    )
    cli.add_results(parser)
    cli.add_output(parser)
    parser.add_argument("--strict", action="store_true", help="fail when a run appears twice with different results")
    parser.add_argument(
        "--partial", action="store_true", help="exit with status 0 although runs of a sharded sweep are missing"
    )
    parser.add_argument("--validate", action="store_true", help="check every run against the JSON Schema as well")
    parser.add_argument("--collect", action="store_true", help="keep all runs, those of each file under its name")
    options = parser.parse_args(arguments)

    sources = read_all(options.results)
    for source in sources:
        cli.warn(PROG, source.warnings)
    different = device_warnings(sources)
    cli.warn(PROG, different)
    if not options.collect:
        said = ("GPU", "processor") if different else ()
        facts = [{n: fact for n, fact in one.items() if n not in said} for s in sources for one in facts_of(s)]
        cli.warn(PROG, sentence({"": facts}, "the parts"))
    merged, clashes = (
        (collection(sources), []) if options.collect else document(sources, [cli.COMMAND, PROG, *arguments])
    )
    cli.warn(PROG, name_clashes(clashes))
    if options.strict and clashes:
        raise ReportError(f"{len(clashes)} runs appear twice with different results")
    if options.validate:
        schema.check(merged)
    cli.write_output(options.output, dump(merged))
    missing = shards.gaps(sources)
    cli.warn(PROG, missing)
    return 1 if missing and not options.partial else 0
