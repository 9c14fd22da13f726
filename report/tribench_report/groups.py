"""Selects, names and groups runs: filters of the command line, what tells runs apart, and their factors I."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np
import pandas as pd

from . import cli
from .errors import ReportError
from .frame import BASELINES, Results, load

# The options that select runs, and their columns.
FILTERS = {
    "strategy": "strategy", "workload": "workload", "engine": "engine", "n": "n", "block": "block",
    "layout": "layout", "tile": "tile", "schedule": "schedule", "kernel": "kernel", "cache": "cache",
    "memory": "parameters.memory",
}  # fmt: skip
MOST_VALUES = 30  # that an error lists
# The settings that a search chooses.
WAY = ("parameters.memory", "parameters.cell", "kernel", "tile", "cutoff", "group", "order", "schedule")
# What distinguishes runs of one strategy, workload and N, in the order in which a label names it, and the words for it.
# Other parameters of a workload go by their names.
WORDS = {
    "parameters.memory": "{}", "parameters.cell": "{} cells", "parameters.domain": "{} domain", "kernel": "{} kernel",
    "tile": "tile {}", "cutoff": "n_c = {:g}", "group": "groups of {:g}", "order": "{}", "schedule": "{}",
    "ranks.count": "{:g} ranks", "ranks.partition": "by {}", "cache": "{} cache", "samples.timing": "{} launches",
    "layout": "{}", "parameters.steps": "{:g} steps", "parameters.rule": "rule {}", "parameters.density": "density {}",
    "seed": "seed {}", "input_name": "input {}", "input": "input {}",
}  # fmt: skip
# The words in captions and headings, which name a layout and an engine in full.
FACET_WORDS = {**WORDS, "engine": "{} engine", "block": "{} blocks", "layout": "{} output", "dimension": "{}D"}
# Plain values, which labels leave out; a tile is plain when it is as large as the block.
PLAIN = {
    "kernel": "cell", "schedule": "grid", "cache": "warm", "samples.timing": "batched", "parameters.cell": "u32",
    "parameters.domain": "triangle", "ranks.count": 1, "ranks.partition": "cells", "group": 8,
    "order": "descending",
}  # fmt: skip
# The cut-off that the tetrahedral paper settled on, and the default of --cutoff.
DEFAULT_CUTOFF = 128
# In the order in which strategies are listed: those of the papers first, then later ones, then 3D.
ORDER = (
    "bb bb-t ltm-x ltm-n ltm-r ltm-x-rev ltm-n-rev ltm-r-rev ltm-i ltm-t ltm-g morton utm utm-t utm-b rb rb-b "
    "cyclic diagonal rec hmap hmap-tc rows rows-lpt rows-fold rows-list dp "
    "bb-tetra dp-tetra rec-tetra ltm-tetra ltm-rows rb-tetra hmap-tetra"
).split()


# What --strategy takes beside names and patterns, as in tribench.
SETS = {
    "ltm": ["ltm-r"], "paper": ["bb", "ltm-r", "utm", "rb", "rec"],
    "2d": ORDER[: ORDER.index("bb-tetra")], "3d": ORDER[ORDER.index("bb-tetra") :],
}  # fmt: skip


def strategy_rank(name: str) -> tuple[int, str]:
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sorts n_c = 16 before n_c = 128."""
    return [(0, int(word), "") if word.isdecimal() else (1, 0, word) for word in re.split(r"(\d+)", text)]


def add_filters(parser: argparse.ArgumentParser, with_unverified: bool = True) -> None:
    group = parser.add_argument_group("selection (comma-separated lists; default: everything)")
    for name in FILTERS:
        group.add_argument(f"--{name}", metavar="LIST")
    if with_unverified:
        group.add_argument("--unverified", action="store_true", help="take runs that were not verified, too")


def select(runs: pd.DataFrame, options: argparse.Namespace) -> pd.DataFrame:
    """
    The runs that pass the filters, as tribench selects; the name of an own workload is what is before its digest.
    Errors: none does, because an empty picture would only puzzle.
    """
    wanted = {name: getattr(options, name) for name in FILTERS if getattr(options, name, None)}
    chosen, held = runs, []
    for name, words in wanted.items():
        sets = {"all": ["*"], **(SETS if name == "strategy" else {})}
        patterns = [pattern for word in words.split(",") for pattern in sets.get(word, [word])]
        column = runs[FILTERS[name]].dropna().astype(str)
        names = {value: (value, value.partition("@")[0]) for value in column.unique()}
        fits = [value for value, both in names.items() if any(fnmatchcase(one, p) for one in both for p in patterns)]
        chosen = chosen[column.isin(fits).reindex(chosen.index, fill_value=False)]
        held.append(f"--{name} {', '.join([*names][:MOST_VALUES]) or 'nothing'}")
    if wanted and chosen.empty:
        words = " ".join(f"--{name} {text}" for name, text in wanted.items())
        raise ReportError(f"no usable run is selected by {words}; these files have {'; '.join(held)}")
    return chosen


