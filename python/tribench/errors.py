"""How a call can end: with the program's own sentence, its exit status, and what was measured until then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result


class TribenchError(Exception):
    """
    A run failed, or a result cannot be read. The text is the program's sentence, with the reason of the first run that
    failed; `status` its exit status; `result` what was measured, None if nothing was.
    """

    status = 1

    def __init__(self, sentence: str, result: Result | None = None) -> None:
        super().__init__(sentence)
        self.result = result


class UsageError(TribenchError, ValueError):
    """An option, an input or a file is rejected, and nothing was measured."""

    status = 2


class VerificationError(TribenchError):
    """A run computed something else than the reference."""

    status = 3


class DeviceError(TribenchError):
    """The engine, the device or a compiler is not there."""

    status = 4


class OutOfMemory(TribenchError, MemoryError):
    """A run needs more memory than is free."""

    status = 5


class Interrupted(KeyboardInterrupt):
    """Stopped by ^C or the stop button: `result` has what was measured; in a notebook, `sys.last_value.result`."""

    def __init__(self, sentence: str, result: Result | None = None) -> None:
        super().__init__(sentence)
        self.result = result


KINDS = {kind.status: kind for kind in (TribenchError, UsageError, VerificationError, DeviceError, OutOfMemory)}


@contextmanager
def reported() -> Iterator[None]:
    """Turns the errors of the report tools into those of this package."""
    from tribench_report import errors

    try:
        yield
    except errors.UsageError as problem:
        raise UsageError(str(problem)) from None
    except errors.ReportError as problem:
        raise TribenchError(str(problem)) from None
