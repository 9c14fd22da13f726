"""The figures of the papers, and of several GPUs side by side; study/figures.yaml has their words."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import pandas as pd
import yaml
from matplotlib.figure import Figure
from tribench_report import groups
from tribench_report.frame import Results
from tribench_report.groups import baseline_words, facets, is_baseline, plainest

from .bench import DEFAULT_CUTOFF, ratio
from .pages import STUDY
from .panels import (
    BAND,
    ENDS,
    FACTOR,
    GREY,
    PALETTE,
    Bar,
    Drawing,
    Lines,
    Panel,
    by,
    exactly,
    factor_lines,
    gains,
    levels,
    over_bb,
    times,
    within,
)

# ---------------------------------------------------------------- triangles: Navarro and Hitschfeld

TRIANGLE_N = (1024, 30720)
TRIANGLE = ("engine", "block", "layout", "cache")
Published = Mapping[str, tuple[float, float]]


def _plain(runs: pd.DataFrame, dimension: int) -> pd.DataFrame:
    return runs[(runs["dimension"] == dimension) & (runs["plainness"] == 0) & runs["peer.name"].isna()]


def roots(runs: pd.DataFrame, title: str, published: Published, said: str) -> Iterator[Drawing]:
    """Figure 3: the cost of each way to take the root, and the number of blocks that do nothing."""
    runs = _plain(runs, 2)
    for suffix, words, found in facets(runs[runs["workload"] == "dummy"], TRIANGLE):
        mine, note = within(found, *TRIANGLE_N)
        chosen = mine[mine["strategy"].isin(["ltm-x", "ltm-n", "ltm-r"])]
        lines = factor_lines(chosen)
        if len(lines) < 2:
            continue
        # All three launch the same grid.
        wasted = {
            name: exactly(one, "launch.blocks_wasted") for name, one in by(mine, "strategy", ["bb", "ltm-r"]).items()
        }
        wasted = {name: line[line["value"] > 0] for name, line in wasted.items()}
        grey = levels(published, lines) if over_bb(chosen) else {}
        left = Panel(f"Improvement over {baseline_words(chosen)}, dummy kernel", lines, FACTOR, grey=grey)
        right = Panel("", wasted, "wasted blocks", log=True)
        yield Drawing(suffix, title, [left, right], [words, BAND, note], mine, said)


def strategies(runs: pd.DataFrame, published: Mapping[str, Published], said: str) -> Iterator[Drawing]:
    """Figure 5: the strategies on three kernels, and how I depends on the work per cell."""
    features = ("edm1", "edm2", "edm3", "edm4")
    runs = _plain(runs, 2)
    runs = runs[
        runs["strategy"].isin(["bb", "ltm-r", "utm", "rb", "rec"]) & runs["workload"].isin(["dummy", *features])
    ]
    for suffix, words, found in facets(runs, TRIANGLE):
        mine, note = within(found, *TRIANGLE_N)
        kernels = by(mine, "workload")
        lines_of = {name: factor_lines(kernels[name]) for name in published if name in kernels}
        panels = [
            Panel(name, lines, FACTOR, grey=levels(published[name], lines) if over_bb(mine) else {})
            for name, lines in lines_of.items() if lines
        ]  # fmt: skip
        measured = [name for name in features if name in kernels]
        if not panels or not measured:
            continue
        if len(measured) > 1:
            top = min(kernels[name]["n"].max() for name in measured)
            shown = mine[(mine["n"] == top) & mine["workload"].isin(measured)]
            shown = shown.assign(n=shown["workload"].str[3:].astype(int))
            panels.append(Panel(f"EDM at N = {top:,}", factor_lines(shown), FACTOR, x="features per element"))
        title = f"Improvement over {baseline_words(mine)}"
        yield Drawing(suffix, title, panels, [words, BAND, note], mine, said)


# ---------------------------------------------------------------- tetrahedra: González and others

TETRA_N = (1, 512)


def _tetra(runs: pd.DataFrame) -> pd.DataFrame:
    return runs[(runs["dimension"] == 3) & (runs["schedule"].fillna("grid") == "grid") & (runs["kernel"] == "cell")]


def _one_cutoff(runs: pd.DataFrame) -> pd.DataFrame:
    """At the paper's n_c if it was measured, else at the largest one: each line must have a single n_c."""
    cuts = set(runs["cutoff"].dropna())
    chosen = DEFAULT_CUTOFF if DEFAULT_CUTOFF in cuts else max(cuts, default=0)
    return runs[runs["cutoff"].isna() | (runs["cutoff"] == chosen)]


