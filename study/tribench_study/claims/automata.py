"""Balasalle: the chapter with Lopez and Rutherford (GPU Computing Gems, 2011), then his thesis (2011)."""

from __future__ import annotations

from functools import partial

from .measures import Technique, ahead, behind, saving, slower
from .rules import Claim, Verdict, above, effect, unasked, within

HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT
GEMS, BOOK = ("Balasalle, Lopez & Rutherford", "GTX 285"), ("Balasalle, thesis", "GTX 285")
_chapter, _thesis = partial(Claim, *GEMS), partial(Claim, *BOOK)
_water = partial(Claim, "Balasalle, thesis", "GeForce 770M")

CONDITIONAL: Technique = ("conditional", "16x16", 16)
HALO: Technique = ("halo", "16x16", 16)
SHARED: Technique = ("shared", "16x16", 16)
ALIGNED: Technique = ("aligned", "16x16", 16)
# A tile of 64 with 16 cells per thread: all that two generations per launch have.
RECT_64: Technique = ("rect", "64x4", 64)
TWO_GENERATION: Technique = ("two-generation", None, None)
# As the texts have them, one cell per thread, or two: `rect` is `aligned` in these blocks.
WIDE: Technique = ("aligned", "64x4", "64x4")
WIDE_32: Technique = ("aligned", "32x8", "32x8")
WIDE_128: Technique = ("aligned", "128x2", "128x2")
TWO_SQUARE: Technique = ("two-cell", "16x16", "32x16")
TWO_WIDE: Technique = ("two-cell", "64x4", "128x4")

SECTOR = "A halo costs at most one sector per row."
L1 = "L1 serves the cells that nine threads share. The older GPU had to fetch them from memory."
STAGING = (
    "Staging takes a barrier and about three times the instructions per cell (h200-counters.csv). L1, which the older "
    "GPU lacked, already serves most of the cells that are staged."
)
STEPS = (
    "Aligned rows take fewer bytes from L2, which holds the whole square, but more instructions per cell. These count: "
    "four fifths of the issue slots are busy (h200-counters.csv)."
)
WIDER = "A tile of 64 x 4 with its halo is 60 sectors of 32 bytes. A tile of 16 x 16 is 72."
TWO = "Half as many threads wait at the barrier and compute where their cells are."
COMPILED = "One instance is compiled for tiles of 64 x 4. The 8 x 32 tile runs in the general one, whose sizes vary."
AS_MANY = "Both tiles with their halos are 108 sectors of 32 bytes. The cause is another one, which no counter shows."
HALF = (
    "Two generations are a strip here, and a tile of 64 leaves half of its lanes without cells. On large triangles, in "
    "tiles of 480, they are the fastest way."
)
SIXTEEN = (
    "Two generations per launch compute 16 cells per thread on a tile of 64 here. The texts compare them with two "
    "cells per thread."
)


def anyhow(memory: str) -> Technique:
    return (memory, None, None)


