"""
tribench from Python: `run` starts the program and gives a `Result`, whose `frame` has a row per run.

    import tribench
    result = tribench.run(strategy="bb,ltm-i,rb-b", workload="edm4", n=[1024, 2048])
    result.frame[["strategy", "n", "time_ms.median", "improvement.factor"]]

Only what is used is imported: numpy with the first array, pandas with the first frame. docs/python.md has all of it.
"""

from . import paths
from .arrays import square
from .errors import DeviceError, Interrupted, OutOfMemory, TribenchError, UsageError, VerificationError
from .options import Options
from .own import Workload, workload
from .program import check_maps, run, tune
from .program import listing as list
from .result import Result, compare, load
from .rounds import rounds

paths.add_report()

__all__ = [
    "DeviceError", "Interrupted", "Options", "OutOfMemory", "Result", "TribenchError", "UsageError",
    "VerificationError", "Workload", "check_maps", "compare", "list", "load", "rounds", "run", "square", "tune",
    "workload",
]  # fmt: skip
