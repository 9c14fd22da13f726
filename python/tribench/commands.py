"""The commands of the wheel. The files that make install installs are beside this file."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Replaces this process with the installed command of the same name."""
    # The report tools need the packages of this Python.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    command = Path(__file__).parent / "bin" / Path(sys.argv[0]).name
    os.execv(command, [str(command), *sys.argv[1:]])