def dp_tetra(runs: pd.DataFrame, title: str, column: str, said: str) -> Iterator[Drawing]:
    """Figures 4 and 5: where to stop the recursion, and the choice of the block."""
    is_block = column == "block"
    for suffix, words, found in facets(
        _tetra(runs), ("engine", *([] if is_block else ["block"]), "layout", "workload")
    ):
        mine, note = within(_one_cutoff(found) if is_block else found, *TETRA_N)
        trees = mine[mine["strategy"] == "dp-tetra"].sort_values("block.x")
        parts = by(trees, column, trees[column].unique() if is_block else None)
        if len(parts) < 2:
            continue
        lines = {name if is_block else f"n_c = {name:g}": times(members) for name, members in parts.items()}
        box = plainest(mine[mine["strategy"] == "bb-tetra"])
        lines |= {"bb-tetra": times(box)} if len(box) and not is_block else {}
        cut = f"n_c = {trees['cutoff'].max():g}" if is_block else ""
        shown = trees if is_block else mine
        yield Drawing(suffix, title, [Panel("", lines, "time [ms]", log=True)], [words, cut, said, BAND, note], shown)


def acceleration(runs: pd.DataFrame, published: Mapping[str, tuple[float, float, int]], said: str) -> Iterator[Drawing]:
    """Figure 6: I of dp-tetra over N at the paper's cut-off, one line per GPU, the published ones in grey."""
    runs = _tetra(runs)
    runs = runs.assign(gpu=runs["device"], device="")
    for suffix, words, found in facets(runs, ("engine", "block", "layout", "workload")):
        mine, note = within(_one_cutoff(found[found["strategy"] == "dp-tetra"]), *TETRA_N)
        lines = {gpu: gains(plainest(members)) for gpu, members in by(mine[mine["I"].notna()], "gpu").items()}
        if not lines:
            continue
        grey = {
            f"{gpu}: {low:g} to {high:g}": pd.DataFrame({"low": low, "high": high}, index=[first, TETRA_N[1]])
            for gpu, (low, high, first) in published.items() if over_bb(mine)
        }  # fmt: skip
        panel = Panel("", lines, "T_BB / T" if over_bb(mine) else FACTOR, grey=grey)
        title, cut = f"dp-tetra: acceleration over {baseline_words(mine)}", f"n_c = {mine['cutoff'].max():g}"
        yield Drawing(suffix, title, [panel], [words, cut, note, BAND], mine.assign(device=mine["gpu"]), said)


def host(runs: pd.DataFrame, title: str) -> Iterator[Drawing]:
    """The same boxes launched from the device and from the host: what dynamic parallelism costs."""
    for suffix, words, found in facets(_tetra(runs), ("engine", "block", "layout", "workload")):
        trees = {name: by(found[found["strategy"] == name], "cutoff") for name in ("dp-tetra", "rec-tetra")}
        cuts = [cut for cut in trees["dp-tetra"] if cut in trees["rec-tetra"]]
        if not cuts:
            continue
        lines = {f"{name}, n_c = {cut:g}": times(tree[cut]) for cut in cuts for name, tree in trees.items()}
        ratios = {
            f"n_c = {cut:g}": ratio(*(times(tree[cut]).assign(noted=False) for tree in trees.values())) for cut in cuts
        }
        panels = [Panel("Time", lines, "time [ms]", log=True), Panel("T(dp-tetra) / T(rec-tetra)", ratios, "ratio")]
        yield Drawing(suffix, title, panels, [words, BAND], found)


