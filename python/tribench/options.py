"""The options of the program as keywords: `--max-time 3` is `max_time=3`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from .own import Workload

Names = str | Iterable[str]
Shapes = int | str | Iterable[int | str]  # 16, "64x4", [16, 32], range(16, 65, 16), "all"
File = str | PathLike[str]


class Options(TypedDict, total=False):
    """
    What `tribench --help=all` explains. A list is a list or a text with commas, an option without a value is True, and
    None and False leave an option out. Options about files, formats and messages of a command are not among them.
    """

    strategy: Names
    workload: Names | File | Workload
    n: Shapes  # cells per side
    block: Shapes  # threads
    tile: Shapes  # cells
    cutoff: Shapes  # cells per side
    layout: Literal["packed", "full", "blocked", "mirrored"]
    kernel: Names
    schedule: Names
    engine: str
    device: int | str
    threads: int
    baseline: str
    samples: int
    precision: float | str  # percent
    warmup: int  # launches
    max_time: float  # seconds per run
    timeout: float  # seconds
    cache: Literal["warm", "cold"]
    timing: Literal["batched", "host", "once"]
    energy: bool
    verify: File
    input: Any  # a file, or an array of numbers: a row per point, or a state
    seed: int
    label: Mapping[str, object]
    resume: File
    steps: int
    memory: Names
    cell: Names
    set: str | Mapping[str, object]
    shard: str
    tune: bool
    dry_run: bool


def _text(name: str, value: object) -> str:
    if name == "precision" and not isinstance(value, str):
        return f"{value}%"
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, PathLike)):
        return ",".join(map(str, value))
    return str(value)


def words(options: Mapping[str, Any]) -> list[str]:
    """The options as words of a command line: {"n": [8, 16], "energy": True} as --n=8,16 --energy."""
    found = []
    for name, value in options.items():
        dashed = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            found.append(dashed)
        elif isinstance(value, Mapping):
            found += [f"{dashed}={key}={_text(key, one)}" for key, one in value.items()]
        else:
            found.append(f"{dashed}={_text(name, value)}")
    return found
