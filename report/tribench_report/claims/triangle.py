"""Navarro and Hitschfeld (2013), in the order of the text. The published figures are theirs, the words are ours."""

from __future__ import annotations

from .measures import (
    exact,
    extreme_improvement,
    features,
    improvement,
    lead,
    mean_improvement,
    times_apart,
    trail,
    waste,
)
from .rules import Above, Below, Effect, Text, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT
EDM = ("edm1", "edm2", "edm3", "edm4")

LAUNCH = "blocks are launched at a fixed rate here, and a map of the triangle launches half of them"

MORE_WORK = "With more work in a cell the launch of blocks, which a map saves, is less of the time."

_claim = Text("Navarro & Hitschfeld", "GTX 680", "paper").claim

CLAIMS = (
    _claim(
        "II.B, (15)", "The improvement of a map over the bounding box stays below 2.", "I < 2", Below(2.0),
        extreme_improvement(max, [("ltm-r", w) for w in ("dummy", *EDM)]),
        {NOT: "The bound takes a block of the map to cost as much as one of the box; here the order in which tiles are "
              "visited makes the map's cheaper, because their input is still in L1.",
         HOLDS: "No block of the map is cheaper than one of the box."},
    ),
    _claim(
        "II.B, (14)", "A mapping costs 1.5 to 2 times what the test of the box costs, so that I is 1.33 at most.",
        "1.00 < I <= 1.33", Within(1.0, 1.33), improvement("ltm-r", "dummy"),
        {NOT: f"The mapping is hidden: {LAUNCH}."},
    ),
    _claim(
        "III.A, figure 3", "With the plain square root (LTM-X) the map is slower than the box.", "I = 0.7",
        Effect(0.7, 0.7), improvement("ltm-x", "dummy"),
        {NOT: "A root is a few instructions in units that stand idle while blocks are launched."}, "roots beyond",
    ),
    _claim(
        "III.A, figure 3", "With three Newton steps (LTM-N) it is a little faster than the box.", "I = 1.03",
        Effect(1.03, 1.03), improvement("ltm-n", "dummy"),
        {STRONGER: f"The steps are hidden as the root is: {LAUNCH}."}, "roots beyond",
    ),
    _claim(
        "III.A, figure 3", "With the reciprocal root (LTM-R) it is clearly faster than the box.", "I = 1.15",
        Effect(1.15, 1.15), improvement("ltm-r", "dummy"),
        {STRONGER: f"I is the ratio of the blocks: {LAUNCH}."}, "roots paper",
    ),
    _claim(
        "III.A", "Of the three roots the reciprocal one is the fastest.", "T(next) > T(LTM-R)", Above(1.0),
        lead("ltm-r", ("ltm-x", "ltm-n"), "dummy"),
        {HOLDS: "It has the fewest instructions; little of that shows where blocks are launched at one rate.",
         NOT: "The rate at which blocks are launched hides the root."}, "roots beyond",
    ),
    _claim(
        "III.A", "LTM-N with its repair is exact up to N = 30720 in blocks of 16 x 16.", "N = 30,720",
        Above(30719.0), exact("ltm-n"),
        {HOLDS: "The device was asked about every block of every n, and the first wrong one comes later."}, "maps",
    ),
    _claim(
        "V", "LTM-R with its repair is exact up to N = 30000 in blocks of 16 x 16.", "N = 30,000",
        Above(29999.0), exact("ltm-r"),
        {HOLDS: "The device was asked about every block of every n, and the first wrong one comes later."}, "maps",
    ),
    _claim(
        "III.A, figure 3", "The blocks that LTM wastes grow as N does.", "O(n): 2 for twice the N", Within(1.5, 2.5),
        waste("ltm-r"),
        {HOLDS: "Only what its square grid has beyond the triangle of blocks is wasted, less than two rows of it."},
    ),
    _claim(
        "III.A, figure 3", "The blocks that the box wastes grow as the square of N.", "O(n^2): 4 for twice the N",
        Within(3.5, 4.5), waste("bb"), {HOLDS: "It is all that lies above the diagonal."},
    ),
    _claim(
        "IV, figure 5", "On the kernel that only maps, RB is the fastest of all.", "T(next) > T(RB)", Above(1.0),
        lead("rb", ("bb", "ltm-r", "rec", "utm"), "dummy"),
        {HOLDS: "It folds with a comparison and two subtractions, and wastes next to nothing.",
         NOT: f"LTM with the reciprocal root takes as long: {LAUNCH}, whichever map it is."},
    ),
    _claim(
        "IV, figure 5", "There RB gains up to a quarter over the box.", "I = 1.25", Effect(1.25, 1.25),
        extreme_improvement(max, [("rb", "dummy")]),
        {STRONGER: f"I is the ratio of the blocks: {LAUNCH}."},
    ),
    _claim(
        "IV, figure 5", "There LTM comes second.", "I = 1.13", Effect(1.13, 1.13), improvement("ltm-r", "dummy"),
        {STRONGER: f"I is the ratio of the blocks: {LAUNCH}."},
    ),
    _claim(
        "IV, figure 5", "There REC is slower than the box at every N.", "I < 1", Below(1.0),
        extreme_improvement(max, [("rec", "dummy")]),
        {NOT: "Its levels are one graph here, run side by side, and no longer a launch after another by the host."},
    ),
    _claim(
        "IV, figure 5", "There UTM is slower than the box at every N.", "I < 1", Below(1.0),
        extreme_improvement(max, [("utm", "dummy")]),
        {NOT: "Half of the threads weigh more than the root and the repair that each of them makes."},
    ),
    _claim(
        "IV, figure 5", "On distance matrices RB gains less than on the kernel that only maps.", "I = 1.14 on average",
        Effect(1.14, 1.14), mean_improvement("rb", EDM),
        {STRONGER: f"I is still near the ratio of the blocks: {LAUNCH}."},
    ),
    _claim(
        "IV, figure 5", "On distance matrices LTM gains as much as on the kernel that only maps.", "I = 1.12 to 1.15",
        Effect(1.12, 1.15), improvement("ltm-r", "edm1"),
        {STRONGER: "It gains as much as there, which is more than published, and the order of its blocks spares L1."},
    ),
    _claim(
        "IV, figure 5", "On distance matrices REC is faster than the box for N > 5000.", "I > 1", Above(1.0),
        extreme_improvement(min, [("rec", w) for w in EDM], above=5000),
        {HOLDS: "Its levels take half of the blocks, and a few launches weigh little then."},
    ),
    _claim(
        "IV, figure 5", "There REC gains a little at the largest N.", "I = 1.05", Effect(1.05, 1.05),
        improvement("rec", "edm1"), {STRONGER: "Its levels run side by side in one graph."},
    ),
    _claim(
        "IV, figure 5", "On distance matrices UTM is the slowest of all.", "T(UTM) > T(next slowest)", Above(1.0),
        trail("utm", ("bb", "ltm-r", "rb", "rec"), "edm1"),
        {NOT: "The box is slower: UTM launches half of its threads, and its stores are contiguous here."},
    ),
    _claim(
        "IV, figure 5", "The number of features hardly changes what LTM gains.", "I(4) / I(1) = 1", Within(0.95, 1.05),
        features("ltm-r"), {NOT: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "The number of features hardly changes what RB gains.", "I(4) / I(1) = 1", Within(0.95, 1.05),
        features("rb"), {NOT: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "UTM gains with the number of features.", "I(4) / I(1) > 1", Above(1.0), features("utm"),
        {NOT: MORE_WORK},
    ),
    _claim(
        "V", "On average LTM gains 15 % over the box.", "I = 1.15", Effect(1.15, 1.15),
        mean_improvement("ltm-r", ("dummy", *EDM)), {STRONGER: f"I is near the ratio of the blocks: {LAUNCH}."},
    ),
    _claim(
        "V", "In practice LTM is as fast as RB.", "T(RB) / T(LTM) = 1", Within(0.95, 1.05),
        times_apart("rb", "ltm-r", "edm1"), {HOLDS: "Both launch the blocks that are needed, and little else."},
    ),
    _claim(
        "V", "Without the overhead of the host REC would gain from launches by the device.", "T(REC) > T(DP)",
        Above(1.0), times_apart("rec", "dp", "edm1"),
        {NOT: "Launches by the device wait for each other; a graph has all levels of REC ready at once."}, "beyond",
    ),
    _claim(
        "V", "UTM gains considerably when it maps blocks and takes the cheaper root.", "T(UTM) > T(UTM-B)", Above(1.0),
        times_apart("utm", "utm-b", "edm1"), {HOLDS: "A block takes the root for all of its threads."}, "beyond",
    ),
    _claim(
        "V", "GPUs of the future will let LTM gain with the plain square root.", "I > 1", Above(1.0),
        improvement("ltm-x", "dummy"), {HOLDS: "A root is hidden while blocks are launched."}, "roots beyond",
    ),
)  # fmt: skip
