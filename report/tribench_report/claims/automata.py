"""Balasalle: the chapter with Lopez and Rutherford (GPU Computing Gems, 2011), then his thesis (2011)."""

from __future__ import annotations

from .measures import Technique, saving, slower
from .rules import Above, Effect, Text, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT
_gems, _book, _land = (
    Text("Balasalle, Lopez & Rutherford", "GTX 285", ""),
    Text("Balasalle, thesis", "GTX 285", ""),
    Text("Balasalle, thesis", "GeForce 770M", ""),
)
_chapter, _thesis, _water = _gems.claim, _book.claim, _land.claim
UNASKED, UNLIKE = Verdict.UNASKED, Verdict.UNLIKE

CONDITIONAL: Technique = ("conditional", "16x16", 16)
HALO: Technique = ("halo", "16x16", 16)
SHARED: Technique = ("shared", "16x16", 16)
ALIGNED: Technique = ("aligned", "16x16", 16)
RECT: Technique = ("rect", "64x4", 64)
TWO_CELL_WIDE: Technique = ("two-cell", "64x4", 64)
TWO_GENERATION: Technique = ("two-generation", None, None)

L1 = "L1 serves the neighbours that nine threads share, which that GPU had to fetch from memory."
STAGING = (
    "Staging takes a barrier and about three times the instructions per cell (h200-counters.csv), and L1, which that "
    "GPU "
    "lacked, serves most of what it stages."
)
LINES = "Stores, and all that is staged but the halo, begin where a line does."
HALF = "A step of the water takes long beside its launch and its traffic, of which half is saved."
PER_CELLS = (
    "Our wide kernel computes 16 cells per thread on a tile of 64 and the square one a single cell: a ratio would "
    "measure that."
)
ALL_16 = "Here both sides compute 16 cells per thread on a tile of 64; the texts compare one with two."


def anyhow(memory: str) -> Technique:
    return (memory, None, None)


def labels(workload: str, *memories: str) -> str:
    prefix = "square-" if workload == "life" else f"{workload}-square-"
    return "+".join(prefix + memory for memory in memories)


LIFE = (
    _chapter(
        "6.2", "A halo is better than conditions at the edge (recommended, nothing measured).", "saves time",
        Above(0.0),
        saving("life", CONDITIONAL, HALO), {HOLDS: "Comparisons in every thread are left out: about half of the "
        "instructions per cell (h200-counters.csv)."}, labels("life", "conditional", "halo"),
    ),
    _chapter(
        "6.3.2, figures 6.2 and 6.4", "Shared memory is faster than global memory.", "saves 30 %",
        Effect(30.0, 30.0, 0.0), saving("life", HALO, SHARED), {NOT: STAGING}, labels("life", "halo", "shared"),
    ),
    _chapter(
        "6.3.3, figure 6.2", "Aligned rows save a little more.", "saves time", Above(0.0),
        saving("life", SHARED, ALIGNED),
        {HOLDS: LINES, NOT: "The saving is no more than two invocations of one kernel may differ by."},
        labels("life", "shared", "aligned"),
    ),
    _gems.unasked("6.3.4, figure 6.3", "Of the blocks of 256 threads, 64 x 4 are the fastest.", "T(next) > T(64 x 4)",
                  UNASKED, ALL_16),
    _gems.unasked("6.4, figure 6.4", "64 x 4 saves a fifth over 16 x 16.", "saves 20 %", UNLIKE, PER_CELLS),
    _gems.unasked("6.3.5, figure 6.3", "Two cells per thread save time at 16 x 16.", "saves time", UNASKED, ALL_16),
    _gems.unasked("6.3.5, figure 6.3", "Two cells per thread save time at 64 x 4.", "saves time", UNASKED, ALL_16),
    _gems.unasked("6.4, figure 6.4", "Two cells per thread save a third over 64 x 4.", "saves 35 %", UNASKED, ALL_16),
    _gems.unasked("6.4, figure 6.4", "All together save two thirds over global memory.", "saves 65 %", UNLIKE,
    PER_CELLS),
    _gems.unasked("6, 6.3.1, 6.3.5", "The kernel is bound by memory: just under 60 % of its instructions access it.",
                  "60 %", UNASKED, "The shipped counters do not tell instructions of memory from others."),
    _thesis(
        "5.2.1, figure 5.5", "A halo saves a sixth over conditions at the edge.", "saves 18 %",
        Effect(18.0, 18.0, 0.0), saving("life", CONDITIONAL, HALO),
        {HOLDS: "Comparisons in every thread are left out.",
         STRONGER: "Comparisons are about half of the instructions per cell (h200-counters.csv)."},
        labels("life", "conditional", "halo"),
    ),
    _thesis(
        "5.2.2, figure 5.8", "Shared memory saves a third over global memory.", "saves 30 %",
        Effect(30.0, 30.0, 0.0), saving("life", HALO, SHARED), {NOT: STAGING}, labels("life", "halo", "shared"),
    ),
    _thesis(
        "7.1.1", "Shared memory is typically the largest gain of all techniques (life).", "saves time", Above(0.0),
        saving("life", HALO, SHARED), {NOT: STAGING}, labels("life", "halo", "shared"),
    ),
    _thesis(
        "5.2.2, figure 5.10; 7.1.2", "Rows aligned to 128 bytes save a little more.", "saves 8 %",
        Effect(8.0, 8.0, 0.0), saving("life", SHARED, ALIGNED),
        {HOLDS: LINES, STRONGER: LINES,
         WEAKER: "Caches hold the whole square, and serve the sector more of a row that begins anywhere.",
         NOT: "The saving is no more than two invocations of one kernel may differ by."},
        labels("life", "shared", "aligned"),
    ),
    _book.unasked("5.2.2, figure 5.11", "64 x 4 saves a sixth over 16 x 16.", "saves 16 %", UNLIKE, PER_CELLS),
    _book.unasked("5.2.2, figure 5.11", "64 x 4 is just slightly faster than the block printed as 8 x 32.",
                  "T(8 x 32) / T(64 x 4) = 1", UNASKED, ALL_16),
    _book.unasked("5.2.2, figure 5.13", "Two cells per thread save nearly half over one, at 16 x 16.", "saves 44 %",
                  UNLIKE, PER_CELLS),
    _book.unasked("5.2.2, figure 5.13", "Two cells per thread save a third over 64 x 4.", "saves 36 %", UNASKED,
    ALL_16),
    _book.unasked("5.2.2, figure 5.14", "Two cells in blocks of 64 x 4 save a little more than in 16 x 16.",
    "saves 5 %",
                  UNASKED, ALL_16),
    _book.unasked("5.2.3, figure 5.16", "Two generations per launch are slower than two cells per thread.", "T > 1",
                  UNASKED, ALL_16),
    _thesis(
        "7.2, 6.5", "Several generations per launch bring no substantial improvement (surface water).",
        "no substantial one", Within(-5.0, 5.0), saving("water", anyhow("rect"), TWO_GENERATION),
        {HOLDS: "What is computed twice takes back what the launch and the traffic save.", NOT: HALF},
        labels("water", "rect", "two-generation"),
    ),
)  # fmt: skip

