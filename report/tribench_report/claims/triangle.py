"""Navarro and Hitschfeld (2013), in the order of the text. The published figures are theirs, the words are ours."""

from __future__ import annotations

from .measures import (
    apart,
    exact,
    fastest,
    features,
    gains_apart,
    improvement,
    improvements,
    mean_improvement,
    second,
    slowest,
    waste,
)
from .rules import Above, Below, Claim, Effect, Outside, Rule, Text, Verdict, Within

HOLDS, STRONGER, WEAKER, NOT, PART = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT, Verdict.PART
EDM = ("edm1", "edm2", "edm3", "edm4")

LAUNCH = "the rate at which blocks are launched is the limit here, and a map of the triangle launches half of them"
MORE_WORK = "With more work per cell, launching blocks, which is what a map saves, is a smaller share of the time."
LARGE_BLOCKS = "Such blocks are a quarter as many, so that launching them is a smaller share of the time."

_claim = Text("Navarro & Hitschfeld", "GTX 680", "paper").claim


def _less(reason: str) -> dict[Verdict, str]:
    """Why it holds in part, or not at all."""
    return {PART: reason, NOT: reason}


def _at_32(what: str, published: str, rule: Rule, strategy: str) -> Claim:
    """The same sentence in blocks of 32 x 32, of which the text says nothing."""
    return _claim(
        "IV, figure 5", what, published, rule, improvement(strategy, "dummy", side=32),
        {NOT: LARGE_BLOCKS, WEAKER: LARGE_BLOCKS, STRONGER: LARGE_BLOCKS, HOLDS: LARGE_BLOCKS}, "paper-32 floors",
    )  # fmt: skip


