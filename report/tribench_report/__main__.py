"""python -m tribench_report COMMAND does the same as tribench-report, for when that is not on PATH."""

import sys

from .commands import main

sys.exit(main())
