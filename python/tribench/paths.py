"""Where the program and the report tools are: beside this file in a wheel, at the top of a checkout otherwise."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent


def program() -> str:
    """The program: what the environment variable TRIBENCH names, or the one that belongs to this package."""
    installed = HERE / "bin" / "tribench"
    return os.environ.get("TRIBENCH") or str(installed if installed.exists() else TOP / "tribench")


def add_report() -> None:
    """Lets `import tribench_report` find the report tools that belong to this package."""
    installed = HERE / "libexec" / "tribench" / "report"
    folder = str(installed if installed.is_dir() else TOP / "report")
    if folder not in sys.path:
        sys.path.append(folder)
