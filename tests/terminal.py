#!/usr/bin/env python3
"""Runs a command on a terminal with COLUMNS columns and prints the final screen, line by line.

usage: tests/terminal.py COLUMNS COMMAND...

It fails if the bar was wider than the terminal, or if the command failed.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios


def on_a_terminal(columns: int, command: list[str]) -> tuple[str, int]:
    """The output of both streams, and the exit status."""
    child, terminal = pty.fork()
    if child == 0:
        sys.stdin.readline()  # until the terminal has its width
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(terminal, b"\n")
    written = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        written += piece
    return written.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def seen(written: str, columns: int) -> list[str]:
    """The lines on the screen. A return goes to the start of a line, an erasure clears the rest of the line.

    A terminal breaks a line that is too long, but a return goes to the start of its last piece only.
    """
    lines: list[str] = []
    written = re.sub("\x1b\\[[0-9;]*m", "", written)  # colours take no room
    for line in written.replace("\r\n", "\n").split("\n"):
        shown = ""
        for piece in line.split("\r"):
            erased = piece.startswith("\x1b[K")
            piece = piece.replace("\x1b[K", "")
            shown = piece if erased else piece + shown[len(piece) :]
            if len(shown) > columns and re.match(r"\[[#.]+\]", shown):
                sys.exit(f"a line of {len(shown)} columns on a terminal of {columns}: {shown}")
        lines.append(shown)
    return lines


def main() -> int:
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    columns = int(sys.argv[1])
    written, status = on_a_terminal(columns, sys.argv[2:])
    print("\n".join(seen(written, columns)))
    return status


if __name__ == "__main__":
    sys.exit(main())
