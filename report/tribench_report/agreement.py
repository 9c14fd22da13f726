"""How well invocations of one sweep agree, pair by pair."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .verdict import Invocation


@dataclass(slots=True)
class Agreement:
    """
    Counts over all pairs of files, of keys with a long enough time in both; `least` is the share of the worst pair.
    """

    keys: int = 0
    within: int = 0
    least: float = 1.0
    compared: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return self.within / self.keys


def agreement(repeats: Sequence[Invocation], within: float, above_ms: float) -> Agreement | None:
    """Counts the keys whose medians differ by a factor of at most 1 + within, among those above above_ms in both files.

    Output: None if no pair of files has such a key.
    """
    total = Agreement()
    for a, b in itertools.combinations(repeats, 2):
        times = {key: (a.times[key].log_ms, b.times[key].log_ms) for key in a.times if key in b.times}
        long = {key: pair for key, pair in times.items() if min(pair) > math.log(above_ms)}
        if not long:
            continue
        apart = [key for key, (x, y) in long.items() if abs(x - y) > math.log1p(within)]
        total.keys += len(long)
        total.within += len(long) - len(apart)
        total.least = min(total.least, 1.0 - len(apart) / len(long))
        total.compared.update(long.keys())
        total.apart.update(apart)
    return total if total.keys > 0 else None
