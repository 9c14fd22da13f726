"""A run: the fields that tables and figures use, typed and checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any

from .errors import ReportError
from .reading.source import Json, member
from .stats import Interval, has_two_modes

BASELINES = ("bb", "bb-tetra")
# The range of times in milliseconds, from a femtosecond to decades, and of their ratios.
LEAST, MOST = 1e-12, 1e12

# The fields that distinguish runs of one strategy, workload and n, in the order in which a label names them, and the
# words for each. Other parameters of a workload go by their names.
VARIANT_WORDS = {
    "memory": "{}",
    "cell": "{} cells",
    "domain": "{} domain",
    "kernel": "{} kernel",
    "tile": "tile {}",
    "cutoff": "n_c = {}",
    "schedule": "{}",
    "ranks": "{} ranks",
    "partition": "by {}",
    "cache": "{} cache",
    "timing": "{} launches",
    "layout": "{}",
    "steps": "{} steps",
    "rule": "rule {}",
    "density": "density {}",
    "seed": "seed {}",
}
# The names of an input, without and with its digest. They are not settings: a file often holds one N, and a line over
# many N needs no word for it.
INPUTS = ("input_name", "input")
INPUT_WORDS = "input {}"
# The settings that a search chooses.
WAY = ("memory", "cell", "kernel", "tile", "cutoff", "schedule")


def in_words(name: str, value: object) -> str:
    text = (INPUT_WORDS if name in INPUTS else VARIANT_WORDS.get(name, name + " {}")).format(value)
    return text.removesuffix("s") if name in ("steps", "ranks") and value == 1 else text


# The cut-off that the tetrahedral paper settled on, and the default of --cutoff.
DEFAULT_CUTOFF = 128
# Plain values, which labels leave out. A tile is plain when it is as large as the block.
PLAIN = {
    "kernel": "cell",
    "schedule": "grid",
    "cache": "warm",
    "timing": "batched",
    "cell": "u32",
    "domain": "triangle",
    "ranks": 1,
    "partition": "cells",
}


@dataclass(frozen=True, slots=True)
class Roofline:
    """The bound of a run; unknown members are None."""

    bytes: int | None
    arithmetic: str | None
    operations_per_byte: float | None
    gop_per_s: float | None
    ceiling: str | None
    bound_ms: float | None
    fraction: float | None


@dataclass(frozen=True, slots=True)
class Run:
    key: str
    origin: int
    device: str
    strategy: str
    # The library whose function was timed, if it is not tribench's: 'scipy 1.17.1'.
    peer: str | None
    workload: str
    engine: str
    dimension: int
    n: int
    block: tuple[int, int, int]
    status: str
    reason: str | None
    verified: str
    time: Interval | None
    samples: tuple[float, ...]
    improvement: Interval | None
    baseline: str | None
    blocks: int | None
    blocks_wasted: int | None
    gb_per_s: float | None
    cells_per_s: float | None
    fraction_of_peak: float | None
    roofline: Roofline | None
    # From the device's energy counter (--energy).
    launch_j: Interval | None
    nj_per_cell: Interval | None
    sm_mhz: float | None
    throttled: bool
    # Reasons to read the time with care, in the words of the record.
    caveats: tuple[str, ...]
    layout: str | None
    # A tile that is not square is text: '64x4'.
    tile: int | str | None
    schedule: str | None
    kernel: str | None
    cache: str | None
    # How the samples were taken: in batches of launches, or each launch by itself.
    timing: str
    # The number of processes that share the domain; None if it is a single one.
    ranks: int | None
    partition: str | None
    cutoff: int | None
    seed: int | None
    # The parameters of the workload, as recorded.
    parameters: Mapping[str, Any] = field(hash=False)

    def setting(self, name: str) -> Any:
        """A field or a parameter of the workload; None where the run has neither."""
        return getattr(self, name) if name in FIELDS else self.parameters.get(name)

    @property
    def generations(self) -> int:
        """The number of generations that are timed as one run; 1 for all but automata."""
        return integer(self.parameters.get("steps")) or 1

    @property
    def is_usable(self) -> bool:
        """A time counts only when the run ended well and nothing showed its result to be wrong."""
        return self.status == "ok" and self.verified != "fail" and self.time is not None

    @property
    def is_verified(self) -> bool:
        """Whether its result was compared with the reference, and agreed."""
        return self.verified == "pass"

    @property
    def input(self) -> str | None:
        """The input file, which only the key names: its name, and a digest of its content."""
        return self.key.partition("/input-")[2] or None

    @property
    def input_name(self) -> str | None:
        """The input without its digest."""
        return self.input and self.input.rpartition("-")[0]

    @property
    def rank_count(self) -> int:
        """The number of devices that share the domain; --ranks 1 counts as no --ranks."""
        return self.ranks or 1

    @property
    def block_name(self) -> str:
        x, y, z = self.block
        return f"{x}x{y}" if self.dimension == 2 and z == 1 else f"{x}x{y}x{z}"

    @property
    def plainness(self) -> int:
        """
        The number of settings that are not plain. 0 is a run as in the papers: one cell per thread, one block per tile,
        a whole grid.
        """
        odd = sum(self.setting(name) not in (None, plain) for name, plain in PLAIN.items())
        odd += self.tile not in (None, self.block[0])
        odd += self.parameters.get("memory") not in (None, "halo")
        return odd + (self.cutoff not in (None, DEFAULT_CUTOFF))


FIELDS = {"block_name", "rank_count", *INPUTS, *(one.name for one in fields(Run))}


def setting_names(runs: Iterable[Run]) -> list[str]:
    """The names that may distinguish runs: the fields in VARIANT_WORDS, then the other parameters of the workloads."""
    return list(dict.fromkeys([*VARIANT_WORDS, *chain.from_iterable(run.parameters for run in runs)]))


def time_ms(run: Run) -> float:
    """The median; every usable run has one."""
    assert run.time is not None
    return run.time.value


def not_verified(run: Run) -> str:
    """The words beside a time whose result was not checked, wherever it is shown; '' for all other runs."""
    return "not verified" if run.is_usable and not run.is_verified else ""


def cautions(run: Run) -> list[str]:
    """Reasons to read a time with care: it was not verified, it is noisy, or it is faster than possible."""
    return [words for words in (not_verified(run), *run.caveats) if words]


def caution(run: Run) -> str:
    """The words of caution beside a time; '' for most runs."""
    return ", ".join(cautions(run))


def integer(value: Any) -> int | None:
    """The value as an integer, or None; integers beyond 2^53 are stored as strings."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, str)):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else None