LIFE = (
    _chapter(
        "6.2", "A halo is better than conditions at the edge (recommended, not measured).", "saves time",
        above(0.0),
        saving("life", CONDITIONAL, HALO), {HOLDS: "The comparisons in every thread are about half of the instructions "
        "per cell (h200-counters.csv)."}, "square",
    ),
    _chapter(
        "6.3.2, figures 6.2 and 6.4", "Shared memory is faster than global memory.", "saves 30 %",
        effect(30.0, 30.0, 0.0), saving("life", HALO, SHARED), {NOT: STAGING}, "square",
    ),
    _chapter(
        "6.3.3, figure 6.2", "Aligned rows save a little more.", "saves time", above(0.0),
        saving("life", SHARED, ALIGNED), {NOT: STEPS}, "square",
    ),
    _chapter(
        "6.3.4, figure 6.3", "64 x 4 is the fastest block of 256 threads.", "T(next) > T(64 x 4)",
        above(1.0), ahead("life", WIDE, ALIGNED, WIDE_32, WIDE_128), {HOLDS: WIDER}, "published-life",
    ),
    _chapter(
        "6.4, figure 6.4", "64 x 4 saves a fifth over 16 x 16.", "saves 20 %", effect(20.0, 20.0, 0.0),
        saving("life", ALIGNED, WIDE), {STRONGER: WIDER}, "published-life",
    ),
    _chapter(
        "6.3.5, figure 6.3", "Two cells per thread save time at 16 x 16.", "saves time", above(0.0),
        saving("life", ALIGNED, TWO_SQUARE), {HOLDS: TWO}, "published-life",
    ),
    _chapter(
        "6.3.5, figure 6.3", "Two cells per thread save time at 64 x 4.", "saves time", above(0.0),
        saving("life", WIDE, TWO_WIDE), {HOLDS: TWO}, "published-life",
    ),
    _chapter(
        "6.4, figure 6.4", "Two cells per thread save a third over 64 x 4.", "saves 35 %", effect(35.0, 35.0, 0.0),
        saving("life", WIDE, TWO_WIDE), {HOLDS: TWO}, "published-life",
    ),
    _chapter(
        "6.4, figure 6.4", "All techniques together save two thirds over global memory.", "saves 65 %",
        effect(65.0, 65.0, 0.0),
        saving("life", HALO, TWO_WIDE), {NOT: L1}, "published-life",
    ),
    unasked(*GEMS, "6, 6.3.1, 6.3.5", "The kernel is bound by memory: just under 60 % of its instructions access it.",
            "60 %", "The shipped counters do not count memory instructions separately."),
    _thesis(
        "5.2.1, figure 5.5", "A halo saves a sixth over conditions at the edge.", "saves 18 %",
        effect(18.0, 18.0, 0.0), saving("life", CONDITIONAL, HALO),
        {STRONGER: "The comparisons are about half of the instructions per cell (h200-counters.csv)."}, "square",
    ),
    _thesis(
        "5.2.2, figure 5.8", "Shared memory saves a third over global memory.", "saves 30 %",
        effect(30.0, 30.0, 0.0), saving("life", HALO, SHARED), {NOT: STAGING}, "square",
    ),
    _thesis(
        "7.1.1", "Shared memory is typically the largest gain of all techniques (life).", "saves time", above(0.0),
        saving("life", HALO, SHARED), {NOT: STAGING}, "square",
    ),
    _thesis(
        "5.2.2, figure 5.10; 7.1.2", "Rows aligned to 128 bytes save a little more.", "saves 8 %",
        effect(8.0, 8.0, 0.0), saving("life", SHARED, ALIGNED), {NOT: STEPS}, "square",
    ),
    _thesis(
        "5.2.2, figure 5.11", "64 x 4 saves a sixth over 16 x 16.", "saves 16 %", effect(16.0, 16.0, 0.0),
        saving("life", ALIGNED, WIDE), {STRONGER: WIDER}, "published-life",
    ),
    _thesis(
        "5.2.2, figure 5.11", "64 x 4 is just slightly faster than the block printed as 8 x 32 (8 rows of 32).",
        "T(8 x 32) / T(64 x 4) = 1", within(1.0, 1.05), slower("life", WIDE_32, WIDE), {NOT: COMPILED},
        "published-life",
    ),
    _thesis(
        "5.2.2, figure 5.13", "Two cells per thread save nearly half over one, at 16 x 16.", "saves 44 %",
        effect(44.0, 44.0, 0.0), saving("life", ALIGNED, TWO_SQUARE), {HOLDS: TWO}, "published-life",
    ),
    _thesis(
        "5.2.2, figure 5.13", "Two cells per thread save a third over 64 x 4.", "saves 36 %",
        effect(36.0, 36.0, 0.0), saving("life", WIDE, TWO_WIDE), {HOLDS: TWO}, "published-life",
    ),
    _thesis(
        "5.2.2, figure 5.14", "Two cells per thread in blocks of 64 x 4 save a little over two in 16 x 16.",
        "saves 5 %", effect(5.0, 5.0, 0.0), saving("life", TWO_SQUARE, TWO_WIDE), {STRONGER: AS_MANY}, "published-life",
    ),
    unasked(*BOOK, "5.2.3, figure 5.16", "Two generations per launch are slower than two cells per thread.", "T > 1",
            SIXTEEN),
    _thesis(
        "7.2, 6.5", "Several generations per launch bring no substantial improvement (surface water).",
        "no substantial one", within(-5.0, 5.0), saving("water", RECT_64, TWO_GENERATION),
        {NOT: HALF}, "water-square-64",
    ),
)  # fmt: skip

