"""Navarro and Hitschfeld (2013), in the order of the text. The published figures are theirs, the words are ours."""

from __future__ import annotations

from functools import partial

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
from .rules import Claim, Rule, Verdict, above, below, effect, outside, within

HOLDS, STRONGER, WEAKER, NOT, PART = Verdict.HOLDS, Verdict.STRONGER, Verdict.WEAKER, Verdict.NOT, Verdict.PART
EDM = ("edm1", "edm2", "edm3", "edm4")

LAUNCH = "The launch rate of blocks is the limit here, and a map of the triangle launches half as many."
MORE_WORK = "A map saves the launching of blocks, which takes a smaller share of the time when a cell has more work."
SHORT = (
    "At a few thousand cells per side a launch takes much of the time of the kernel that only maps, so its I is "
    "smaller. At large N the work per cell hides part of the gain."
)
SMALL = "At small N the launch itself takes most of the time."
LARGE_BLOCKS = "There are a quarter as many blocks of 32 x 32, so launching them takes a smaller share of the time."
HALF_OF_THREADS = "Launching half as many threads saves more than the root and the repair in each of them cost."
HALF_OF_BLOCKS = "The levels launch half as many blocks, and the additional launches hardly count at these N."

_claim = partial(Claim, "Navarro & Hitschfeld", "GTX 680")


def _at_32(what: str, published: str, rule: Rule, strategy: str) -> Claim:
    """The same claim in blocks of 32 x 32, which the text does not mention."""
    return _claim(
        "IV, figure 5", what, published, rule, improvement(strategy, "dummy", side=32),
        dict.fromkeys((HOLDS, STRONGER, WEAKER), LARGE_BLOCKS), "paper-32 floors",
    )  # fmt: skip