CLAIMS = (
    _claim(
        "I, III.B", "Discarding whole blocks is faster than discarding threads.", "T(threads) > T(blocks)", Above(1.0),
        apart("bb-t", "bb", ("dummy",)),
        {HOLDS: "A block above the diagonal computes no coordinate.",
         **_less("What a thread saves is a few instructions.")}, "beyond",
    ),
    _claim(
        "I, III.B", "The same in blocks of 32 x 32.", "T(threads) > T(blocks)", Above(1.0),
        apart("bb-t", "bb", ("dummy",), side=32), {HOLDS: "A block above the diagonal computes no coordinate.",
         NOT: "Testing a thread is one comparison; a block that works makes another one before."},
        "floors",
    ),
    _claim(
        "II.B, (11), (15)", "The improvement of a map over the bounding box stays below 2 (the cost of mapping alone).",
        "I < 2", Below(2.0), improvements("ltm-r", ("dummy",)),
        {**_less("The bound assumes that a block of the map costs as much as one of the box."),
         HOLDS: "No block of the map is cheaper than one of the box."},
    ),
    _claim(
        "II.B, (14)", "A mapping costs 1.5 to 2 times what the test of the box costs, so that I is 1.33 at most.",
        "1.00 < I <= 1.33", Within(1.0, 1.33), improvement("ltm-r", "dummy"),
        {NOT: f"The mapping is hidden: {LAUNCH}. In blocks of 32 x 32 it holds."},
    ),
    _claim(
        "III.A, figure 3", "With the plain square root (LTM-X) the map is slower than the box.", "I = 0.7",
        Effect(0.7, 0.7), improvements("ltm-x", ("dummy",)),
        {NOT: "A root is a few instructions in units that stand idle while blocks are launched.",
         PART: "Below a thousand cells per side a launch is most of the time."}, "roots",
    ),
    _claim(
        "III.A, figure 3", "With three Newton steps (LTM-N) it is a little faster than the box (the caption of "
        "figure 3 "
        "contradicts it).", "I = 1.03", Effect(1.03, 1.03), improvement("ltm-n", "dummy"),
        {STRONGER: f"The steps are hidden as the root is: {LAUNCH}."}, "roots",
    ),
    _claim(
        "III.A, figure 3", "With the reciprocal root (LTM-R) it is clearly faster than the box.", "I = 1.15",
        Effect(1.15, 1.15), improvement("ltm-r", "dummy"),
        {STRONGER: f"I is near the ratio of the blocks: {LAUNCH}."}, "roots paper",
    ),
    _claim(
        "III.A", "Of the three roots the reciprocal one is the fastest.", "T(next) > T(LTM-R)", Above(1.0),
        fastest("ltm-r", ("ltm-x", "ltm-n"), "dummy"),
        {HOLDS: "It has the fewest instructions; little of that shows where blocks are launched at one rate.",
         PART: "Where little is launched the root decides nothing.",
         NOT: "The rate at which blocks are launched hides the root."}, "roots",
    ),
    _claim(
        "III.A", "LTM-N with its repair is exact up to N = 30720 in blocks of 16 x 16.", "N = 30,720",
        Above(30719.0), exact("ltm-n"),
        {HOLDS: "The device was asked about every block of every n, and the first wrong one comes later. It rests on "
                "rounding that is spelled out: with both additions fused it fails from n = 1528 on."}, "maps",
        is_arithmetic=True,
    ),
    _claim(
        "III.A", "A lookup table for the map is as slow as the plain square root.", "T(table) / T(LTM-X) = 1",
        Within(0.95, 1.05), apart("ltm-t", "ltm-x", ("dummy",)),
        {HOLDS: f"Both are hidden: {LAUNCH}.",
         **_less("A block waits for one load before it knows its tile.")}, "lookup",
    ),
    _claim(
        "V", "LTM-R with its repair is exact up to N = 30000 in blocks of 16 x 16.", "N = 30,000",
        Above(29999.0), exact("ltm-r"),
        {HOLDS: "The device was asked about every block of every n, and the first wrong one comes later."}, "maps",
        is_arithmetic=True,
    ),
    _claim(
        "III.A, figure 3", "The blocks that LTM wastes grow as N does.", "O(n): 2 for twice the N", Within(1.5, 2.5),
        waste("ltm-r"),
        {HOLDS: "Only what its square grid has beyond the triangle of blocks is wasted, less than two rows of it."},
        is_arithmetic=True,
    ),
    _claim(
        "III.A, figure 3", "The blocks that the box wastes grow as the square of N.", "O(n^2): 4 for twice the N",
        Within(3.5, 4.5), waste("bb"), {HOLDS: "It is all that lies above the diagonal."}, is_arithmetic=True,
    ),
    _claim(
        "IV, figure 5", "On the kernel that only maps, RB is the fastest of all.", "T(next) > T(RB)", Above(1.0),
        fastest("rb", ("bb", "ltm-r", "rec", "utm-t"), "dummy"),
        {HOLDS: "It folds with a comparison and two subtractions, and wastes next to nothing.",
         **_less(f"LTM with the reciprocal root takes about as long: {LAUNCH}, whichever map it is.")},
    ),
    _claim(
        "IV, figure 5", "There RB gains up to a quarter over the box.", "I = 1.25", Effect(1.25, 1.25),
        improvement("rb", "dummy"), {STRONGER: f"I is near the ratio of the blocks: {LAUNCH}."},
    ),
    _at_32("RB, in blocks of 32 x 32.", "I = 1.25", Effect(1.25, 1.25), "rb"),
    _claim(
        "IV, figure 5", "There LTM comes second.", "one is faster", Above(1.0),
        second("ltm-r", ("bb", "rb", "rec", "utm-t"), "dummy"),
        {HOLDS: "RB alone is faster.", **_less("LTM and RB are so near each other that either may be first.")},
    ),
    _claim(
        "IV, figure 5", "There LTM gains an eighth over the box.", "I = 1.13", Effect(1.13, 1.13),
        improvement("ltm-r", "dummy"), {STRONGER: f"I is near the ratio of the blocks: {LAUNCH}."},
    ),
    _at_32("LTM-R, in blocks of 32 x 32.", "I = 1.13", Effect(1.13, 1.13), "ltm-r"),
    _claim(
        "IV, figure 5", "There REC is slower than the box at every N (its levels in one graph).", "I < 1", Below(1.0),
        improvements("rec", ("dummy",)),
        {NOT: "Its levels run side by side.", PART: "Its levels run side by side; at small N there are few blocks to "
        "save."},
    ),
    _claim(
        "IV, figure 5", "The same, launched call by call by the host.", "I < 1", Below(1.0),
        improvements("rec", ("dummy",), timing="host"),
        {NOT: "A call costs a few microseconds, of which a large triangle does not notice many.",
         PART: "The calls are most of the time where N is small."}, "paper-host",
    ),
    _at_32("REC, in blocks of 32 x 32.", "I < 1", Below(1.0), "rec"),
    _claim(
        "IV, figure 5", "There UTM is slower than the box at every N (by transposition, as the text has it).", "I < 1",
        Below(1.0), improvements("utm-t", ("dummy",)),
        _less("Launching half of the threads saves more than a root and a repair in each of them cost."),
    ),
    _claim(
        "IV, figure 5", "The same for UTM with contiguous stores, as in its authors' program.", "I < 1", Below(1.0),
        improvements("utm", ("dummy",)),
        _less("Launching half of the threads saves more than a root and a repair in each of them cost."),
    ),
    _at_32("UTM by transposition, in blocks of 32 x 32.", "I < 1", Below(1.0), "utm-t"),
    _claim(
        "IV, figure 5", "On distance matrices RB gains less than on the kernel that only maps.",
        "I(EDM) / I(dummy) < 1", Below(1.0), gains_apart("rb", EDM),
        {HOLDS: MORE_WORK, PART: MORE_WORK, NOT: "The order of its blocks makes it cheaper than the box for few "
        "features."},
    ),
    _claim(
        "IV, figure 5", "There RB gains a seventh on average.", "I = 1.14", Effect(1.14, 1.14),
        mean_improvement("rb", EDM), {STRONGER: f"I is still near the ratio of the blocks: {LAUNCH}."},
    ),
    _claim(
        "IV, figure 5", "On distance matrices LTM gains as much as on the kernel that only maps.",
        "I(EDM) / I(dummy) = 1", Within(0.95, 1.05), gains_apart("ltm-r", EDM),
        {HOLDS: "The map saves the same blocks.", PART: MORE_WORK, NOT: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "On distance matrices REC is faster than the box for N > 5000 (its levels in one graph).",
        "I > 1", Above(1.0), improvements("rec", EDM, above=5000),
        {HOLDS: "Its levels launch half of the blocks, and a few more launches weigh little at these N."},
    ),
    _claim(
        "IV, figure 5", "The same, launched call by call by the host.", "I > 1", Above(1.0),
        improvements("rec", EDM, above=5000, timing="host"),
        {HOLDS: "Its levels launch half of the blocks, and a few more launches weigh little at these N.",
         PART: "A call for each level weighs more where N is small."}, "paper-host",
    ),
    _claim(
        "IV, figure 5", "There REC gains a little at the largest N.", "I = 1.05", Effect(1.05, 1.05),
        improvement("rec", "edm1"), {STRONGER: "Its levels run side by side in one graph."},
    ),
    _claim(
        "IV, figure 5", "On distance matrices UTM is the slowest of all (by transposition, as the text has it).",
        "T(UTM) > T(next slowest)", Above(1.0), slowest("utm-t", ("bb", "ltm-r", "rb", "rec"), EDM),
        {HOLDS: "Neighbouring threads store a row apart.", PART: "Neighbouring threads store a row apart, which caches "
         "hide at small N."},
    ),
    _claim(
        "IV, figure 5", "The same for UTM with contiguous stores, as in its authors' program.",
        "T(UTM) > T(next slowest)", Above(1.0), slowest("utm", ("bb", "ltm-r", "rb", "rec"), EDM),
        {NOT: "The box is slower: UTM launches half of its threads.",
         PART: "The box is slower in most places: UTM launches half of its threads."},
    ),
    _claim(
        "abstract, IV", "LTM is significantly faster than UTM (by transposition).", "T(UTM) > T(LTM)", Above(1.0),
        apart("utm-t", "ltm-r", ("dummy", *EDM)),
        {HOLDS: "A thread of UTM takes a root and stores apart from its neighbours.",
         PART: "At small N a launch is most of the time."},
    ),
    _claim(
        "abstract, IV", "The same for UTM with contiguous stores.", "T(UTM) > T(LTM)", Above(1.0),
        apart("utm", "ltm-r", ("dummy", *EDM)),
        {HOLDS: "Each thread of UTM takes a root, and one for a block does in LTM.",
         PART: "At small N a launch is most of the time."},
    ),
    _claim(
        "IV, figure 5", "The number of features hardly changes what LTM gains.", "I(4) / I(1) = 1", Within(0.95, 1.05),
        features("ltm-r"), {NOT: MORE_WORK, HOLDS: "The map saves the same blocks."},
    ),
    _claim(
        "IV, figure 5", "The number of features hardly changes what RB gains.", "I(4) / I(1) = 1", Within(0.95, 1.05),
        features("rb"), {NOT: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "The number of features matters for REC.", "I(4) / I(1) is not 1", Outside(0.95, 1.05),
        features("rec"), {HOLDS: MORE_WORK, NOT: "The map saves the same blocks."},
    ),
    _claim(
        "IV, figure 5", "UTM gains with the number of features (by transposition).", "I(4) / I(1) > 1", Above(1.0),
        features("utm-t"), {HOLDS: "Its stores, which are the same for any number, become less of the time.",
        NOT: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "The same for UTM with contiguous stores.", "I(4) / I(1) > 1", Above(1.0), features("utm"),
        {NOT: MORE_WORK},
    ),
    _claim(
        "V", "On average LTM gains 15 % over the box.", "I = 1.15", Effect(1.15, 1.15),
        mean_improvement("ltm-r", ("dummy", *EDM)), {STRONGER: f"I is near the ratio of the blocks: {LAUNCH}."},
    ),
    _claim(
        "V", "Such a gain needs the reciprocal root: the plain one is slower.", "T(LTM-X) > T(LTM-R)", Above(1.0),
        apart("ltm-x", "ltm-r", ("dummy", "edm1", "edm4")),
        {HOLDS: "The plain root takes more instructions.", PART: "The plain root takes more instructions, which hide "
        "where "
         "a kernel waits for something else."}, "roots",
    ),
    _claim(
        "V", "An error of at most one can be repaired by conditions of the block: it costs next to nothing.",
        "T(LTM-I) / T(LTM-R) = 1", Within(0.95, 1.05), apart("ltm-i", "ltm-r-rev", ("dummy", "edm1", "edm4")),
        {HOLDS: "Two comparisons per block.", PART: "Two comparisons per block, and a grid in one dimension, show "
        "where "
         "instructions are the limit.", NOT: "The repair is more instructions."}, "roots",
    ),
    _claim(
        "V", "In practice LTM is as fast as RB.", "T(RB) / T(LTM) = 1", Within(0.95, 1.05),
        apart("rb", "ltm-r", EDM),
        {HOLDS: "Both launch the blocks that are needed, and little else.",
         **_less("In the published order each new row of the triangle is a miss that all SMs make at once; RB folds "
         "rows.")},
    ),
    _claim(
        "V", "Without the overhead of the host's calls REC would gain from launches by the device.", "T(REC) > T(DP)",
        Above(1.0), apart("rec", "dp", ("edm1",), timing="host"),
        _less("Launches by the device wait for each other, and cost more than the host's calls."), "paper-host+beyond",
    ),
    _claim(
        "V", "UTM gains considerably when it maps blocks (both take the cheaper root here).", "T(UTM) > T(UTM-B)",
        Above(1.0), apart("utm", "utm-b", ("dummy", "edm1", "edm4")),
        {HOLDS: "A block takes the root for all of its threads.",
        PART: "At small N a launch is most of the time."}, "beyond",
    ),
    _claim(
        "V", "GPUs of the future will let LTM gain with the plain square root.", "I > 1", Above(1.0),
        improvements("ltm-x", ("dummy",)),
        {HOLDS: "A root is hidden while blocks are launched.",
        PART: "Below a thousand cells a launch is most of the time."},
        "roots",
    ),
)  # fmt: skip
