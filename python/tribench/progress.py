"""A bar while runs are measured, on a terminal or below the cell of a notebook."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

WIDTH = 24
# What the program prints while it measures, and when it is done: lines that are no message.
COUNTED = re.compile(r"\[?(\d+)(?:/| of )(\d+)(?:\]| runs)[ ,:]*(.*)")
SUMMARY = re.compile(r"\d+ runs? in ")


def is_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


class Bar:
    """Reads the lines of the program's standard error: those that count move the bar, `messages` keeps the others."""

    def __init__(self, wanted: bool | None) -> None:
        """Input: whether it is shown; None where somebody watches"""
        self._notebook = is_notebook()
        self.is_shown = (self._notebook or sys.stderr.isatty()) if wanted is None else wanted
        self.messages: list[str] = []
        self._handle: Any = None
        self._ended = False  # a summary follows

    def read(self, line: str) -> None:
        line = line.rstrip("\n")
        if self.is_shown and (counts := COUNTED.fullmatch(line)):
            self._draw(int(counts[1]), int(counts[2]), counts[3])
        elif self.is_shown and SUMMARY.match(line):
            self._ended = True
        elif not (self._ended and line.startswith("  ")):
            self.messages.append(line)

    def _draw(self, done: int, total: int, what: str) -> None:
        text = f"[{'#' * (WIDTH * done // max(total, 1)):.<{WIDTH}}] {done} of {total}  {what}"
        if not self._notebook:
            print(f"\r\033[K{text[:100]}", end="", file=sys.stderr, flush=True)
            return
        display: Any = import_module("IPython.display").display
        shown = {"text/plain": text}
        if self._handle is None:
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def close(self) -> None:
        if self.is_shown and not self._notebook:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
