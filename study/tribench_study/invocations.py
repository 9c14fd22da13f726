"""What one invocation more would find: random effects of the invocations, over all that measured one key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t

# Triangles and tetrahedra differ in how much invocations differ. Finer kinds have too few repeats: their intervals hold
# less of what an invocation that is left out found.
KIND = "dimension"


def between(runs: pd.DataFrame, what: str) -> pd.DataFrame:
    """
    For each run, value, low and high: the geometric mean of what all invocations found for its key, and the interval
    that holds the median of one more in 95 % of cases. A logarithm is that of the key plus an effect of the invocation,
    whose variance is pooled over all keys of a kind: so a key with one invocation has an interval, too. NaN where no
    key of a kind was repeated.
    """
    logs = np.log(runs[what].where(runs[what] > 0))
    known = runs[[KIND]].assign(log=logs, key=runs["key"])[logs.notna()]
    keys = known.groupby("key")["log"]
    count, mean = keys.transform("count"), keys.transform("mean")
    kinds = known.assign(square=(known["log"] - mean) ** 2, freedom=1.0 - 1.0 / count).groupby(KIND)
    squares, freedom = kinds["square"].transform("sum"), kinds["freedom"].transform("sum").round()
    freedom = freedom.where(freedom > 0)
    half = t.ppf(0.975, freedom) * np.sqrt(squares / freedom * (1.0 + 1.0 / count))
    ends = {"value": np.exp(mean), "low": np.exp(mean - half), "high": np.exp(mean + half)}
    return pd.DataFrame(ends).reindex(runs.index)


def held(runs: pd.DataFrame, what: str, invocation: Sequence[object]) -> tuple[int, int]:
    """How many medians of a left-out invocation lie in the interval of the others, and of how many."""
    inside, every = 0, 0
    for one in dict.fromkeys(invocation):
        mine = np.asarray([other == one for other in invocation])
        others = runs[~mine].reset_index(drop=True)
        found = between(others, what).assign(key=others["key"]).drop_duplicates("key").set_index("key")
        left = runs[mine].drop_duplicates("key").set_index("key")[what].dropna()
        found = found.reindex(left.index).dropna()
        left = left[found.index]
        inside += int(((found["low"] <= left) & (left <= found["high"])).sum())
        every += len(left)
    return inside, every
