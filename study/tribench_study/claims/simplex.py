"""The abstract of Navarro and others (2023) on the map H, sentence by sentence: the text itself is not open."""

from __future__ import annotations

from functools import partial

from .measures import simplex_ahead, simplex_dimensions, simplex_energy, simplex_reached, simplex_space
from .rules import Claim, Rule, Verdict, above, effect, unasked, within

HOLDS, STRONGER, WEAKER, NOT, PART = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT, Verdict.PART
TEXT = ("Navarro, Quezada, Bustos, Hitschfeld & Kindelan", "GPU not named there")
_claim = partial(Claim, *TEXT)

# The abstract speaks of different tests and names none but cellular automata: ours, and where 2D and 3D measured them.
TESTS = {
    "write": ("simplex", "simplex-tetra"),
    "accumulate": ("simplex", "simplex-tetra"),
    "life": ("simplex-life", "simplex-tetra"),
}
# Maps of earlier texts: lambda, the rectangular box, recursion by host and device.
TRIANGLE = ("ltm-i", "rb", "rb-b", "rec", "dp")
TETRA = ("ltm-tetra", "rb-tetra", "rec-tetra", "dp-tetra")
ENERGY = {2: ("bb", "ltm-i", "rb", "rec"), 3: ("bb-tetra", *TETRA)}
WATTS = {2: "simplex-energy+simplex-life-energy", 3: "tetra-energy"}

BLOCKS = "Few blocks are launched without work, but memory takes a part of the time that no map saves."
RANK = "Memory and the launches take the time, and no map has many blocks without work."
BYTES = "Memory is the limit, and all maps except the box move as many bytes per second."
ALIKE = "Energy follows time, and other maps take about as long."
LEVELS = "At small N a launch per level costs more than the idle blocks of another map."


def _reached(dimension: int, strategy: str, published: str, rule: Rule) -> list[Claim]:
    return [
        _claim(
            "abstract",
            f"H is {published} times as fast as the box on {dimension}-simplices at its best N: `{test}`.",
            published, rule, simplex_reached(dimension, strategy, test),
            {HOLDS: BLOCKS, WEAKER: BLOCKS, NOT: BLOCKS,
             STRONGER: "A block of the box that returns at once still takes a place on an SM."},
            labels[dimension - 2],
        )
        for test, labels in TESTS.items()
    ]  # fmt: skip


CLAIMS = (
    *_reached(2, "hmap", "1.2 to 2.0", effect(1.2, 2.0)),
    *(
        _claim(
            "abstract", f"H is on par with the fastest of the earlier maps on 2-simplices: `{test}`.",
            "T(best other) / T(H) = 1", within(0.9, 1.1), simplex_ahead(2, "hmap", TRIANGLE, test),
            {HOLDS: RANK, PART: RANK, NOT: RANK}, labels[0],
        )
        for test, labels in TESTS.items()
    ),
    *_reached(3, "hmap-tetra", "1.3 to 6.0", effect(1.3, 6.0)),
    *(
        _claim(
            "abstract", f"H is faster than the earlier maps on 3-simplices: `{test}`.", "T(best other) > T(H)",
            above(1.0), simplex_ahead(3, "hmap-tetra", TETRA, test),
            {HOLDS: "H launches almost no block without work and computes no root.",
            PART: LEVELS, NOT: LEVELS}, labels[1],
        )
        for test, labels in TESTS.items()
    ),
    *(
        _claim(
            "abstract", f"The speedup of H grows from two to three dimensions at its best N: `{test}`.",
            "I(3D) > I(2D)", above(1.0), simplex_dimensions(test),
            {HOLDS: "Five sixths of the blocks of a box have no work in three dimensions, one half in two.",
             NOT: "The cells of a tetrahedron cost more than the blocks of the box that have no work."},
            labels[0] if labels[0] == labels[1] else "+".join(labels),
        )
        for test, labels in TESTS.items()
    ),
    _claim(
        "abstract", "H could gain up to 2 times on 2-simplices (blocks of the box over those of H).", "2",
        effect(2.0, 2.0), simplex_space(2, "hmap"), {HOLDS: "At powers of two H launches the blocks of the triangle "
        "and no others."}, "simplex", is_arithmetic=True,
    ),
    _claim(
        "abstract", "H could gain up to 6 times on 3-simplices (blocks of the box over those of H).", "6",
        effect(6.0, 6.0), simplex_space(3, "hmap-tetra"),
        {HOLDS: "H launches few blocks beside those of the tetrahedron, and their share falls as N grows.",
         WEAKER: "The share of blocks on the slanted face and of blocks without work falls only as N grows."},
        "simplex-tetra", is_arithmetic=True,
    ),
    *(
        _claim(
            "abstract", f"H is among the highest in power on {dimension}-simplices.", "P(H) > P(the middle one)",
            above(1.0), simplex_energy(dimension, h, ENERGY[dimension], is_power=True),
            {HOLDS: "More blocks of H work at the same time.", PART: BYTES, NOT: BYTES},
            WATTS[dimension],
        )
        for dimension, h in ((2, "hmap"), (3, "hmap-tetra"))
    ),
    *(
        _claim(
            "abstract", f"H is one of the most energy efficient on {dimension}-simplices (cells per joule).",
            "J per cell: the middle one's > H's", above(1.0),
            simplex_energy(dimension, h, ENERGY[dimension], is_power=False),
            {HOLDS: "H takes less time, and the idle power of the device is a large share of the energy.",
             PART: ALIKE, NOT: ALIKE},
            WATTS[dimension],
        )
        for dimension, h in ((2, "hmap"), (3, "hmap-tetra"))
    ),
    unasked(*TEXT, "abstract", "Beyond three dimensions H could gain m! times, given the right r and beta.", "m!",
            "There are no domains of more than three dimensions here."),
    unasked(*TEXT, "abstract (arXiv)", "Tensor and ray tracing cores can improve H further.", "T < 1",
            "No kernel here computes a map on such cores."),
)  # fmt: skip