FLOATS = (
    _thesis(
        "5.3.1, figure 5.21; 7.1.5", "Blur: two cells per thread save a third over one.", "saves 37 %",
        effect(37.0, 37.0, 0.0), saving("blur", WIDE, TWO_WIDE), {HOLDS: TWO}, "published-blur",
    ),
    _thesis(
        "5.3.2, figure 5.23", "Difference of Gaussians: two cells per thread hardly change the time.", "saves 0 %",
        within(-5.0, 5.0), saving("dog", WIDE, TWO_WIDE),
        {NOT: "Both filters stage their cells in the same way, so two cells save about as much as in the blur."},
        "published-dog",
    ),
    _thesis(
        "5.3.2, figure 5.23", "Difference of Gaussians: packing both planes into float2 hardly changes the time "
        "(in strips, which stage no halo).", "saves 0 %", within(-5.0, 5.0),
        saving("dog", ("strip", None, None), ("strip packed", None, None)),
        {HOLDS: "Memory is the limit, and both layouts read and write each value once."}, "dog-cells",
    ),
    _thesis(
        "5.3.3, figure 5.25", "Extrema: one cell per thread in wide blocks is faster than two, so two are no longer "
        "the fastest.", "T(two, wide) > T(one, wide)", above(1.0), slower("extrema", TWO_WIDE, WIDE),
        {NOT: "There are now enough registers for two cells in three planes."}, "published-extrema",
    ),
    _thesis(
        "5.3.3, figure 5.25", "Extrema: two cells in square blocks are the fastest.", "T(next) > T(square)",
        above(1.0), ahead("extrema", TWO_SQUARE, ALIGNED, WIDE, TWO_WIDE),
        {NOT: "Wide blocks are faster than square ones with two cells, as they are with one."}, "published-extrema",
    ),
    _thesis(
        "5.3.3, figure 5.25", "Extrema: one cell per thread in square blocks is the slowest.",
        "T(square) > T(next)", above(1.0), behind("extrema", ALIGNED, WIDE, TWO_SQUARE, TWO_WIDE), {HOLDS: WIDER},
        "published-extrema",
    ),
    _water(
        "6.5, table 6.2", "Surface water: the kernel in shared memory saves a third over the one in global memory.",
        "saves 30 %", effect(30.0, 30.0, 0.0), saving("water", anyhow("conditional"), anyhow("shared")),
        {WEAKER: L1}, "water-staged",
    ),
    _water(
        "6.5, table 6.2", "Surface water: the kernel with aligned rows takes longer.", "saves -22 %",
        effect(-22.0, -22.0, 0.0), saving("water", anyhow("shared"), anyhow("aligned")),
        {NOT: SECTOR, WEAKER: SECTOR}, "water-square",
    ),
    _water(
        "6.5, table 6.2", "Surface water: wide blocks save a little more.", "saves 8 %", effect(8.0, 8.0, 0.0),
        saving("water", ALIGNED, WIDE), {STRONGER: WIDER}, "published-water",
    ),
    _water(
        "6.5, figure 6.4", "Surface water: wide blocks are the fastest.", "T(next) > T(wide)", above(1.0),
        ahead("water", WIDE, HALO, SHARED, ALIGNED), {HOLDS: WIDER}, "published-water",
    ),
    _water(
        "6.5, table 6.2", "Surface water: two generations per launch are several times slower than one.", "9.7 times",
        effect(9.7, 9.7), slower("water", TWO_GENERATION, RECT_64),
        {WEAKER: HALF}, "water-square-64",
    ),
)  # fmt: skip

CLAIMS = (*LIFE, *FLOATS)
