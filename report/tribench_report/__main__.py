"""python -m tribench_report COMMAND: as tribench-report, where that is not on PATH."""

import sys

from .commands import main

sys.exit(main())
