"""Balasalle: the chapter with Lopez and Rutherford (GPU Computing Gems, 2011), then his thesis (2011)."""

from __future__ import annotations

from .measures import Technique, saving, slower, technique_lead
from .rules import Above, Below, Effect, Text, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT
_chapter = Text("Balasalle, Lopez & Rutherford", "GTX 285", "square-*").claim
_thesis = Text("Balasalle, thesis", "GTX 285", "square-*").claim
_water = Text("Balasalle, thesis", "GeForce 770M", "water-*").claim

CONDITIONAL: Technique = ("conditional", "16x16", 16)
HALO: Technique = ("halo", "16x16", 16)
SHARED: Technique = ("shared", "16x16", 16)
ALIGNED: Technique = ("aligned", "16x16", 16)
RECT: Technique = ("rect", "64x4", 64)
TWO_CELL_SQUARE: Technique = ("two-cell", "16x16", None)
TWO_CELL_WIDE: Technique = ("two-cell", "64x4", None)
TWO_GENERATION: Technique = ("two-generation", None, None)

L1 = "L1 serves the neighbours that nine threads share, which that GPU had to fetch from memory."
STAGING = "Staging takes a barrier and more instructions, and L1, which that GPU lacked, has taken over its purpose."
ONE_INDEX = "Each thread of a tile of 64 has 16 cells with one index already."
TWICE = "A launch and a pass over the square less for two generations weigh more than the halo computed twice."
LINES = "Stores, and all that is staged but the halo, begin where a line does."
WIDTH = "A warp reads 32 cells of a row instead of 16 of two, and each thread of a tile of 64 has 16 cells."


def shape(width: int, height: int, memory: str = "aligned") -> Technique:
    """256 threads and a tile of 64, in another shape."""
    return (memory, f"{width}x{height}", 64)


def anyhow(memory: str) -> Technique:
    return (memory, None, None)