CLAIMS = (
    _claim(
        "I, III.B", "Discarding whole blocks is faster than discarding threads.", "T(threads) > T(blocks)", above(1.0),
        apart("bb-t", "bb", ("dummy",)),
        {NOT: "Discarding a block saves only a few instructions in each of its threads."}, "beyond",
    ),
    _claim(
        "I, III.B", "Discarding whole blocks of 32 x 32 is faster than discarding threads.",
        "T(threads) > T(blocks)", above(1.0),
        apart("bb-t", "bb", ("dummy",), side=32),
        {NOT: "The test of a thread is one comparison. A block that works pays for the test of the block as well."},
        "floors",
    ),
    _claim(
        "II.B, (11), (15)", "A map improves on the bounding box by less than 2 (the cost of mapping alone).",
        "I < 2", below(2.0), improvements("ltm-r", ("dummy",)),
        {HOLDS: "A block of the map is never cheaper than a block of the box."},
    ),
    _claim(
        "II.B, (14)", "A mapping costs 1.5 to 2 times as much as the test of the box, so I is at most 1.33.",
        "1.00 < I <= 1.33", within(1.0, 1.33), improvement("ltm-r", "dummy"),
        {NOT: f"The cost of the mapping is hidden. {LAUNCH} The claim holds in blocks of 32 x 32."},
    ),
    _claim(
        "III.A, figure 3", "With the plain square root (LTM-X) the map is slower than the box.", "I = 0.7",
        effect(0.7, 0.7), improvements("ltm-x", ("dummy",)),
        {NOT: "The root takes a few instructions in units that are idle while blocks are launched."}, "roots",
    ),
    _claim(
        "III.A, figure 3", "With three Newton steps (LTM-N) the map is a little faster than the box (the caption of "
        "figure 3 contradicts it).", "I = 1.03", effect(1.03, 1.03), improvement("ltm-n", "dummy"),
        {STRONGER: f"The Newton steps are hidden, like the root. {LAUNCH}"}, "roots",
    ),
    _claim(
        "III.A, figure 3", "With the reciprocal root (LTM-R) the map is clearly faster than the box.", "I = 1.15",
        effect(1.15, 1.15), improvement("ltm-r", "dummy"),
        {STRONGER: f"I is close to the ratio of the blocks. {LAUNCH}"}, "roots paper",
    ),
    _claim(
        "III.A", "The reciprocal root is the fastest of the three.", "T(next) > T(LTM-R)", above(1.0),
        fastest("ltm-r", ("ltm-x", "ltm-n"), "dummy"),
        {PART: "The roots differ by a few instructions, which other costs outweigh at small N."}, "roots",
    ),
    _claim(
        "III.A", "LTM-N with its repair is exact up to N = 30720 in blocks of 16 x 16.", "N = 30,720",
        above(30719.0), exact("ltm-n"),
        {HOLDS: "The device checked every block of every n, and the first error comes later. The map depends on an "
        "explicit rounding: with both additions fused it fails from n = 1528 on."}, "maps",
        is_arithmetic=True,
    ),
    _claim(
        "III.A", "A lookup table for the map is as slow as the plain square root.", "T(table) / T(LTM-X) = 1",
        within(0.95, 1.05), apart("ltm-t", "ltm-x", ("dummy",)),
        {NOT: "A block has to wait for a load before it knows its tile."}, "lookup",
    ),
    _claim(
        "V", "LTM-R with its repair is exact up to N = 30000 in blocks of 16 x 16.", "N = 30,000",
        above(29999.0), exact("ltm-r"),
        {HOLDS: "The device checked every block of every n, and the first error comes later."}, "maps",
        is_arithmetic=True,
    ),
    _claim(
        "III.A, figure 3", "The number of blocks that LTM wastes grows with N.", "O(n): 2 for twice the N",
        within(1.5, 2.5), waste("ltm-r"),
        {HOLDS: "LTM wastes only the blocks of its square grid that lie beyond the triangle, less than two rows of "
        "blocks."}, is_arithmetic=True,
    ),
    _claim(
        "III.A, figure 3", "The number of blocks that the box wastes grows with the square of N.",
        "O(n^2): 4 for twice the N",
        within(3.5, 4.5), waste("bb"), {HOLDS: "The box wastes all blocks above the diagonal."}, is_arithmetic=True,
    ),
    _claim(
        "IV, figure 5", "RB is the fastest of all maps on the kernel that only maps.", "T(next) > T(RB)", above(1.0),
        fastest("rb", ("bb", "ltm-r", "rec", "utm-t"), "dummy"),
        {PART: f"LTM with the reciprocal root takes about as long. {LAUNCH}"},
    ),
    _claim(
        "IV, figure 5", "RB gains up to a quarter over the box on the kernel that only maps.", "I = 1.25",
        effect(1.25, 1.25), improvement("rb", "dummy"), {STRONGER: f"I is close to the ratio of the blocks. {LAUNCH}"},
    ),
    _at_32("RB gains up to a quarter over the box in blocks of 32 x 32.", "I = 1.25", effect(1.25, 1.25), "rb"),
    _claim(
        "IV, figure 5", "LTM comes second on the kernel that only maps.", "one is faster", above(1.0),
        second("ltm-r", ("bb", "rb", "rec", "utm-t"), "dummy"),
        {PART: "LTM and RB are so close that either may be first."},
    ),
    _claim(
        "IV, figure 5", "LTM gains an eighth over the box on the kernel that only maps.", "I = 1.13",
        effect(1.13, 1.13),
        improvement("ltm-r", "dummy"), {STRONGER: f"I is close to the ratio of the blocks. {LAUNCH}"},
    ),
    _at_32("LTM-R gains an eighth over the box in blocks of 32 x 32.", "I = 1.13", effect(1.13, 1.13), "ltm-r"),
    _claim(
        "IV, figure 5", "REC is slower than the box at every N (its levels in one graph).", "I < 1", below(1.0),
        improvements("rec", ("dummy",)),
        {NOT: "The levels run concurrently in one graph, with half as many blocks as the box."},
    ),
    _claim(
        "IV, figure 5", "REC is slower than the box at every N (one host call per level).", "I < 1", below(1.0),
        improvements("rec", ("dummy",), timing="host"),
        {NOT: "A call costs a few microseconds, which is little at these N."}, "paper-host",
    ),
    _at_32("REC is slower than the box in blocks of 32 x 32.", "I < 1", below(1.0), "rec"),
    _claim(
        "IV, figure 5", "UTM is slower than the box at every N (by transposition, as in the text).", "I < 1",
        below(1.0), improvements("utm-t", ("dummy",)),
        {PART: HALF_OF_THREADS},
    ),
    _claim(
        "IV, figure 5", "UTM is slower than the box at every N (contiguous stores, as in its authors' program).",
        "I < 1", below(1.0), improvements("utm", ("dummy",)),
        {PART: HALF_OF_THREADS},
    ),
    _at_32("UTM by transposition is slower than the box in blocks of 32 x 32.", "I < 1", below(1.0), "utm-t"),
    _claim(
        "IV, figure 5", "RB gains less on distance matrices than on the kernel that only maps.",
        "I(EDM) / I(dummy) < 1", below(1.0), gains_apart("rb", EDM),
        {PART: SHORT},
    ),
    _claim(
        "IV, figure 5", "RB gains a seventh on average on distance matrices.", "I = 1.14", effect(1.14, 1.14),
        mean_improvement("rb", EDM), {STRONGER: "I is still close to the ratio of the blocks."},
    ),
    _claim(
        "IV, figure 5", "LTM gains as much on distance matrices as on the kernel that only maps.",
        "I(EDM) / I(dummy) = 1", within(0.95, 1.05), gains_apart("ltm-r", EDM),
        {PART: SHORT},
    ),
    _claim(
        "IV, figure 5", "REC is faster than the box on distance matrices for N > 5000 (its levels in one graph).",
        "I > 1", above(1.0), improvements("rec", EDM, above=5000),
        {HOLDS: HALF_OF_BLOCKS},
    ),
    _claim(
        "IV, figure 5", "REC is faster than the box on distance matrices for N > 5000 (one host call per level).",
        "I > 1", above(1.0), improvements("rec", EDM, above=5000, timing="host"),
        {HOLDS: HALF_OF_BLOCKS}, "paper-host",
    ),
    _claim(
        "IV, figure 5", "REC gains a little on distance matrices at the largest N.", "I = 1.05", effect(1.05, 1.05),
        improvement("rec", "edm1"), {STRONGER: "The levels run concurrently in one graph."},
    ),
    _claim(
        "IV, figure 5", "UTM is the slowest map on distance matrices (by transposition, as in the text).",
        "T(UTM) > T(next slowest)", above(1.0), slowest("utm-t", ("bb", "ltm-r", "rb", "rec"), EDM),
        {HOLDS: "The stores of neighbouring threads are a row apart."},
    ),
    _claim(
        "IV, figure 5", "UTM is the slowest map on distance matrices (contiguous stores, as in its authors' program).",
        "T(UTM) > T(next slowest)", above(1.0), slowest("utm", ("bb", "ltm-r", "rb", "rec"), EDM),
        {NOT: "The box is slower, because UTM launches only half as many threads."},
    ),
    _claim(
        "abstract, IV", "LTM is significantly faster than UTM (by transposition).", "T(UTM) > T(LTM)", above(1.0),
        apart("utm-t", "ltm-r", ("dummy", *EDM)),
        {
            PART: "Every thread of UTM computes a root, and its store is a row away from its neighbours' stores. With "
            "`dummy`, which stores nothing, both take as long at N = 3,072."
        },
    ),
    _claim(
        "abstract, IV", "LTM is significantly faster than UTM (contiguous stores).", "T(UTM) > T(LTM)", above(1.0),
        apart("utm", "ltm-r", ("dummy", *EDM)),
        {PART: SMALL},
    ),
    _claim(
        "IV, figure 5", "The number of features hardly changes the gain of LTM.", "I(4) / I(1) = 1", within(0.95, 1.05),
        features("ltm-r"),
        {HOLDS: "Cache misses already cost LTM part of its gain with one feature, as much as the work with four."},
    ),
    _claim(
        "IV, figure 5", "The number of features hardly changes the gain of RB.", "I(4) / I(1) = 1", within(0.95, 1.05),
        features("rb"), {NOT: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "The number of features changes the gain of REC.", "I(4) / I(1) is not 1", outside(0.95, 1.05),
        features("rec"), {HOLDS: MORE_WORK},
    ),
    _claim(
        "IV, figure 5", "UTM gains more with more features (by transposition).", "I(4) / I(1) > 1", above(1.0),
        features("utm-t"), {HOLDS: "The stores, which are the same for any number of features, take a smaller share of "
        "the time."},
    ),
    _claim(
        "IV, figure 5", "UTM gains more with more features (contiguous stores).", "I(4) / I(1) > 1",
        above(1.0), features("utm"),
        {NOT: MORE_WORK},
    ),
    _claim(
        "V", "LTM gains 15 % over the box on average.", "I = 1.15", effect(1.15, 1.15),
        mean_improvement("ltm-r", ("dummy", *EDM)), {STRONGER: "I is still close to the ratio of the blocks."},
    ),
    _claim(
        "V", "LTM needs the reciprocal root for this gain: the plain one is slower.", "T(LTM-X) > T(LTM-R)", above(1.0),
        apart("ltm-x", "ltm-r", ("dummy", "edm1", "edm4")),
        {PART: "The plain root takes more instructions. They are "
        "hidden where the kernel waits for something else."}, "roots",
    ),
    _claim(
        "V", "A repair of an error of at most one, by conditions per block, costs almost nothing.",
        "T(LTM-I) / T(LTM-R) = 1", within(0.95, 1.05), apart("ltm-i", "ltm-r-rev", ("dummy", "edm1", "edm4")),
        {PART: "The repair is two comparisons per block, in a grid of one dimension. The cost shows where instructions "
         "are the limit."}, "roots",
    ),
    _claim(
        "V", "LTM is as fast as RB in practice.", "T(RB) / T(LTM) = 1", within(0.95, 1.05),
        apart("rb", "ltm-r", EDM),
        {PART: "In the published order all SMs miss the cache at the same time whenever a new row of the triangle "
         "begins. RB folds rows and avoids this."},
    ),
    _claim(
        "V", "REC would gain from launches by the device, which avoid the overhead of the host's calls.",
        "T(REC) > T(DP)", above(1.0), apart("rec", "dp", ("edm1",), timing="host"),
        {NOT: "Launches by the device wait for each other and cost more than calls by the host."}, "paper-host+beyond",
    ),
    _claim(
        "V", "UTM gains considerably when it maps blocks (both use the cheaper root here).", "T(UTM) > T(UTM-B)",
        above(1.0), apart("utm", "utm-b", ("dummy", "edm1", "edm4")),
        {HOLDS: "A block computes one root for all of its threads."}, "beyond",
    ),
    _claim(
        "V", "LTM will gain with the plain square root on future GPUs.", "I > 1", above(1.0),
        improvements("ltm-x", ("dummy",)),
        {HOLDS: "The launching of blocks hides the root."},
        "roots",
    ),
)  # fmt: skip
