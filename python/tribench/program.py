"""Starts the program and reads what it writes."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from . import arrays, own, paths
from .errors import KINDS, Interrupted, TribenchError, UsageError
from .options import Options, words
from .progress import Bar
from .result import Result

if TYPE_CHECKING:
    import pandas as pd


class Ended(NamedTuple):
    """How the program ended: its exit status, its messages, and its standard output."""

    status: int
    said: str
    out: str


def execute(command: Sequence[str], progress: bool | None = False) -> Ended:
    """Runs the program; ^C ends it within two seconds, a second one kills it. Errors: DeviceError, it is not there"""
    bar, stops = Bar(progress), 0
    quiet = [] if bar.is_shown else ["--quiet"]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        try:
            process = subprocess.Popen(
                ["tribench", *command, *quiet], executable=paths.program(), stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            )  # fmt: skip
        except OSError as problem:
            raise KINDS[4](f"{paths.program()}: {problem.strerror}: run make, or name it in TRIBENCH") from None
        assert process.stderr is not None
        while True:
            try:
                for line in process.stderr:
                    bar.read(line)
                status = process.wait()
                break
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT if stops == 0 else signal.SIGKILL)
                stops += 1
        bar.close()
        out.seek(0)
        said = "\n".join(line.removeprefix("tribench: ") for line in bar.messages)
        if status < 0:
            said, status = f"{said}\nended by {signal.Signals(-status).name}".strip(), 128 - status
        return Ended(128 + signal.SIGINT if stops else status, said, out.read())


def _failure(ended: Ended, result: Result | None) -> TribenchError | Interrupted | None:
    """The exception for an exit status, with the reason of the first run that failed; None for 0."""
    if ended.status == 0:
        return None
    if ended.status == 128 + signal.SIGINT:
        return Interrupted(ended.said or "stopped by SIGINT", result)
    records = result.records if result else []
    reasons = [f": {one['key']}: {one['reason']}" for one in records if one.get("status") == "failed"]
    return KINDS.get(ended.status, TribenchError)((ended.said + "".join(reasons[:1])).strip(), result)


def run(
    *,
    output: bool = False,
    every: int = 0,
    check: bool = True,
    progress: bool | None = None,
    **options: Unpack[Options],
) -> Result:
    """
    Measures what the options say, as the program does, and returns the runs.

    Input: input, a file or an array (`arrays.save` says which); output, whether `Result.output` gets what a single run
    wrote; every, the steps between the states that it gets in its place (0: the output); check, whether a run that
    failed raises; progress, whether a bar is shown (None: on a terminal and in a notebook)
    Errors: TribenchError and its subclasses, with the program's sentence; Interrupted after ^C. Each has in `result`
    what was measured.
    """
    given: dict[str, Any] = dict(options)
    with tempfile.TemporaryDirectory(prefix="tribench-", dir=arrays.room(given.get("input"))) as name:
        folder = Path(name)
        if arrays.is_array(given.get("input")):
            given["input"] = arrays.save(given["input"], folder / "input.npy")
        given |= own.files(given, folder)
        if output:
            given["dump"] = f"{folder}/output.npy{f':{every}' if every else ''}"
        ended = execute([*words(given), "--output=-:jsonl"], progress)
        result = Result.of_lines(ended.out, given.get("verify") == "none") if ended.out else None
        if result and output and (folder / "output.npy").exists():
            result.output = arrays.opened(folder / "output.npy")
    problem = _failure(ended, result)
    if problem and (check or result is None or isinstance(problem, Interrupted)):
        raise problem
    for sentence in ended.said.splitlines():
        warnings.warn(sentence, stacklevel=2)
    return cast(Result, result)


# The options in which a search's winner may differ from the others, with their columns.
WON = {
    "strategy": "strategy", "block": "block", "tile": "tile", "kernel": "kernel", "schedule": "schedule",
    "cutoff": "cutoff", "memory": "parameters.memory", "cell": "parameters.cell",
}  # fmt: skip


def tune(*, progress: bool | None = None, **options: Unpack[Options]) -> Options:
    """
    Searches the fastest map, block, tile and kernel for one workload at one N: `run(**tune(...))` measures the winner.

    Errors: UsageError, there are several workloads or N; those of `run`
    """
    wanted: Options = {**options, "tune": True}
    best = run(progress=progress, **wanted).best()
    if len(best) != 1:
        raise UsageError(f"tune: expected one workload and one N, got {len(best)}: run(tune=True).best() has them all")
    row = best.iloc[0]
    how = {name: row[column] for name, column in WON.items() if column in best}
    found: dict[str, Any] = {name: one if isinstance(one, str) else int(one) for name, one in how.items() if one == one}
    if won := {key: row[key] for key in ("group", "order") if key in best and row[key] == row[key]}:
        more = options.get("set", {})
        text = [more] if isinstance(more, str) else [f"{key}={value}" for key, value in more.items() if key not in won]
        found["set"] = ",".join([*text, *(f"{k}={v if isinstance(v, str) else int(v)}" for k, v in won.items())])
    return cast(Options, {**options, **found})


def _table(command: Sequence[str], member: str | None = None) -> pd.DataFrame:
    import pandas as pd

    ended = execute(command)
    if not ended.out:
        raise _failure(ended, None) or TribenchError("nothing was printed")
    whole = json.loads(ended.out)
    rows: list[Mapping[str, Any]] = whole[member] if member else whole
    return pd.DataFrame(rows)


def listing(what: str = "strategies") -> pd.DataFrame:
    """What there is: a row for each of the "strategies", "workloads", "engines" or "devices"."""
    return _table([f"--list={what}", "--format=json"])


def check_maps(largest_n: int | None = None, **options: Unpack[Options]) -> pd.DataFrame:
    """
    Asks the engine where each map first fails: a row per strategy, with `exact`, and `first_failing_n` where it is not.

    Input: largest_n [tiles per side], or cells for maps of threads; None: 2048
    """
    how = "--check-maps" if largest_n is None else f"--check-maps={largest_n}"
    return _table([how, "--format=json", *words(options)], "strategies")
