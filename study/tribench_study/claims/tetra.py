"""González and others, tetrahedra with dynamic parallelism, in the order of the text."""

from __future__ import annotations

from functools import partial

from .measures import cutoffs_apart, side_lead, sizes_apart, tetra_improvement, tetra_improvements
from .rules import Claim, Verdict, above, effect, within

HOLDS, STRONGER, WEAKER, NOT, PART = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT, Verdict.PART
OLD, CARDS = "GTX 1050 Ti, Tesla K40c", "four GPUs"

_claim = partial(Claim, "González and others")

SAWTOOTH = (
    "Just above a power of two times n_c the leaves are little larger than half of n_c, so the last level of launches "
    "gains little. At the power itself the leaves are as large as n_c."
)

CLAIMS = (
    _claim(
        OLD, "IV.B, figure 4", "Recursion should stop at n_c = 128, for all N.", "T(next) > T(128)", above(1.0),
        cutoffs_apart((64, 256), 128),
        {PART: SAWTOOTH}, "tetra-cutoffs",
    ),
    _claim(
        OLD, "IV.B, figure 4", "Stopping at n_c = 64 is nearly as good.", "T(64) / T(128) = 1", within(0.9, 1.1),
        cutoffs_apart((64,), 128),
        {PART: "Another level takes three times as many launches. Only at large N is that a small share of the time."},
        "tetra-cutoffs",
    ),
    _claim(
        CARDS, "IV.C, figure 5", "Blocks of 8 x 8 x 8 are the best.", "T(next) > T(8)", above(1.0),
        side_lead(8, (2, 4)),
        {HOLDS: "Smaller blocks are 8 or 64 times as many, and each of them has to be launched."}, "tetra-blocks",
    ),
    *(
        _claim(
            gpu, place, "Dynamic parallelism is slower than the bounding box.", f"{low} to {high}", effect(low, high),
            tetra_improvements("dp-tetra", 128, 128, 512),
            {PART: SAWTOOTH}, "tetra-small",
        )
        for gpu, place, low, high in (
            ("GTX 1050 Ti", "V, figure 6a", 0.7, 0.8), ("Titan X", "V, figure 6b", 0.6, 0.7),
            ("Tesla K40c", "V, figure 6c", 0.7, 0.9),
        )
    ),
    _claim(
        "Tesla V100", "V, figure 6d", "Dynamic parallelism is up to twice as fast as the box up to N = 256.", "1 to 2",
        effect(1.0, 2.0), tetra_improvements("dp-tetra", 128, 128, 256),
        {NOT: "The box finishes before the tree has made its launches, level after level."}, "tetra-small",
    ),
    _claim(
        "Tesla V100", "V, figure 6d", "Dynamic parallelism is about three times as fast as the box beyond N = 256.",
        "2.4 to 3.1", effect(2.4, 3.1), tetra_improvements("dp-tetra", 128, 257, 512),
        {PART: SAWTOOTH}, "tetra-small",
    ),
    _claim(
        "Tesla V100", "VI", "On newer GPUs n_c = 256 may (quizás) be better than 128 (at some N).",
        "T(128) > T(256)", above(1.0), cutoffs_apart((128,), 256),
        {PART: SAWTOOTH}, "tetra-cutoffs",
    ),
    _claim(
        "Tesla V100", "VI", "An N that does not divide evenly costs more: 508 against 512.", "T(508) > T(512)",
        above(1.0), sizes_apart("dp-tetra", 128, 508, 512),
        {HOLDS: "Halving 508 ends in leaves that do not fit the blocks."}, "tetra-small",
    ),
    _claim(
        "estimate", "III and VII", "Recursive maps of simplices should gain 2 to 6 times (boxes launched by the host).",
        "2 to 6", effect(2.0, 6.0), tetra_improvements("rec-tetra", 128, 128, 512),
        {PART: SAWTOOTH}, "tetra-small",
    ),
    _claim(
        "estimate", "III and VII",
        "Recursive maps of simplices should gain 2 to 6 times at N = 1024 (boxes launched by the "
        "host).", "2 to 6", effect(2.0, 6.0),
        tetra_improvement("rec-tetra", 128, 1024),
        {HOLDS: "With boxes of halved sides, only the leaves at the slanted face have blocks without work."}, "tetra",
    ),
    _claim(
        "estimate", "III and VII", "Dynamic parallelism should gain 2 to 6 times.", "2 to 6", effect(2.0, 6.0),
        tetra_improvements("dp-tetra", 128, 128, 512),
        {PART: "At small N the launches by the device cost all of the gain."}, "tetra-small",
    ),
    _claim(
        "estimate", "III and VII", "Dynamic parallelism should gain 2 to 6 times at N = 1024.", "2 to 6",
        effect(2.0, 6.0), tetra_improvement("dp-tetra", 128, 1024),
        {HOLDS: "The launches take a small share of the time at this N."}, "tetra",
    ),
)  # fmt: skip
