"""The commands of the wheel: beside this file lies what make install installs."""

import os
import sys
from pathlib import Path


def run() -> None:
    """Becomes the installed command of the same name."""
    # for the report tools, whose packages are this Python's
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    command = Path(__file__).parent / "bin" / Path(sys.argv[0]).name
    os.execv(command, [str(command), *sys.argv[1:]])
