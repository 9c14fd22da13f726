"""The colour, marker and dash of each strategy, in every figure and on the page."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

BLACK, GREY, BROWN = "#000000", "#777777", "#8c510a"
# Okabe and Ito's palette without its yellow, which is too pale for a line on white.
BLUE, SKY, GREEN, ORANGE, RED, PINK = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7"
# Darker and lighter shades of the same hues, for the other members of a family.
NAVY, INDIGO, FOREST, MAROON, SALMON = "#08306b", "#5e4fa2", "#00523a", "#7f2704", "#f0926b"
PALETTE = (BLUE, ORANGE, GREEN, RED, SKY, PINK, BROWN, BLACK)
MARKERS = "osD^vP*X<>ph"
DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True, slots=True)
class Look:
    colour: str
    marker: str
    dash: str = "-"
    hollow: bool = False


# In the order in which strategies are listed: those of the papers first, then later ones, then 3D. A family shares a
# hue. Lightness, marker and dash tell its members apart; any one of them is enough.
LOOKS = {
    "bb": Look(BLACK, "s"),
    "bb-t": Look(GREY, "s", "--"),
    "ltm-x": Look(SKY, "^"),
    "ltm-n": Look(INDIGO, "v", "-."),
    "ltm-r": Look(BLUE, "o"),
    "ltm-x-rev": Look(SKY, "^", ":", hollow=True),
    "ltm-n-rev": Look(INDIGO, "v", ":", hollow=True),
    "ltm-r-rev": Look(BLUE, "o", ":", hollow=True),
    "ltm-i": Look(NAVY, "D", "--"),
    "ltm-t": Look(NAVY, "D", "-.", hollow=True),
    "utm": Look(RED, "X"),
    "utm-t": Look(SALMON, "<", ":"),
    "utm-b": Look(MAROON, ">", "--"),
    "rb": Look(GREEN, "P"),
    "rb-b": Look(FOREST, "d", "--"),
    "rec": Look(ORANGE, "p"),
    "hmap": Look(BROWN, "h"),
    "dp": Look(PINK, "*", "--"),
    "bb-tetra": Look(BLACK, "s"),
    "dp-tetra": Look(RED, "*"),
    "rec-tetra": Look(ORANGE, "p"),
    "ltm-tetra": Look(BLUE, "o"),
    "ltm-rows": Look(NAVY, "D", "--"),
    "rb-tetra": Look(GREEN, "P"),
    "hmap-tetra": Look(BROWN, "h"),
}


def look(strategy: str) -> Look:
    known = LOOKS.get(strategy)
    if known is None:
        seed = zlib.crc32(strategy.encode())
        known = Look(PALETTE[seed % len(PALETTE)], MARKERS[seed // 8 % len(MARKERS)], "-.")
    return known


def nth_look(place: int) -> Look:
    """The look of the n-th line, for lines that are not strategies: techniques, cut-offs, block shapes, GPUs."""
    dash = DASHES[place // len(PALETTE) % len(DASHES)]
    return Look(PALETTE[place % len(PALETTE)], MARKERS[place % len(MARKERS)], dash)


def ink(ground: str) -> str:
    """Black or white, whichever stands out more on a colour, by the relative luminance of WCAG 2."""
    parts = [int(ground[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return "white" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179 else "black"
