"""Makes the package importable beside the report tools and their generator of runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "python"), str(TOP / "report"), str(TOP / "report" / "tests")]
PROGRAM = os.environ.setdefault("TRIBENCH", str(TOP / "tribench"))
# Small and quick: these tests check what comes back, not the times.
QUICK = {"engine": "cpu", "threads": 2, "samples": 2, "warmup": 0}
