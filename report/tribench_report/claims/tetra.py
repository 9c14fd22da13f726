"""González and others, tetrahedra with dynamic parallelism, in the order of the text."""

from __future__ import annotations

from functools import partial

from .measures import cutoff_lead, side_lead, tetra_improvement
from .rules import Above, Claim, Effect, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT
OLD, CARDS = "GTX 1050 Ti, Tesla K40c", "four GPUs"

_claim = partial(Claim, "González and others")

LAUNCHES = (
    "At a power of two the tree fits, and launching costs less than the five blocks of six that the box wastes."
)

CLAIMS = (
    _claim(
        "IV.B, figure 4", OLD, "Recursion should stop at n_c = 128.", "T(next) > T(128)", Above(1.0),
        cutoff_lead(128, (8, 16, 32, 64, 256)),
        {HOLDS: "Smaller ones launch too many kernels, larger ones leave too much of a box without work.",
         NOT: "Another n_c is as good or better: where the balance lies depends on the GPU."}, "tetra-cutoffs tetra",
    ),
    _claim(
        "IV.B, figure 4", OLD, "Stopping at 64 is nearly as good.", "T(64) / T(128) = 1", Within(0.9, 1.1),
        cutoff_lead(128, (64,)),
        {HOLDS: "What it saves in idle threads it pays in launches.",
         NOT: "Every level more is three times as many launches, and they are what takes the time."},
        "tetra-cutoffs tetra",
    ),
    _claim(
        "IV.C, figure 5", CARDS, "Blocks of 8 x 8 x 8 are the best.", "T(next) > T(8)", Above(1.0),
        side_lead(8, (2, 4)),
        {HOLDS: "Smaller ones are eight and sixty-four times as many, and are launched one by one."}, "tetra-blocks",
    ),
    _claim(
        "V, figure 6a", "GTX 1050 Ti", "Dynamic parallelism is slower than the bounding box.", "0.7 to 0.8",
        Effect(0.7, 0.8), tetra_improvement("dp-tetra", 128), {NOT: LAUNCHES}, "tetra-small tetra",
    ),
    _claim(
        "V, figure 6b", "Titan X", "Dynamic parallelism is slower than the bounding box.", "0.6 to 0.7",
        Effect(0.6, 0.7), tetra_improvement("dp-tetra", 128), {NOT: LAUNCHES}, "tetra-small tetra",
    ),
    _claim(
        "V, figure 6c", "Tesla K40c", "Dynamic parallelism is slower than the bounding box.", "0.7 to 0.9",
        Effect(0.7, 0.9), tetra_improvement("dp-tetra", 128), {NOT: LAUNCHES}, "tetra-small tetra",
    ),
    _claim(
        "V, figure 6d", "Tesla V100", "Up to N = 256 it is up to twice as fast as the box.", "1 to 2",
        Effect(1.0, 2.0), tetra_improvement("dp-tetra", 128, 256),
        {NOT: "The box is done before the launches of a tree, level after level, have been made."},
        "tetra-small tetra",
    ),
    _claim(
        "V, figure 6d", "Tesla V100", "Beyond N = 256 it is about three times as fast as the box.", "2.4 to 3.1",
        Effect(2.4, 3.1), tetra_improvement("dp-tetra", 128),
        {WEAKER: "Launches by the device take a larger share where the box is fast; on that GPU, the text says, it was "
                 "surprisingly slow."},
        "tetra-small tetra",
    ),
    _claim(
        "VI", "Tesla V100", "On newer GPUs n_c = 256 may be better than 128.", "T(128) > T(256)", Above(1.0),
        cutoff_lead(256, (128,)),
        {HOLDS: "A level of launches less is worth more than the threads that idle in larger leaves.",
         NOT: "The idle threads of larger leaves cost more than a level of launches."}, "tetra tetra-cutoffs",
    ),
    _claim(
        "III and VII", "estimate", "Recursive maps of simplices should gain 2 to 6 times (boxes launched by the host).",
        "2 to 6", Effect(2.0, 6.0), tetra_improvement("rec-tetra", 128, 1024),
        {HOLDS: "Boxes of halved sides leave only the leaves at the slanted face without work."}, "tetra",
    ),
    _claim(
        "III and VII", "estimate", "The same of dynamic parallelism.", "2 to 6", Effect(2.0, 6.0),
        tetra_improvement("dp-tetra", 128, 1024),
        {HOLDS: "At this N the launches are a small part of the time.",
         WEAKER: "The launches by the device take back part of it."}, "tetra",
    ),
)  # fmt: skip
