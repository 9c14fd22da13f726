"""A study: the usable runs of some result files, and where they come from."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from .errors import ReportError
from .load import Json, Source, read_all
from .merge import count_clashes, gpu_warnings, join
from .model import Run, parse
from .shards import gaps


@dataclass(slots=True)
class Study:
    runs: list[Run]
    environments: list[Json]
    tools: list[Json]
    commands: list[list[str]]
    dates: list[str]
    warnings: list[str]
    # Key -> another device that it was measured on too, by a run which gave way to the later one.
    elsewhere: dict[str, str] = field(default_factory=dict)

    @property
    def usable(self) -> list[Run]:
        return [run for run in self.runs if run.is_usable]

    def devices(self, engine: str | None = None) -> list[str]:
        """'NVIDIA H200, driver 580.95, CUDA 13.0' or the name of the CPU, each once."""
        names: list[str] = []
        for environment in self.environments:
            gpu, cpu = environment.get("gpu"), environment.get("cpu") or {}
            if gpu and engine != "cpu":
                words = [str(gpu.get("name"))]
                if gpu.get("driver"):
                    words.append(f"driver {gpu['driver']}")
                if gpu.get("runtime"):
                    words.append(f"CUDA {gpu['runtime']}")
                name = ", ".join(words)
            else:
                cores = f", {cpu['cores']} cores" if cpu.get("cores") else ""
                name = f"{cpu.get('model') or 'unknown processor'}{cores}"
            if name not in names:
                names.append(name)
        return names

    def version(self) -> str:
        """'tribench 0.1.0 (3f2a91c)', or both when two builds took part."""
        names: list[str] = []
        for tool in self.tools:
            commit = tool.get("git_commit")
            name = f"{tool.get('name') or 'tribench'} {tool.get('version') or '?'}"
            if commit:
                name += f" ({str(commit)[:9]})"
            if name not in names:
                names.append(name)
        return " and ".join(names)

    def date(self) -> str:
        """The day of the measurement, or the first and the last."""
        days = sorted({date[:10] for date in self.dates})
        if not days:
            return "date unknown"
        return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"

    def command_lines(self) -> list[str]:
        """Every command that made these runs, each once, as it would be typed."""
        return list(dict.fromkeys(shlex.join(command) for command in self.commands if command))

    def peak(self, name: str) -> float | None:
        """A measured peak bandwidth; None when the files are of several devices, as it holds for none of them then."""
        values = {(e.get("peak_bandwidth") or {}).get(name) for e in self.environments if e.get("gpu")}
        gpus = {(e.get("gpu") or {}).get("name") for e in self.environments}
        found = sorted(float(v) for v in values if v is not None)
        return found[-1] if found and len(gpus) == 1 else None


def from_sources(sources: Sequence[Source]) -> Study:
    joined = join(sources)
    devices = [_device(part.get("environment") or {}) for part in joined.parts]
    runs, elsewhere = [], {}
    for key, run in joined.runs.items():
        origin, which = joined.origins[key], 1 if run.get("engine") == "cpu" else 0
        device = devices[origin][which]
        try:
            runs.append(parse(run, origin, device))
        except ReportError as problem:
            raise ReportError(f"{joined.files[origin]}: {problem}") from None
        for place in joined.beaten.get(key, ()):
            if devices[place][which] != device:
                elsewhere[key] = devices[place][which]
    warnings = [sentence for source in sources for sentence in source.warnings]
    warnings += gpu_warnings(sources) + count_clashes(joined.clashes) + gaps(sources)
    wrong = [run.key for run in runs if run.verified == "fail"]
    if wrong:
        warnings.append(f"{len(wrong)} runs failed verification and are left out, {wrong[0]} first")
    return Study(
        runs=runs,
        environments=[part.get("environment") or {} for part in joined.parts],
        tools=[part.get("tool") or {} for part in joined.parts],
        commands=[[str(word) for word in part.get("command") or []] for part in joined.parts],
        dates=[str(part["started"]) for part in joined.parts if part.get("started")],
        warnings=warnings,
        elsewhere=elsewhere,
    )


def _device(environment: Json) -> tuple[str, str]:
    """The names of the GPU and the CPU of a machine."""
    gpu, cpu = environment.get("gpu") or {}, environment.get("cpu") or {}
    return str(gpu.get("name") or "unknown GPU"), str(cpu.get("model") or "unknown processor")


def read(words: Sequence[str]) -> Study:
    return from_sources(read_all(words))