def chosen(prog: str, options: argparse.Namespace) -> tuple[Results, pd.DataFrame]:
    """What the files of a command say, and the usable runs in them that pass its filters. Errors: there are none."""
    found = load(options.results, options.unverified)
    cli.warn(prog, found.warnings)
    if found.usable.empty:
        raise ReportError("none of the runs in these files can be used")
    return found, select(found.usable, options)


# ---------------------------------------------------------------- names


def _is_odd(values: pd.Series, plain: object) -> pd.Series[bool]:
    return values.notna() & (values != plain)


def _side(runs: pd.DataFrame) -> pd.Series[str]:
    """The tile that is as large as the block."""
    return runs["block.x"].map("{:g}".format)


def plainness(runs: pd.DataFrame) -> pd.Series[int]:
    """The number of settings that are not plain; 0 as in the papers: a cell per thread, a block per tile."""
    plain = {**PLAIN, "tile": _side(runs), "parameters.memory": "halo", "cutoff": DEFAULT_CUTOFF}
    return sum((_is_odd(runs[name], value).astype(int) for name, value in plain.items()), pd.Series(0, runs.index))


def inputs(runs: pd.DataFrame) -> list[str]:
    """The column that names inputs, if a workload has several of one N, which compute different things; else none."""
    places = runs.groupby(["workload", "n"], sort=False)
    several = places["input"].nunique(dropna=False)
    if (several <= 1).all():
        return []
    return ["input_name" if (places["input_name"].nunique(dropna=False) == several).all() else "input"]


def varying(runs: pd.DataFrame) -> list[str]:
    """The settings in which runs of one strategy, workload and N differ; only these belong in a label.

    A setting that a search chooses also counts if the strategies of a workload differ in it: each may have won another
    way.
    """
    columns = [name for name in (*WORDS, *runs) if name in runs and name not in ("input", "input_name")]
    columns = list(dict.fromkeys(name for name in columns if name in WORDS or name.startswith("parameters.")))
    apart = runs.groupby(["strategy", "workload"], sort=False)[columns].nunique(dropna=False).max()
    won = runs.groupby("workload", sort=False)[list(WAY)].nunique().max()
    found = [name for name in columns if apart.get(name, 0) > 1 or name in WAY and won.get(name, 0) > 1]
    return [*found, *inputs(runs)]


def in_words(name: str, value: object, words: Mapping[str, str] = WORDS) -> str:
    said = words[name].format(value) if name in words else f"{name.rpartition('.')[2]} {value}"
    return said.removesuffix("s") if name in ("parameters.steps", "ranks.count") and value == 1 else said


def variants(
    runs: pd.DataFrame, columns: Sequence[str], plain: Mapping[str, object] = PLAIN, words: Mapping[str, str] = WORDS
) -> list[str]:
    """The settings in which each run differs from the plain one: 'tile kernel, tile 64'; '' for the plain one."""
    said: list[list[str]] = [[] for _ in range(len(runs))]
    for name in columns:
        odd = _is_odd(runs[name], _side(runs) if name == "tile" else plain.get(name))
        for place in np.flatnonzero(odd):
            said[place].append(in_words(name, runs[name].iat[place], words))
    return [", ".join(each) for each in said]


