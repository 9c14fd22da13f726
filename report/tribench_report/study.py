"""A study: the usable runs of some result files, and where they come from."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .differences import Facts, facts_of
from .errors import ReportError
from .merge import Joined, count_clashes, join
from .model import Run, integer, not_verified, parse
from .reading.load import kept, read_all
from .reading.source import Json, Name, Source, device_of, host_of, member
from .shards import gaps


@dataclass(slots=True)
class Study:
    runs: list[Run]
    # The invocations that made them; the origin of a run is a place in this list.
    parts: list[Json]
    warnings: list[str]
    # For each invocation, facts that may explain why its times differ from another's.
    facts: list[Facts]
    # Names of devices on several hosts that measured the same runs: there the host is part of the device's name.
    shared_names: set[str] = field(default_factory=set)
    # Whether runs that were not verified count as usable.
    unverified: bool = False
    # (key, device) of the winner of a search -> the number of combinations tried.
    searched: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def usable(self) -> list[Run]:
        return [run for run in self.runs if run.is_usable and (self.unverified or run.is_verified)]

    @property
    def environments(self) -> list[Json]:
        return [part.get("environment") or {} for part in self.parts]

    @property
    def dates(self) -> list[str]:
        return [str(part["started"]) for part in self.parts if part.get("started")]

    def _parts(self, runs: Iterable[Run] | None) -> list[Json]:
        """The invocations that made these runs; all invocations if `runs` is None."""
        return self.parts if runs is None else [self.parts[origin] for origin in sorted({run.origin for run in runs})]

    def devices(self, engine: str | None = None, runs: Iterable[Run] | None = None) -> list[str]:
        """'NVIDIA H200, driver 580.95, CUDA 13.0' or the name of the CPU, each once; for these runs, or for all."""
        names: dict[str, None] = {}
        for part in self._parts(runs):
            environment = member(part, "environment")
            gpu, cpu = member(environment, "gpu"), member(environment, "cpu")
            if gpu and engine != "cpu":
                words = [self._label(environment, "cuda")]
                words += [f"driver {gpu['driver']}"] if gpu.get("driver") else []
                words += [f"CUDA {gpu['runtime']}"] if gpu.get("runtime") else []
            else:
                words = [self._label(environment, "cpu")]
                words += [f"{cpu['cores']} cores"] if cpu.get("cores") else []
            names[", ".join(words)] = None
        return list(names)

    def _label(self, environment: Json, engine: str) -> str:
        name = device_of(environment, engine)
        return f"{name} ({host_of(environment)})" if name in self.shared_names else name

    def version(self, runs: Iterable[Run] | None = None) -> str:
        """'tribench 0.1.0 (3f2a91c)', with the commits of all builds that made these runs, or all runs."""
        builds: dict[str, list[str]] = {}
        for tool in (member(part, "tool") for part in self._parts(runs)):
            commits = builds.setdefault(f"{tool.get('name') or 'tribench'} {tool.get('version') or '?'}", [])
            commit = str(tool.get("git_commit") or "")[:9]
            if commit and commit not in commits:
                commits.append(commit)
        return " and ".join(name + (f" ({', '.join(commits)})" if commits else "") for name, commits in builds.items())

    def date(self, runs: Iterable[Run] | None = None) -> str:
        """The day on which these runs, or all runs, were measured, or the first and the last day."""
        days = sorted({str(start)[:10] for part in self._parts(runs) if (start := part.get("started"))})
        if not days:
            return "date unknown"
        return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"

    def command_lines(self, runs: Iterable[Run] | None = None) -> list[str]:
        """Each command that made these runs, or all runs, once, as it would be typed."""
        commands = [part.get("command") for part in self._parts(runs)]
        return list(dict.fromkeys(shlex.join(map(str, command)) for command in commands if command))

    def peaks(self, runs: Sequence[Run]) -> dict[str, float]:
        """The ceilings of these runs, by their names in the record: the highest value of each.

        An environment has the ceilings of one device; runs on several devices may reach the sum.
        """
        found: dict[str, float] = {}
        for origin, count in {(run.origin, run.rank_count) for run in runs}:
            environment = self.environments[origin]
            rates = {**(environment.get("peak_bandwidth") or {}), **(environment.get("peak_arithmetic") or {})}
            for name, value in rates.items():
                short = name.partition("_")[0]
                if value and name.endswith("_per_s"):
                    found[short] = max(count * float(value), found.get(short, 0.0))
        return found

    def idle_power(self, runs: Sequence[Run]) -> float | None:
        """The device's power at rest, in watts: the lowest value that an invocation of these runs measured."""
        found = [self.environments[origin].get("idle_power_w") for origin in {run.origin for run in runs}]
        return min((float(watts) for watts in found if watts), default=None)