FLOATS = (
    _book.unasked("5.3.1, figure 5.21; 7.1.5", "Blur: two cells per thread save a third over one.", "saves 37 %",
                  UNLIKE, PER_CELLS),
    _book.unasked("5.3.2, figure 5.23", "Difference of Gaussians: two cells per thread change hardly anything.",
                  "saves 0 %", UNLIKE, PER_CELLS),
    _thesis(
        "5.3.2, figure 5.23", "Difference of Gaussians: packing both planes into float2 changes hardly anything "
        "(no halo is staged: strips).", "saves 0 %", Within(-5.0, 5.0),
        saving("dog", ("strip", None, None), ("strip packed", None, None)),
        {HOLDS: "Memory is the limit, and both read and write each value once.",
         NOT: "Wider loads keep more bytes in flight per thread."}, "dog-strip+dog-strip-packed",
    ),
    _thesis(
        "5.3.3, figure 5.25", "Extrema: two cells in wide blocks are no longer the fastest: one cell in wide blocks is "
        "faster.", "T(two, wide) > T(one, wide)", Above(1.0), slower("extrema", TWO_CELL_WIDE, RECT),
        {HOLDS: "Three planes of two cells take more registers."}, labels("extrema", "two-cell", "rect"),
    ),
    _book.unasked("5.3.3, figure 5.25", "Extrema: two cells in square blocks are the fastest.", "T(next) > T(square)",
                  UNASKED, "The texts change the tile with the block; with one tile for all this cannot be asked."),
    _book.unasked("5.3.3, figure 5.25", "Extrema: one cell per thread in square blocks is the slowest.",
                  "T(aligned) > T(rect)", UNLIKE, PER_CELLS),
    _water(
        "6.5, table 6.2", "Surface water: the kernel in shared memory saves a third over the one in global memory.",
        "saves 30 %", Effect(30.0, 30.0, 0.0), saving("water", anyhow("conditional"), anyhow("shared")),
        {HOLDS: "Each level is needed by many cells, and is worked out from what is staged.", NOT: L1, WEAKER: L1},
        "water-conditional+water-shared",
    ),
    _water(
        "6.5, table 6.2", "Surface water: the kernel with aligned rows takes longer.", "saves -22 %",
        Effect(-22.0, -22.0, 0.0), saving("water", anyhow("shared"), anyhow("aligned")),
        {NOT: "A halo costs a sector per row at most.", WEAKER: "A halo costs a sector per row at most."},
        labels("water", "shared", "aligned"),
    ),
    _land.unasked("6.5, table 6.2", "Surface water: wide blocks save a little more.", "saves 8 %", UNLIKE, PER_CELLS),
    _land.unasked("6.5, figure 6.4", "Surface water: wide blocks are the fastest of all.", "T(next) > T(rect)", UNLIKE,
                  PER_CELLS),
    _water(
        "6.5, table 6.2", "Surface water: two generations per launch are several times slower than one.", "9.7 times",
        Effect(9.7, 9.7), slower("water", TWO_GENERATION, anyhow("rect")),
        {WEAKER: "Registers and shared memory are no longer short, so the occupancy does not fall as it did.",
         NOT: "Registers and shared memory are no longer short."}, labels("water", "two-generation", "rect"),
    ),
)  # fmt: skip

CLAIMS = (*LIFE, *FLOATS)