def labelled(runs: pd.DataFrame, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """The runs with `variant` and `label`, in the listing order of strategies, plain ones first, by increasing N."""
    found = runs.assign(variant=variants(runs, varying(runs) if columns is None else columns))
    found["label"] = [f"{s} ({v})" if v else s for s, v in zip(found["strategy"], found["variant"])]
    order = [(strategy_rank(s), natural(v), n) for s, v, n in zip(found["strategy"], found["variant"], found["n"])]
    return found.iloc[sorted(range(len(found)), key=order.__getitem__)]


def slug(text: str) -> str:
    """A text as part of a file's name: no name from a document may lead to another folder."""
    return re.sub(r"[^A-Za-z0-9.+]+", "-", text).strip("-.")


def facets(runs: pd.DataFrame, columns: Sequence[str]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """
    Runs that may share a picture: those of one device and input that agree in the columns. The suffix names only what
    varies, so that a single facet has none; the words name it for a caption.
    """
    columns = ["device", *columns, *inputs(runs)]
    several = [name for name in columns if runs[name].nunique(dropna=False) > 1]
    told = columns if "device" in several else columns[1:]
    for _, members in runs.groupby(columns, dropna=False, sort=True):
        first = members.iloc[:1]
        suffix = "".join(f"-{slug(str(value))}" for value in first[several].iloc[0] if not pd.isna(value))
        yield suffix, variants(first, told, {}, FACET_WORDS)[0], members


# ---------------------------------------------------------------- factors


def places(runs: pd.DataFrame) -> pd.Series[int]:
    """A number for the settings that two runs must share before one may be divided by the other."""
    computed = [name for name in runs if name.startswith("parameters.") and name not in WAY]
    shared = ["device", "engine", "dimension", "n", "block", "input", "workload", "layout", "cache", "seed"]
    keys = runs[[*shared, "samples.timing", *computed]].assign(ranks=runs["ranks.count"].fillna(1))
    return keys.groupby(list(keys), dropna=False, sort=False).ngroup()


ALIKE = ["tile", "kernel", "schedule", "parameters.memory", "parameters.cell"]


def with_factors(runs: pd.DataFrame, plain: bool = False) -> pd.DataFrame:
    """
    Adds I = time of the baseline / time of the run: `I`, `I.low`, `I.high`, `over` (the baseline's name; for the
    baseline itself I is 1) and `I.caution`. I is the recorded one, from paired rounds; where there is none, it is the
    ratio of two medians, whose interval is wider than needed, never narrower.

    Input: usable runs; plain, whether I of all variants is over the plainest baseline, so that they can be compared
    """
    runs = runs.assign(place=places(runs), plainness=plainness(runs))
    recorded = runs["improvement.factor"].notna() & runs["improvement.baseline"].notna()
    # A sweep's --baseline also applies to its runs without a recorded factor.
    swept = runs[recorded].drop_duplicates("place", keep="last").set_index("place")["improvement.baseline"]
    named = runs["place"].map(swept).astype("str").fillna(runs["dimension"].map(BASELINES).astype("str"))
    runs["over"] = runs["improvement.baseline"].where(recorded, named)
    bases = runs.sort_values("plainness", kind="stable").drop_duplicates(["strategy", "place"])
    base = bases.set_index(["strategy", "place"]).reindex(pd.MultiIndex.from_frame(runs[["over", "place"]]))
    base.index = runs.index
    time, low, high = (f"time_ms.{name}" for name in ("median", "ci95.low", "ci95.high"))
    found = pd.DataFrame(
        {"I": base[time] / runs[time], "I.low": base[low] / runs[high], "I.high": base[high] / runs[low]}
    )
    mine = runs[["improvement.factor", "improvement.ci95.low", "improvement.ci95.high"]].set_axis(list(found), axis=1)
    # A baseline is divided by itself, whatever its tile.
    own = (runs["strategy"] == runs["over"]) & ~recorded
    mine[own] = 1.0
    alike = (runs[ALIKE].fillna("") == base[ALIKE].fillna("")).all(axis=1) if plain else True
    found = mine.where((recorded | own) & (alike | base[time].isna()), found)
    noted = base["caution"].fillna("") + runs["caution"]
    return runs.assign(**{name: found[name] for name in found}, **{"I.caution": np.where(noted != "", "noted", "")})


def is_baseline(runs: pd.DataFrame) -> pd.Series[bool]:
    return (runs["strategy"] == runs["over"]) & runs["improvement.factor"].isna()


def baseline_words(runs: pd.DataFrame) -> str:
    """'the bounding box', or what --baseline named."""
    names = sorted(set(runs["over"][~is_baseline(runs) & runs["I"].notna()]))
    return "the bounding box" if set(names) <= set(BASELINES.values()) else " and ".join(names)


def plainest(runs: pd.DataFrame) -> pd.DataFrame:
    """Of each strategy and workload its plainest variant, the longest of several. Input: labelled, with factors"""
    each = ["workload", "strategy", "variant"]
    length = runs.groupby(each)["n"].transform("nunique")
    order = runs.assign(length=-length).sort_values(["plainness", "length"], kind="stable")
    first = order.drop_duplicates(["workload", "strategy"])[each]
    return runs.merge(first, on=each, how="inner")
