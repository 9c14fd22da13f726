"""Whether the shards of a sweep are all there: each file says which runs it was to hold, and of how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .load import Json, Source

NAMED_AT_MOST = 10
# A run that failed or cannot work has been tried, and its record says why.
NOT_TRIED = ("interrupted", "planned")


@dataclass(slots=True)
class Plan:
    """A sweep as its shards know it."""

    runs: int
    count: int
    shards: dict[int, list[str]] = field(default_factory=dict)

    def missing(self, tried: set[str]) -> tuple[int, list[str]]:
        """How many of its runs are missing, and the words for them: keys, then shards of which nothing is there."""
        keys = [key for _, mine in sorted(self.shards.items()) for key in mine]
        absent = [key for key in keys if key not in tried]
        unknown = self.runs - len(keys)
        words = absent[:NAMED_AT_MOST]
        if len(absent) > NAMED_AT_MOST:
            words.append(f"{len(absent) - NAMED_AT_MOST} more of these shards")
        if unknown > 0:
            lost = [f"{k}/{self.count}" for k in range(self.count) if k not in self.shards]
            more = f" and {len(lost) - NAMED_AT_MOST} more" if len(lost) > NAMED_AT_MOST else ""
            words.append(
                f"{unknown} of shard{'s' if len(lost) > 1 else ''} {', '.join(lost[:NAMED_AT_MOST])}{more}"
            )
        return len(absent) + max(unknown, 0), words


def _shards(source: Source) -> Iterator[Json]:
    """Of each file the last word: a file that was resumed with other options is of that sweep now."""
    if not source.merged_from:
        if source.shard:
            yield source.shard
        return
    last = {part["file"]: part.get("shard") for part in source.merged_from}
    yield from (shard for shard in last.values() if shard)


def gaps(sources: Sequence[Source]) -> list[str]:
    """A sentence for each sweep whose shards are not complete: '8 of 14 runs, missing: ...'."""
    plans: dict[tuple[str, int], Plan] = {}
    for source in sources:
        for shard in _shards(source):
            plan = plans.setdefault((shard["sweep"], shard["count"]), Plan(shard["sweep_runs"], shard["count"]))
            plan.shards[shard["index"]] = shard["runs"]
    tried = {name.key for s in sources for name, run in s.runs.items() if run.get("status") not in NOT_TRIED}
    found = []
    for plan in plans.values():
        missing, words = plan.missing(tried)
        if missing:
            found.append(f"{plan.runs - missing} of {plan.runs} runs, missing: {', '.join(words)}")
    return found
