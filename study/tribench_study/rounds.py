"""
Other libraries beside tribench, in rounds: their calls by tribench.rounds, then tribench's own runs. A time is compared
with those of its round, because a GPU at its limit of power is slower the hotter it is.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Any

import tribench

Json = dict[str, Any]


def needed(module: str, prog: str) -> Any:
    """A module that a script cannot do without. Errors: ends the script with a sentence, it is not installed"""
    try:
        return importlib.import_module(module)
    except ImportError:
        sys.exit(f"{prog}: {module} is not installed for this Python")


def chosen(known: Collection[str]) -> Callable[[str], list[str]]:
    """The type of an argument that lists some of these names. Errors: of argparse, a name is none of them"""

    def names(text: str) -> list[str]:
        given = [name for name in text.split(",") if name]
        if wrong := [name for name in given if name not in known]:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(wrong)} (known: {', '.join(known)})")
        return given

    return names


def timed(calls: Mapping[str, Callable[[], object]], **how: Any) -> dict[str, Json]:
    """The records of calls, by their names. Their outputs were compared before. Input: how, as tribench.rounds"""
    return {run["strategy"]: run for run in tribench.rounds(calls, check=False, **how).records}


def median_ms(run: Json) -> float:
    return float(run["time_ms"]["median"])


def in_rounds(count: int, *turns: Callable[[int], Mapping[Any, Any]]) -> dict[Hashable, list[Any]]:
    """
    What the turns of a round find, by its name: a list with what was found in each round.

    Input: turns, in the order of a round; each takes the number of the round, from 0
    """
    found: dict[Hashable, list[Any]] = {}
    for number in range(count):
        for turn in turns:
            for name, one in turn(number).items():
                found.setdefault(name, []).append(one)
    return found


def ratios(over: Iterable[float], under: Iterable[float]) -> list[float]:
    """Those within each round."""
    return [a / b for a, b in zip(over, under, strict=True)]