def _shared_names(joined: Joined) -> set[str]:
    """
    Device names that need their host. Hosts that share the work of one sweep count as one device; hosts that both did
    the same run are to be compared.
    """
    hosts: dict[tuple[str, str], set[str]] = {}
    for name in joined.runs:
        hosts.setdefault((name.key, name.device), set()).add(name.host)
    return {device for (_, device), found in hosts.items() if len(found) > 1}


def _device(name: Name, shared_names: set[str]) -> str:
    return f"{name.device} ({name.host})" if name.device in shared_names else name.device


def _searched(sources: Sequence[Source], shared_names: set[str]) -> dict[tuple[str, str], int]:
    """The winners of searches, only for the devices of the same file: elsewhere the winner was an ordinary run."""
    found = {}
    for source in sources:
        tried = {str(tuning.get("winner")): integer(tuning.get("tried")) or 0 for tuning in source.tuning}
        for name in source.runs:
            if name.key in tried:
                found[name.key, _device(name, shared_names)] = tried[name.key]
    return found


def _parse(joined: Joined, name: Name, shared_names: set[str]) -> Run:
    origin, device = joined.origins[name], _device(name, shared_names)
    try:
        return parse(joined.runs[name], origin, device)
    except ReportError as problem:
        raise ReportError(f"{joined.files[origin]}: {problem}") from None


def _some(count: int, one: str, several: str) -> str:
    """'1 run was' or '2 runs were'."""
    return f"1 run {one}" if count == 1 else f"{count} runs {several}"


def _unverified(runs: Sequence[Run], are_taken: bool) -> list[str]:
    unchecked = [run.key for run in runs if not_verified(run)]
    if not unchecked:
        return []
    if are_taken:
        return [f"{_some(len(unchecked), 'was', 'were')} not verified, {unchecked[0]} first"]
    some = _some(len(unchecked), "was not verified and is", "were not verified and are")
    return [f"{some} left out, {unchecked[0]} first (--unverified takes them)"]


def _caveats(runs: Sequence[Run]) -> list[str]:
    """Says how many runs to read with care, and why."""
    found: dict[str, list[str]] = {}
    for run in runs:
        for words in run.caveats if run.is_usable else ():
            found.setdefault(words, []).append(run.key)
    return [f"{_some(len(keys), 'is', 'are')} noted: {words}, {keys[0]} first" for words, keys in found.items()]


def from_sources(sources: Sequence[Source], unverified: bool = False) -> Study:
    """Input: unverified, whether runs that were not compared with the reference count."""
    joined = join(sources)
    shared_names = _shared_names(joined)
    runs = [_parse(joined, name, shared_names) for name in joined.runs]
    warnings = [sentence for source in sources for sentence in source.warnings]
    warnings += count_clashes(joined.clashes) + gaps(sources)
    wrong = [run.key for run in runs if run.verified == "fail"]
    if wrong:
        some = _some(len(wrong), "failed verification and is", "failed verification and are")
        warnings.append(f"{some} left out, {wrong[0]} first")
    warnings += _unverified(runs, unverified)
    warnings += _caveats(runs)
    return Study(
        runs=runs,
        parts=joined.parts,
        warnings=warnings,
        facts=[facts for source in sources for facts in facts_of(source)],
        shared_names=shared_names,
        unverified=unverified,
        searched=_searched(sources, shared_names),
    )


@kept()
def read(words: Sequence[str], unverified: bool = False) -> Study:
    return from_sources(read_all(words), unverified)
