"""The abstract of Navarro and others (2023) on the map H, sentence by sentence: the text itself is not open."""

from __future__ import annotations

from .measures import simplex_ahead, simplex_dimensions, simplex_energy, simplex_reached, simplex_space
from .rules import Above, Claim, Effect, Text, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT, PART = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT, Verdict.PART
_text = Text("Navarro, Quezada, Bustos, Hitschfeld & Kindelan", "GPU not named there", "")
_claim = _text.claim

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

BLOCKS = "Few blocks are launched in vain, but cells cost here, too: memory is a part of the time that no map saves."
RANK = "A guess: where no map leaves many blocks without work, memory and the launches decide, not the map."
BYTES = "A guess: where memory is the limit all maps but the box move as many bytes in a second."
ALIKE = "Energy follows time, and other maps take about as long."
LEVELS = "A guess: a launch per level costs more than the idle blocks of another map where N is small."


def _reached(dimension: int, strategy: str, published: str, rule: Effect) -> list[Claim]:
    return [
        _claim(
            "abstract",
            f"On {dimension}-simplices H reaches {published} times the box, by test: `{test}`, at its best N.",
            published, rule, simplex_reached(dimension, strategy, test),
            {HOLDS: BLOCKS, WEAKER: BLOCKS, NOT: BLOCKS,
             STRONGER: "A block of the box that returns at once still takes a place, beside the work that H saves."},
            labels[dimension - 2],
        )
        for test, labels in TESTS.items()
    ]  # fmt: skip


CLAIMS = (
    *_reached(2, "hmap", "1.2 to 2.0", Effect(1.2, 2.0)),
    *(
        _claim(
            "abstract", f"On 2-simplices H is on par with the fastest of the earlier maps: `{test}`.",
            "T(best other) / T(H) = 1", Within(0.9, 1.1), simplex_ahead(2, "hmap", TRIANGLE, test),
            {HOLDS: RANK, PART: RANK, NOT: RANK}, labels[0],
        )
        for test, labels in TESTS.items()
    ),
    *_reached(3, "hmap-tetra", "1.3 to 6.0", Effect(1.3, 6.0)),
    *(
        _claim(
            "abstract", f"On 3-simplices H is the fastest, of the earlier maps: `{test}`.", "T(best other) > T(H)",
            Above(1.0), simplex_ahead(3, "hmap-tetra", TETRA, test),
            {HOLDS: "It launches hardly a block in vain, and takes no root.", PART: LEVELS, NOT: LEVELS}, labels[1],
        )
        for test, labels in TESTS.items()
    ),
    *(
        _claim(
            "abstract", f"The speedup of H grows with the dimension, from two to three: `{test}`, at its best N.",
            "I(3D) > I(2D)", Above(1.0), simplex_dimensions(test),
            {HOLDS: "A box leaves five sixths of its blocks without work in three dimensions, a half in two.",
             NOT: "A guess: the cells of a tetrahedron cost more than the blocks that a box launches in vain."},
            labels[0] if labels[0] == labels[1] else "+".join(labels),
        )
        for test, labels in TESTS.items()
    ),
    _claim(
        "abstract", "H could gain up to 2 times on 2-simplices (blocks of the box over those of H).", "2",
        Effect(2.0, 2.0), simplex_space(2, "hmap"), {HOLDS: "At powers of two H launches what the triangle has."},
        "simplex", is_arithmetic=True,
    ),
    _claim(
        "abstract", "H could gain up to 6 times on 3-simplices (blocks of the box over those of H).", "6",
        Effect(6.0, 6.0), simplex_space(3, "hmap-tetra"),
        {HOLDS: "Beside the tetrahedron H launches little, the less the larger N is.",
         WEAKER: "The blocks on the slanted face and those launched in vain are a share that falls as N grows."},
        "simplex-tetra", is_arithmetic=True,
    ),
    *(
        _claim(
            "abstract", f"H is among the highest in power on {dimension}-simplices.", "P(H) > P(the middle one)",
            Above(1.0), simplex_energy(dimension, h, ENERGY[dimension], is_power=True),
            {HOLDS: "A guess: more of its blocks work at once.",
             PART: BYTES, NOT: BYTES},
            WATTS[dimension],
        )
        for dimension, h in ((2, "hmap"), (3, "hmap-tetra"))
    ),
    *(
        _claim(
            "abstract", f"H is one of the most energy efficient on {dimension}-simplices (cells per joule).",
            "J per cell: the middle one's > H's", Above(1.0),
            simplex_energy(dimension, h, ENERGY[dimension], is_power=False),
            {HOLDS: "It is done sooner, and what the device takes at rest is a large share.",
             PART: ALIKE, NOT: ALIKE},
            WATTS[dimension],
        )
        for dimension, h in ((2, "hmap"), (3, "hmap-tetra"))
    ),
    _text.unasked("abstract", "Beyond three dimensions H could gain m! times, given the right r and beta.", "m!",
                  Verdict.UNASKED, "There are no domains of more than three dimensions here."),
    _text.unasked("abstract (arXiv)", "Tensor and ray tracing cores can improve H further.", "T < 1",
                  Verdict.UNASKED, "No kernel here computes a map on such cores."),
)  # fmt: skip
