#!/usr/bin/env python3
"""Types command lines into a shell in a terminal and prints the words that a command got, to test completion.

usage: typed.py SETUP LINE... -- SHELL [ARGUMENT...]

SETUP is read by the shell first and defines the command to print its words as <a><b>. In a LINE, a tab is a tab.
"""

import os
import pty
import re
import select
import sys
import time

SECONDS = 100.0


def until(terminal: int, pattern: str) -> str:
    """Reads the shell's output up to a match of the pattern, and returns the match."""
    text, end = "", time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
        found = re.search(pattern, text)
        if found:
            return found[0]
    sys.exit(f"typed.py: no {pattern} in {text!r}")


def main() -> None:
    arguments = sys.argv[1:]
    split = arguments.index("--")
    setup, lines, shell = arguments[0], arguments[1:split], arguments[split + 1 :]
    process, terminal = pty.fork()
    if process == 0:
        # a wide and simple terminal: lines neither wrap nor get colours
        os.environ.update(TERM="dumb", COLUMNS="500", PS1="$ ", HISTFILE="/dev/null")
        os.execvp(shell[0], shell)
    os.write(terminal, f". {setup}; echo READY$((6 * 7))\n".encode())
    until(terminal, "READY42")
    for line in lines:
        os.write(terminal, line.encode() + b"\n")
        print(until(terminal, "(<[^<>]*>)+(?=END)"))
    os.write(terminal, b"exit\n")


main()