def gpus(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Strategies that several devices measured; each time is compared with the baseline on the same device."""
    runs = runs[(runs["engine"] != "cpu") & runs["cutoff"].fillna(DEFAULT_CUTOFF).eq(DEFAULT_CUTOFF)]
    runs = runs[~is_baseline(runs) & runs["I"].notna() & (runs["plainness"] == 0)].assign(gpu=runs["device"], device="")
    for suffix, words, found in facets(runs, ("block", "layout", "cache", "dimension", "workload")):
        of = by(found, "strategy", sorted(set(found["strategy"]), key=groups.strategy_rank))
        panels = [
            Panel(name, {gpu: gains(members) for gpu, members in by(mine, "gpu").items()}, FACTOR)
            for name, mine in of.items() if mine["gpu"].nunique() > 1
        ]  # fmt: skip
        title = f"{found['workload'].iloc[0]}: improvement over {baseline_words(found)}, on each GPU"
        if panels:
            yield Drawing(suffix, title, panels, [words, BAND], found.assign(device=found["gpu"]))


# ---------------------------------------------------------------- automata: Balasalle and others

AUTOMATA_N = (160, 1600)


def _techniques(runs: pd.DataFrame, workload: str, *columns: str) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """
    One facet per strategy and domain, so that only the technique varies. conditional and halo mean one cell per thread,
    so their loop kernels do not count; for the other techniques the cpu engine has only loop kernels.
    """
    memory = runs["parameters.memory"]
    own = memory.notna() & ((runs["kernel"] != "loop") | ~memory.isin(["conditional", "halo"]))
    runs = runs[own & (runs["workload"] == workload)]
    if len(runs):
        yield from facets(runs, ("engine", "parameters.domain", *columns, "strategy", "layout", "cache"))


def _line(runs: pd.DataFrame, *words: str) -> dict[str, pd.DataFrame]:
    """
    The plainest line of one technique in one block; its label names block and tile if they are not the usual ones.
    """
    line = plainest(runs)
    block, tile, side = line["block"].iloc[0], line["tile"].iloc[0], f"{line['block.x'].iloc[0]:g}"
    odd = [] if block == "16x16" else [block]
    odd += [] if pd.isna(tile) or tile == side and not odd else [f"tile {tile}"]
    return {", ".join([*words, *odd]): line}


def _one_block(runs: pd.DataFrame, techniques: Sequence[str]) -> dict[str, pd.DataFrame]:
    """One line per technique: in 16x16 blocks if measured, else in the block with the most runs."""
    lines = {}
    for memory, mine in by(runs, "parameters.memory", techniques).items():
        counts = mine["block"].value_counts().sort_index()
        block = "16x16" if "16x16" in counts else counts.idxmax()
        lines |= _line(mine[mine["block"] == block], memory)
    return lines


def _steps(runs: pd.DataFrame) -> float:
    steps = runs["parameters.steps"].iloc[0]
    return 1.0 if pd.isna(steps) else float(steps)


def _times_and_rates(lines: Lines) -> list[Panel]:
    """Both panels of a figure, of runs."""
    found = {label: times(one, 1.0 / _steps(one)) for label, one in lines.items()}
    small = max(one["value"].max() for one in found.values()) < 0.1
    found = {label: 1000.0 * one for label, one in found.items()} if small else found
    has_steps = any(one["parameters.steps"].notna().any() for one in lines.values())
    rates = {label: exactly(one, "throughput.gb_per_s") for label, one in lines.items()}
    title = f"(a) Time per {'generation' if has_steps else 'run'}"
    return [Panel(title, found, f"time [{'us' if small else 'ms'}]"), Panel("(b) Bandwidth", rates, "GB/s")]


def life(
    runs: pd.DataFrame, title: str, techniques: Sequence[str] = (), needs: Sequence[str] = (),
    shares: Mapping[str, tuple[str, float]] | None = None,
) -> Iterator[Drawing]:  # fmt: skip
    """Techniques, else shapes of blocks. Input: needs, one of which there must be; shares, published ones."""
    for suffix, words, found in _techniques(runs, "life", "parameters.cell"):
        mine, note = within(found, *AUTOMATA_N)
        lines = _one_block(mine, techniques) if techniques else _shapes(mine)
        if len(lines) < 2 or needs and not any(label.partition(",")[0] in needs for label in lines):
            continue
        panels = _times_and_rates(lines)
        told = {what: share for what, share in (shares or {}).items() if share[0] in lines}
        for what, (label, share) in told.items():
            value = share * panels[0].lines[label]["value"].sort_index()
            panels[0].grey = {**panels[0].grey, what: pd.DataFrame({"low": value, "high": value})}
        grey = ", ".join(f"{what} {share:.2f} of {of}" for what, (of, share) in told.items())
        notes = [words, note, BAND, "bandwidth: each cell read once and written once per generation"]
        yield Drawing(suffix, title, panels, notes, pd.concat(lines.values()), f"grey: published, GTX 285, {grey}")


def _shapes(runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Lines that differ only in the shape of the block, for the technique, tile and kernel with the most shapes."""
    runs = runs[runs["parameters.memory"].isin(["shared", "aligned", "two-cell"])]
    runs = runs.assign(threads=runs["block.x"] * runs["block.y"]).sort_values(["block.x", "block.y"])
    one = runs[runs["parameters.memory"] != "two-cell"]
    kinds = one.groupby(["parameters.memory", "tile", "kernel", "threads"])["block"].nunique()
    kinds = kinds[kinds > 1]
    if kinds.empty:
        return {}
    memory, tile, kernel, threads = max(kinds.index, key=lambda kind: (kinds[kind], kind[0] == "aligned", str(kind)))
    alike = runs[(runs["tile"] == tile) & (runs["kernel"] == kernel) & (runs["threads"] == threads)]
    lines = {}
    for technique, prefix in ((memory, ""), ("two-cell", "two cells, ")):
        mine = alike[alike["parameters.memory"] == technique]
        for block, members in by(mine, "block", mine["block"].unique()).items():
            lines[prefix + block] = plainest(members)
    return lines


# In the order of the texts, then the techniques that they did not have.
EVERY = ("conditional", "halo", "shared", "aligned", "rect", "two-cell", "two-generation", "strip")


def thesis(
    runs: pd.DataFrame, title: str, workload: str, said: str, base: str = "",
    published: Mapping[str, float] | None = None,
) -> Iterator[Drawing]:  # fmt: skip
    """
    Input: base and published, the reference technique, and the published times, that of the base among them; without
    them there is no third panel.
    """
    for suffix, words, found in _techniques(runs, workload):
        lines = _every(found)
        if len(lines) < 2:
            continue
        n, panels = _base(base, lines), _times_and_rates(lines)
        if n:
            panels.append(_shares(lines, base, n, published or {}))
        yield Drawing(suffix, title, panels, [words, BAND, said], pd.concat(lines.values()))


def _every(runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """One line per technique, packed or not, and block. With a tile no larger than the block, two cells idle."""
    lines = {}
    for memory, mine in by(runs, "parameters.memory", EVERY).items():
        idle = (mine["tile"] == mine["block"]) | (mine["tile"] + "x" + mine["tile"] == mine["block"])
        mine = mine[~idle] if memory == "two-cell" else mine
        packed = mine["parameters.cell"] == "f32x2"
        for words, some in (((memory,), mine[~packed]), ((memory, "packed"), mine[packed])):
            for _, members in some.sort_values(["block.x", "block.y"]).groupby("block", sort=False):
                lines |= _line(members, *words)
    return lines


def _base(base: str, lines: Mapping[str, pd.DataFrame]) -> int:
    """The largest N at which the base technique was measured, and another one, too; 0 if there is none."""
    ns = {label: set(one["n"]) for label, one in lines.items()}
    others = set().union(*(found for label, found in ns.items() if label.partition(",")[0] != base))
    mine = set().union(*(found for label, found in ns.items() if label.partition(",")[0] == base))
    return max(mine & others, default=0)


def _shares(lines: Lines, base: str, n: int, published: Mapping[str, float]) -> Panel:
    """Bars of times as shares of the base technique's time, which has no bar; grey bars below are published."""
    at = {label: times(one[one["n"] == n], 1.0 / _steps(one)).assign(noted=False) for label, one in lines.items()}
    under = next(one for label, one in at.items() if label.partition(",")[0] == base and len(one))
    bars: list[Bar] = []
    for place, (label, one) in enumerate(at.items()):
        memory = label.partition(",")[0]
        if memory == base or one.empty:
            continue
        bars.append((label, ratio(one, under).iloc[0], PALETTE[place % 8]))
        if memory in published:
            bars.append(("published", dict.fromkeys(ENDS, published[memory] / published[base]), GREY))
    return Panel("(c) Beside the text", {}, "", x=f"time / that of {base}, N = {n:,}", bars=bars)


# ---------------------------------------------------------------- all of them

Draw = Callable[[pd.DataFrame], Iterator[Drawing]]


def _read() -> Iterator[tuple[str, tuple[str, Draw]]]:
    for name, row in yaml.safe_load((STUDY / "figures.yaml").read_text(encoding="utf-8")).items():
        yield name, (row.pop("words"), partial(globals()[row.pop("draw")], **row))


FIGURES = dict(_read())


def drawings(found: Results, runs: pd.DataFrame, names: Iterable[str]) -> Iterator[tuple[str, str, Figure]]:
    """Of each figure its pictures: its name, a file's name, and the picture. Input: runs, selected usable ones."""
    runs = groups.labelled(groups.with_factors(found.usable).loc[runs.index])
    for name, one in ((each, one) for each in names for one in FIGURES[each][1](runs)):
        figure, told = (
            one.figure(),
            [*found.devices(one.runs), found.version(one.runs), f"measured {found.date(one.runs)}"],
        )
        is_grey = any(panel.grey and len(panel.ns) > 1 for panel in one.panels)
        words = " · ".join(filter(None, [*one.notes, one.said if is_grey else "", *told]))
        lines = textwrap.wrap(words, int(figure.get_figwidth() * 21))
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=6, color=GREY)
        yield name, name + one.suffix, figure
