"""Makes .npy files, which tribench reads as --input, of patterns (.rle) and of grey images."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import cli
from .errors import ReportError, UsageError

PROG = "import"
EPILOG = """\
A pattern becomes a state of `life`: one byte per cell of the triangle, row by row. It lies in the middle, as far from
each edge as from the others. The rule in its header, or in a line '#r 34/3', is printed as the option to give. An image
becomes float32 from 0 (black) to 1 (white), with no gamma curve: the numbers in the file, divided by the largest that
its bits allow. Images with colours or transparency are rejected.
"""
HEADER = r"x\s*=\s*(\d+)\s*,\s*y\s*=\s*(\d+)\s*(?:,\s*rule\s*=\s*(\S+)\s*)?"
RULES = (r"B(?P<b>[0-8]*)/?S(?P<s>[0-8]*)", r"S(?P<s>[0-8]*)/?B(?P<b>[0-8]*)", r"(?P<s>[0-8]*)/(?P<b>[0-8]*)")
MOST_N = 1 << 20
MOST_CELLS = 1 << 30
# What is divided by to reach 1, for each of Pillow's grey modes. With 16 bits, "I" is what Pillow makes of .pgm, and
# before 10.3 of .png; other files have 32 bits there.
WHITE = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0}
WIDE = ("PNG", "PPM")


# ---- patterns ----


def rule_digits(words: str) -> str:
    """
    The four digits El Eu Fl Fu of a rule: a live cell survives with El..Eu live neighbours, a dead one is born with
    Fl..Fu. 99 is never. Understands B3/S23, S23/B3, B3S23, and 23/3, survival first.
    """
    matches = (re.fullmatch(form, words, re.IGNORECASE) for form in RULES)
    match = next(filter(None, matches), None)
    if match is None or any(len(set(counts)) < len(counts) for counts in match.groups()):
        raise ReportError(f"expected a rule such as B3/S23 or 23/3 with counts 0..8, got '{words}'")
    digits = ""
    for counts in (match["s"], match["b"]):
        low, high = (min(counts), max(counts)) if counts else ("9", "9")
        if counts and int(high) - int(low) + 1 != len(counts):
            raise ReportError(f"the rule '{words}' cannot be run: expected counts that are intervals without gaps")
        digits += low + high
    if digits == "0000":
        raise ReportError(f"the rule '{words}' cannot be run: cells would live without neighbours only")
    return digits


def read_pattern(text: str) -> tuple[NDArray[np.uint8], str]:
    """The cells of a pattern, [row, column], and its rule as it is written."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rules = [line[2:].strip() for line in lines if line.startswith("#r")]
    head, *others = [line for line in lines if not line.startswith("#")] or [""]
    match = re.fullmatch(HEADER, head, re.IGNORECASE)
    if match is None:
        raise ReportError(f"expected a header 'x = ..., y = ...', got '{head[:80]}'")
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MOST_N and 1 <= height <= MOST_N and width * height <= MOST_CELLS):
        raise ReportError(f"expected sides in 1..{MOST_N} and at most 2^30 cells, got '{head[:80]}'")
    cells = np.zeros((height, width), np.uint8)
    # White space may stand anywhere, also between a count's digits.
    read_runs(cells, re.sub(r"\s", "", "".join(others)))
    return cells, match[3] or next(iter(rules), "B3/S23")


def read_runs(cells: NDArray[np.uint8], text: str) -> None:
    """Reads what follows the header, up to '!'."""
    height, width = cells.shape
    x = y = 0
    for token in re.finditer(r"([1-9]\d{0,9})?([bo$])|!|.+", text):
        count, letter = int(token[1] or 1), token[2]
        if token[0] == "!":
            return
        if letter is None:
            raise ReportError(f"expected counts below 10^10, 'b', 'o', '$' and '!', got '{token[0][:20]}'")
        before = x
        x, y = (0, y + count) if letter == "$" else (x + count, y)
        if x > width or y > height or x and y == height:
            raise ReportError(f"row {y + 1}: '{token[0]}' is beyond the size in the header")
        if letter == "o":
            cells[y, before:x] = 1
    raise ReportError("expected '!' at the end of the pattern, the file ends")


def place(pattern: NDArray[np.uint8], n: int | None) -> NDArray[np.uint8]:
    """The state of a domain, as small as possible unless n is given, with the pattern in its middle."""
    height, width = pattern.shape
    least = width + height - 1
    n = least if n is None else n
    if n < least:
        raise UsageError(f"--n: a pattern of {width} x {height} cells needs {least} or more, got {n}")
    margin = (n - least) // 3  # the same to the left, below, and between the first row and the diagonal
    state = np.zeros(n * (n + 1) // 2, np.uint8)
    for row, cells in enumerate(pattern, n - height - margin):
        start = row * (row + 1) // 2 + margin
        state[start : start + width] = cells
    return state


# ---- images ----


def read_image(data: bytes) -> NDArray[np.float32]:
    from PIL import Image  # here, as patterns need none

    Image.MAX_IMAGE_PIXELS = None  # elevation models are larger than what Pillow takes for an attack
    try:
        image: Any = Image.open(io.BytesIO(data))
        image.load()
    except (OSError, SyntaxError, ValueError) as problem:
        raise ReportError(f"an image that cannot be read: {problem}") from None
    if image.mode.endswith(("A", "a")) or "transparency" in image.info:
        raise ReportError("expected an image without transparency: transparent pixels have no value")
    white = 65535.0 if image.mode == "I" and image.format in WIDE else WHITE.get(image.mode)
    if white is None:
        raise ReportError(f"expected a grey image of 8 or 16 bits, got one of Pillow's mode {image.mode}")
    if image.width != image.height or image.width > MOST_N:
        raise ReportError(f"expected a square image, got {image.width} x {image.height} pixels")
    return (np.asarray(image) / white).astype(np.float32)


# ---- the command ----


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, __doc__ or "", EPILOG)
    parser.add_argument("file", metavar="PATTERN.rle|IMAGE", help="a pattern, or an image such as .png or .tif")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.npy", help="where to write")
    parser.add_argument("--n", type=int, metavar="N", help="N of a pattern's domain (default: the least)")
    options = parser.parse_args(arguments)
    path = Path(options.file)
    data = path.read_bytes()
    try:
        if path.suffix.lower() == ".rle":
            pattern, rule = read_pattern(data.decode("utf-8", "replace"))
            digits = rule_digits(rule)
            array: NDArray[Any] = place(pattern, options.n)
            print(f"rule {rule}: --set rule={digits}", file=sys.stderr)
        elif options.n is not None:
            raise UsageError("--n is about patterns (.rle)")
        else:
            array = read_image(data)
    except ReportError as problem:
        raise ReportError(f"{path}: {problem}") from None
    buffer = io.BytesIO()
    np.save(buffer, array)
    cli.write_whole(Path(options.output), buffer.getvalue())
    return 0