def _tile(value: Any) -> int | str | None:
    return value if isinstance(value, str) and "x" in value else integer(value)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _numbers(values: Any) -> tuple[float, ...]:
    """Converts numbers only: float() would also accept the texts 'nan' and '1e999'."""
    kinds = set(map(type, values))
    if kinds <= {float}:
        return tuple(values)
    if kinds - {int, float}:
        raise ValueError(f"{(kinds - {int, float}).pop().__name__} is not a number")
    return tuple(map(float, values))


def _interval(value: Any, bounds: Any) -> Interval | None:
    centre = _number(value)
    if centre is None:
        return None
    if isinstance(bounds, list) and len(bounds) == 2 and None not in bounds:
        low, high = _numbers(bounds)
        return Interval(centre, low, high)
    return Interval(centre, centre, centre, known=False)


def _bounds(interval: Interval | None) -> list[float]:
    return [] if interval is None else [interval.value, interval.low, interval.high]


def _check_range(what: str, values: Sequence[float]) -> None:
    """
    Rejects values outside LEAST and MOST: no measurement gives them, and their sums, ratios and squares would leave the
    range of a double.
    """
    least, most = min(values, default=1.0), max(values, default=1.0)
    if not least > 0:
        raise ValueError(f"{what} is not above zero")
    if not (LEAST < least and most < MOST):
        raise ValueError(f"{what} is not between {LEAST:g} and {MOST:g}")


def _block(value: Any) -> tuple[int, int, int]:
    sides = [int(side) for side in value]
    x, y, z = (sides + [1, 1, 1])[:3]
    return (x, y, z)


def _peer(value: Any) -> str | None:
    return None if value is None else f"{value['name']} {value['version']}"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _parameters(value: Any) -> Json:
    if not isinstance(value, dict) or any(isinstance(part, (dict, list)) for part in value.values()):
        raise ValueError("'parameters' is not an object of words and numbers")
    return value


def parse(run: Json, origin: int = 0, device: str = "") -> Run:
    """Input: one run of a document, the number of the invocation that made it, and what it ran on.

    Errors: names the key and the first field that cannot be used.
    """
    key = str(run.get("key"))
    try:
        return _parse(key, run, origin, device)
    except KeyError as problem:
        raise ReportError(f"run {key}: has no {problem.args[0]!r}") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise ReportError(f"run {key}: cannot be used: {problem}") from None


def _bandwidth(throughput: Json) -> float | None:
    """The bandwidth; None if the bytes do not grow with the cells: dummy's four bytes are no bandwidth."""
    gb, cells = _number(throughput.get("gb_per_s")), _number(throughput.get("cells_per_s"))
    if gb is not None and cells is not None and gb * 1e9 < cells / 16.0:  # the densest cell is a bit, 1/8 byte
        return None
    return gb


