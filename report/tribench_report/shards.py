"""
Checks that the shards of a sweep are complete: each file says which runs it should hold, and how many the sweep has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from .documents import Document, Json

NAMED_AT_MOST = 10
# A run that failed or cannot work has been tried, and its record says why.
NOT_TRIED = ("interrupted", "planned")


@dataclass(slots=True)
class Plan:
    """A sweep as described by its shards. It may have been resumed with another number of shards."""

    runs: int
    keys: dict[str, None] = field(default_factory=dict)
    shards: dict[int, set[int]] = field(default_factory=dict)

    def missing(self, tried: set[str]) -> tuple[int, list[str]]:
        """The number of missing runs, and words for them: keys, then shards of which no file is there."""
        absent = [key for key in self.keys if key not in tried]
        unknown = max(self.runs - len(self.keys), 0)
        words = absent[:NAMED_AT_MOST]
        if len(absent) > NAMED_AT_MOST:
            words.append(f"{len(absent) - NAMED_AT_MOST} more of these shards")
        if unknown:
            words.append(f"{unknown} of {self._absent_shards()}")
        return len(absent) + unknown, words

    def _absent_shards(self) -> str:
        count, seen = max(self.shards.items(), key=lambda item: len(item[1]))
        # A file may claim any count: iterate only over as many shards as are named.
        lost = list(islice((k for k in range(count) if k not in seen), NAMED_AT_MOST))
        left = count - sum(0 <= k < count for k in seen) - len(lost)
        more = f" and {left} more" if left else ""
        return f"shard{'s' if len(lost) > 1 else ''} {', '.join(f'{k}/{count}' for k in lost)}{more}"


def _shards(document: Document) -> Iterator[Json]:
    """
    The shards of the last sweep in each file: one that was resumed with other options now belongs to that sweep. A file
    may have several shards of one sweep: it was joined and then converted to lines, which do not keep their origin.
    """
    last = {part["file"]: (part.get("shard") or {}).get("sweep") for part in document.parts}
    for part in document.parts:
        if part.get("shard") and part["shard"]["sweep"] == last[part["file"]]:
            yield part["shard"]


def gaps(documents: Sequence[Document]) -> list[str]:
    """A sentence for each sweep whose shards are not complete: '8 of 14 runs, missing: ...'."""
    plans: dict[str, Plan] = {}
    for document in documents:
        for shard in _shards(document):
            plan = plans.setdefault(shard["sweep"], Plan(shard["sweep_runs"]))
            plan.keys.update(dict.fromkeys(shard["runs"]))
            plan.shards.setdefault(shard["count"], set()).add(shard["index"])
    tried = {run["key"] for document in documents for run in document.runs if run.get("status") not in NOT_TRIED}
    found = []
    for plan in plans.values():
        missing, words = plan.missing(tried)
        if missing:
            found.append(f"{plan.runs - missing} of {plan.runs} runs, missing: {', '.join(words)}")
    return found
