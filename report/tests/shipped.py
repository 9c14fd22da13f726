"""The shipped results, which are large and do not change: tests read each file once."""

from __future__ import annotations

import functools
from pathlib import Path

from tribench_report import documents

RESULTS = Path(__file__).resolve().parents[2] / "study" / "results"
# The results of study/measure on an H200, and twenty repeats of one sweep.
H200, REPEATS = RESULTS / "h200.json.gz", RESULTS / "h200-repeats.json.gz"

read_file, read_once = documents.read_file, functools.cache(documents.read_file)
documents.read_file = lambda path: (read_once if path.parent == RESULTS else read_file)(path)