def _roofline(value: Any) -> Roofline | None:
    """None in files that are older than the roofline."""
    if not isinstance(value, dict):
        return None
    return Roofline(
        bytes=integer(value.get("bytes")),
        arithmetic=_text(value.get("arithmetic")),
        operations_per_byte=_number(value.get("operations_per_byte")),
        gop_per_s=_number(value.get("gop_per_s")),
        ceiling=_text(value.get("ceiling")),
        bound_ms=_number(value.get("bound_ms")),
        fraction=_number(value.get("fraction_of_bound")),
    )


def _caveats(
    time: Interval | None, times: Sequence[float], throttled: bool, bound: Roofline | None, recorded: str
) -> tuple[str, ...]:
    """
    Computes the caveats anew, because files before minor version 3 do not have them; other caveats stay as recorded.
    """
    if time is None:
        return ()
    highest = time.high if time.known else max(times, default=time.value)
    found = {
        "wide interval": time.is_wide,
        "two modes": has_two_modes(times),
        "throttled": throttled,
        "above its bound": bound is not None and (bound.bound_ms or 0.0) > highest,
    }
    others = (words for words in recorded.split(", ") if words and words not in found)
    return (*(words for words, applies in found.items() if applies), *others)


def _noted(interval: Interval | None) -> Interval | None:
    return interval and replace(interval, noted=True)


def _parse(key: str, run: Json, origin: int, device: str) -> Run:
    time, launch, samples = member(run, "time_ms"), member(run, "launch"), member(run, "samples")
    energy = member(run, "energy")
    throughput, better, state = (
        member(run, "throughput"),
        member(run, "improvement"),
        member(run, "device_state"),
    )
    n = integer(run["n"])
    if n is None or n < 1:
        raise ValueError(f"n is {run['n']!r}")
    median = _interval(time.get("median"), time.get("ci95"))
    times = _numbers(samples.get("ms") or ())
    _check_range("a time", (*times, *_bounds(median)))
    throttled, roofline = bool(state.get("throttled")), _roofline(run.get("roofline"))
    factor = _interval(better.get("factor"), better.get("ci95"))
    _check_range("an improvement", _bounds(factor))
    caveats = _caveats(median, times, throttled, roofline, _text(run.get("caveats")) or "")
    if caveats:
        median, factor = _noted(median), _noted(factor)
    return Run(
        key=key,
        origin=origin,
        device=device,
        strategy=str(run["strategy"]),
        peer=_peer(run.get("peer")),
        workload=str(run["workload"]),
        engine=str(run["engine"]),
        dimension=int(run["dimension"]),
        n=n,
        block=_block(run["block"]),
        status=str(run["status"]),
        reason=_text(run.get("reason")),
        verified=str(member(run, "verified").get("status", "none")),
        time=median,
        samples=times,
        improvement=factor,
        baseline=_text(better.get("baseline")),
        blocks=integer(launch.get("blocks")),
        blocks_wasted=integer(launch.get("blocks_wasted")),
        gb_per_s=_bandwidth(throughput),
        cells_per_s=_number(throughput.get("cells_per_s")),
        fraction_of_peak=_number(throughput.get("fraction_of_peak")),
        roofline=roofline,
        launch_j=_interval(energy.get("launch_j"), energy.get("ci95")),
        nj_per_cell=_interval(energy.get("nj_per_cell"), energy.get("nj_per_cell_ci95")),
        sm_mhz=_number(state.get("sm_mhz")),
        throttled=throttled,
        caveats=caveats,
        layout=_text(run.get("layout")),
        tile=_tile(run.get("tile")),
        schedule=_text(run.get("schedule")),
        kernel=_text(run.get("kernel")),
        cache=_text(run.get("cache")),
        timing=_text(samples.get("timing")) or "batched",
        ranks=integer(member(run, "ranks").get("count")),
        partition=_text(member(run, "ranks").get("partition")),
        cutoff=integer(run.get("cutoff")),
        seed=integer(run.get("seed")),
        parameters=_parameters(run["parameters"]),
    )


def variant(run: Run, fields: Sequence[str]) -> str:
    """
    The settings in which a run differs from the plain one, in words: 'tile kernel, tile 64'; '' for the plain one.
    """
    words = []
    for name in fields:
        value = run.setting(name)
        if value is not None and value != (run.block[0] if name == "tile" else PLAIN.get(name)):
            words.append(in_words(name, value))
    return ", ".join(words)
