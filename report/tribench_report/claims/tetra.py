"""González and others, tetrahedra with dynamic parallelism, in the order of the text."""

from __future__ import annotations

from functools import partial

from .measures import cutoffs_apart, side_lead, sizes_apart, tetra_improvement, tetra_improvements
from .rules import Above, Claim, Effect, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT, PART = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT, Verdict.PART
OLD, CARDS = "GTX 1050 Ti, Tesla K40c", "four GPUs"

_claim = partial(Claim, "González and others")

SAWTOOTH = "Where N is just above a power of two times n_c the leaves are half empty; at the power itself they fit."

CLAIMS = (
    _claim(
        "IV.B, figure 4", OLD, "Recursion should stop at n_c = 128, for all N.", "T(next) > T(128)", Above(1.0),
        cutoffs_apart((64, 256), 128),
        {HOLDS: "Smaller ones launch too many kernels, larger ones leave too much of a box without work.",
         PART: SAWTOOTH, NOT: "Where the balance lies depends on the GPU."}, "tetra-cutoffs",
    ),
    _claim(
        "IV.B, figure 4", OLD, "Stopping at 64 is nearly as good.", "T(64) / T(128) = 1", Within(0.9, 1.1),
        cutoffs_apart((64,), 128),
        {HOLDS: "What it saves in idle threads it pays in launches.", PART: SAWTOOTH,
         NOT: "Every level more is three times as many launches, and they are what takes the time."}, "tetra-cutoffs",
    ),
    _claim(
        "IV.C, figure 5", CARDS, "Blocks of 8 x 8 x 8 are the best.", "T(next) > T(8)", Above(1.0),
        side_lead(8, (2, 4)),
        {HOLDS: "Smaller ones are eight and sixty-four times as many, and are launched one by one."}, "tetra-blocks",
    ),
    *(
        _claim(
            place, gpu, "Dynamic parallelism is slower than the bounding box.", f"{low} to {high}", Effect(low, high),
            tetra_improvements("dp-tetra", 128, 128, 512),
            {NOT: SAWTOOTH, PART: SAWTOOTH, HOLDS: SAWTOOTH}, "tetra-small",
        )
        for place, gpu, low, high in (
            ("V, figure 6a", "GTX 1050 Ti", 0.7, 0.8), ("V, figure 6b", "Titan X", 0.6, 0.7),
            ("V, figure 6c", "Tesla K40c", 0.7, 0.9),
        )
    ),
    _claim(
        "V, figure 6d", "Tesla V100", "Up to N = 256 it is up to twice as fast as the box.", "1 to 2",
        Effect(1.0, 2.0), tetra_improvements("dp-tetra", 128, 128, 256),
        {NOT: "The box is done before the launches of a tree, level after level, have been made.",
         PART: "The box is done before the launches of a tree, level after level, have been made."}, "tetra-small",
    ),
    _claim(
        "V, figure 6d", "Tesla V100", "Beyond N = 256 it is about three times as fast as the box.", "2.4 to 3.1",
        Effect(2.4, 3.1), tetra_improvements("dp-tetra", 128, 257, 512),
        {WEAKER: "Launches by the device take a larger share where the box is fast.", PART: SAWTOOTH,
         NOT: "Launches by the device take a larger share where the box is fast."}, "tetra-small",
    ),
    _claim(
        "VI", "Tesla V100", "On newer GPUs n_c = 256 may (quizás) be better than 128 (at some N).",
        "T(128) > T(256)", Above(1.0), cutoffs_apart((128,), 256),
        {HOLDS: "A level of launches less is worth more than the threads that idle in larger leaves.", PART: SAWTOOTH,
         NOT: "The idle threads of larger leaves cost more than a level of launches."}, "tetra-cutoffs",
    ),
    _claim(
        "VI", "Tesla V100", "An N that does not divide evenly costs more: 508 against 512.", "T(508) > T(512)",
        Above(1.0),
        sizes_apart("dp-tetra", 128, 508, 512),
        {HOLDS: "Halves of 508 end in leaves that no longer fit the blocks.",
         NOT: "The smaller domain outweighs its uneven halves."}, "tetra-small",
    ),
    _claim(
        "III and VII", "estimate", "Recursive maps of simplices should gain 2 to 6 times (boxes launched by the host).",
        "2 to 6", Effect(2.0, 6.0), tetra_improvements("rec-tetra", 128, 128, 512),
        {HOLDS: "Boxes of halved sides leave only the leaves at the slanted face without work.", PART: SAWTOOTH,
         WEAKER: SAWTOOTH}, "tetra-small",
    ),
    _claim(
        "III and VII", "estimate", "The same at N = 1024.", "2 to 6", Effect(2.0, 6.0),
        tetra_improvement("rec-tetra", 128, 1024),
        {HOLDS: "Boxes of halved sides leave only the leaves at the slanted face without work."}, "tetra",
    ),
    _claim(
        "III and VII", "estimate", "The same for dynamic parallelism.", "2 to 6", Effect(2.0, 6.0),
        tetra_improvements("dp-tetra", 128, 128, 512),
        {PART: "The launches by the device take back all of it where N is small.",
         NOT: "The launches by the device take back all of it."}, "tetra-small",
    ),
    _claim(
        "III and VII", "estimate", "The same for dynamic parallelism at N = 1024.", "2 to 6", Effect(2.0, 6.0),
        tetra_improvement("dp-tetra", 128, 1024),
        {HOLDS: "At this N the launches are a small part of the time.",
         WEAKER: "The launches by the device take back part of it."}, "tetra",
    ),
)  # fmt: skip