LIFE = (
    _chapter(
        "6.2", "A halo is better than conditions at the edge.", "saves time", Above(0.0),
        saving("life", CONDITIONAL, HALO),
        {HOLDS: "Comparisons in every thread are left out, as in the text.",
         NOT: "Comparisons cost nothing while a thread waits for its neighbours."},
    ),
    _chapter(
        "6.3.2, figures 6.2 and 6.4", "Shared memory is faster than global memory.", "saves 30 %",
        Effect(30.0, 30.0, 0.0), saving("life", HALO, SHARED), {NOT: STAGING},
    ),
    _chapter(
        "6.3.3, figure 6.2", "Aligned rows save a little more.", "saves time", Above(0.0),
        saving("life", SHARED, ALIGNED),
        {HOLDS: LINES, NOT: "A halo of one cell costs a sector per row at most, and L2 holds the whole square."},
    ),
    _chapter(
        "6.3.4, figure 6.3", "Of the blocks of 256 threads, 64 x 4 are the fastest.", "T(next) > T(64 x 4)", Above(1.0),
        technique_lead("life", shape(64, 4), [shape(w, 256 // w) for w in (4, 8, 16, 32)]),
        {HOLDS: "Its rows are the widest.",
         NOT: "With tiles of 64 every shape stages the same halo, and the shape decides next to nothing."},
        "shapes-*",
    ),
    _chapter(
        "6.4, figure 6.4", "64 x 4 saves a fifth over 16 x 16.", "saves 20 %", Effect(20.0, 20.0, 0.0),
        saving("life", ALIGNED, RECT), {STRONGER: WIDTH, HOLDS: WIDTH},
    ),
    _chapter(
        "6.3.5, figure 6.3", "Two cells per thread save time at 16 x 16.", "saves time", Above(0.0),
        saving("life", shape(16, 16), shape(16, 16, "two-cell")),
        {HOLDS: "Neighbours that two cells share are read and added once.",
         NOT: "With a tile of 64 a thread has 16 cells already, and nothing is left to share."}, "shapes-*",
    ),
    _chapter(
        "6.3.5, figure 6.3", "Two cells per thread save time at 64 x 4.", "saves time", Above(0.0),
        saving("life", shape(64, 4), shape(64, 4, "two-cell")),
        {HOLDS: "Neighbours that two cells share are read and added once.",
         NOT: "With a tile of 64 a thread has 16 cells already, and nothing is left to share."}, "shapes-*",
    ),
    _chapter(
        "6.4, figure 6.4", "Two cells per thread save a third over 64 x 4.", "saves 35 %", Effect(35.0, 35.0, 0.0),
        saving("life", RECT, TWO_CELL_WIDE),
        {WEAKER: ONE_INDEX, NOT: ONE_INDEX}, "square-* shapes-*",
    ),
    _chapter(
        "6.4, figure 6.4", "All together save two thirds over global memory.", "saves 65 %", Effect(65.0, 65.0, 0.0),
        saving("life", HALO, TWO_CELL_WIDE),
        {WEAKER: f"The baseline is better than it was: {L1}", NOT: f"The baseline is better than it was: {L1}"},
        "square-* shapes-*",
    ),
    _thesis(
        "5.2.1, figure 5.5", "A halo saves a sixth over conditions at the edge.", "saves 18 %",
        Effect(18.0, 18.0, 0.0), saving("life", CONDITIONAL, HALO),
        {HOLDS: "Comparisons in every thread are left out, as in the text.",
         STRONGER: "L1 serves the reads, so that instructions, comparisons too, are presumably more of the time.",
         WEAKER: "Comparisons cost little while a thread waits for its neighbours.",
         NOT: "Comparisons cost nothing while a thread waits for its neighbours."},
    ),
    _thesis(
        "5.2.2, figure 5.8", "Shared memory saves a third over global memory.", "saves 30 %",
        Effect(30.0, 30.0, 0.0), saving("life", HALO, SHARED), {NOT: STAGING},
    ),
    _thesis(
        "5.2.2, figure 5.10; 7.1.2", "Rows aligned to 128 bytes save a little more.", "saves 8 %",
        Effect(8.0, 8.0, 0.0), saving("life", SHARED, ALIGNED),
        {HOLDS: LINES, STRONGER: LINES,
         WEAKER: "Caches hold the whole square, and serve the sector more of a row that begins anywhere.",
         NOT: "A halo of one cell costs a sector per row at most, and L2 holds the whole square."},
    ),
    _thesis(
        "5.2.2, figure 5.11", "64 x 4 saves a sixth over 16 x 16.", "saves 16 %", Effect(16.0, 16.0, 0.0),
        saving("life", ALIGNED, RECT), {STRONGER: WIDTH, HOLDS: WIDTH},
    ),
    _thesis(
        "5.2.2, figure 5.11", "64 x 4 is just slightly faster than 32 x 8.", "T(32 x 8) / T(64 x 4) = 1",
        Within(1.0, 1.05), slower("life", shape(32, 8), shape(64, 4)),
        {HOLDS: "A row of a warp is 32 cells in both, and with tiles of 64 both stage the same halo.",
         NOT: "A row of a warp is 32 cells in both, and with tiles of 64 both stage the same halo."}, "shapes-*",
    ),
    _thesis(
        "5.2.2, figure 5.13", "Two cells per thread save nearly half over one, at 16 x 16.", "saves 44 %",
        Effect(44.0, 44.0, 0.0), saving("life", ALIGNED, TWO_CELL_SQUARE),
        {HOLDS: WIDTH, STRONGER: WIDTH, WEAKER: ONE_INDEX}, "square-* shapes-*",
    ),
    _thesis(
        "5.2.2, figure 5.13", "Two cells per thread save a third over 64 x 4.", "saves 36 %", Effect(36.0, 36.0, 0.0),
        saving("life", RECT, TWO_CELL_SQUARE),
        {WEAKER: ONE_INDEX, NOT: ONE_INDEX},
        "square-* shapes-*",
    ),
    _thesis(
        "5.2.2, figure 5.14", "Two cells in blocks of 64 x 4 save a little more than in 16 x 16.", "saves 5 %",
        Effect(5.0, 5.0, 0.0), saving("life", shape(16, 16, "two-cell"), shape(64, 4, "two-cell")),
        {HOLDS: WIDTH, STRONGER: WIDTH, WEAKER: "Both stage the same tile of 64, with the same halo.",
         NOT: "Both stage the same tile of 64, with the same halo."}, "shapes-*",
    ),
    _thesis(
        "5.2.3, figure 5.16", "Two generations per launch are slower than two cells per thread.", "T > 1",
        Above(1.0), slower("life", TWO_GENERATION, TWO_CELL_WIDE),
        {HOLDS: "The halo of the first generation is computed as well, by threads that then have more to do.",
         NOT: TWICE},
        "square-* shapes-*",
    ),
    _thesis(
        "7.2", "Several generations per launch bring no substantial improvement.", "saves less than 5 %", Below(5.0),
        saving("life", RECT, TWO_GENERATION),
        {HOLDS: "The halo that is computed twice takes back what the launch and the traffic save.",
         NOT: TWICE},
    ),
)  # fmt: skip

INDEX = "Two cells share the index and the reads of their common neighbours."
FLOATS = (
    _thesis(
        "5.3.1, figure 5.21; 7.1.5", "Blur: two cells per thread save a third over one.", "saves 37 %",
        Effect(37.0, 37.0, 0.0), saving("blur", anyhow("rect"), anyhow("two-cell")),
        {HOLDS: INDEX, STRONGER: INDEX, WEAKER: ONE_INDEX, NOT: ONE_INDEX}, "blur-*",
    ),
    _thesis(
        "5.3.2, figure 5.23", "Difference of Gaussians: two cells per thread change hardly anything.",
        "saves 0 %", Within(-5.0, 5.0), saving("dog", anyhow("aligned"), anyhow("two-cell")),
        {HOLDS: "Memory is the limit, and both read and write each value once.",
         NOT: "More bytes in flight per thread hide more of the latency of memory."}, "dog-*",
    ),
    _thesis(
        "5.3.2, figure 5.23", "Difference of Gaussians: packing both planes into float2 changes hardly anything.",
        "saves 0 %", Within(-5.0, 5.0), saving("dog", anyhow("aligned"), anyhow("packed")),
        {HOLDS: "Memory is the limit, and both read and write each value once.",
         NOT: "Wider loads keep more bytes in flight per thread."}, "dog-*",
    ),
    _thesis(
        "5.3.3, figure 5.25", "Extrema: two cells in wide blocks are no longer the fastest; square ones are.",
        "T(wide) > T(square)", Above(1.0), slower("extrema", TWO_CELL_WIDE, TWO_CELL_SQUARE),
        {HOLDS: "Three planes of a wide tile leave room for fewer blocks.",
         NOT: "Shared memory is large enough here for both."}, "extrema-*",
    ),
    _thesis(
        "5.3.3, figure 5.25", "Extrema: one cell per thread in square blocks is the slowest.",
        "T(aligned) > T(rect)", Above(1.0), slower("extrema", anyhow("aligned"), anyhow("rect")),
        {HOLDS: "Square tiles have the most sides, and read them for three planes."}, "extrema-*",
    ),
    _water(
        "6.5, figure 6.4; 7.1.1", "Surface water: shared memory saves a fifth over global memory.", "saves 21 %",
        Effect(21.0, 21.0, 0.0), saving("water", anyhow("halo"), anyhow("shared")),
        {HOLDS: "Each level is needed by many cells, and is worked out from what is staged.",
         NOT: L1, WEAKER: L1},
    ),
    _water(
        "6.5, figure 6.4; 7.1.2", "Surface water: aligned rows save a little more.", "saves 8 %", Effect(8.0, 8.0, 0.0),
        saving("water", anyhow("shared"), anyhow("aligned")),
        {NOT: "A halo costs a sector per row at most.", WEAKER: "A halo costs a sector per row at most."},
    ),
    _water(
        "6.5, figure 6.4; 7.1.4", "Surface water: wide blocks save a little more.", "saves 7 %", Effect(7.0, 7.0, 0.0),
        saving("water", anyhow("aligned"), anyhow("rect")), {STRONGER: WIDTH, HOLDS: WIDTH},
    ),
    _water(
        "6.5, figure 6.4", "Surface water: wide blocks are the fastest of all.", "T(next) > T(rect)", Above(1.0),
        technique_lead("water", anyhow("rect"), [anyhow(m) for m in ("halo", "shared", "aligned", "two-generation")]),
        {HOLDS: WIDTH, NOT: "Another technique is faster where L1 and large shared memory are."},
    ),
    _water(
        "6.5, table 6.2", "Surface water: two generations per launch are several times slower than one.", "6.8 times",
        Effect(6.8, 6.8), slower("water", anyhow("two-generation"), anyhow("rect")),
        {WEAKER: "Registers and shared memory are no longer short, so the occupancy does not fall as it did.",
         NOT: "Registers and shared memory are no longer short, and half of the traffic is saved."},
    ),
)  # fmt: skip

CLAIMS = (*LIFE, *FLOATS)
