"""The figures of the papers, and of several GPUs side by side, in plain matplotlib."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from tribench_report.frame import Results
from tribench_report.groups import (
    DEFAULT_CUTOFF,
    baseline_words,
    facets,
    is_baseline,
    labelled,
    plainest,
    strategy_rank,
    with_factors,
)

from .bench import intervals, ratio

# Okabe and Ito's palette without its yellow, which is too pale for a line on white.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#8c510a", "#000000")
MARKERS, DASHES = "osD^vP*X", ("-", "--", "-.", ":")
GREY = "#777777"
BAND = "bands and bars: 95 % intervals of the median"
FACTOR = "I = T(baseline) / T"
Lines = Mapping[str, pd.DataFrame]  # by label: value, low and high, by N
Published = Mapping[str, tuple[float, float]]


@dataclass
class Drawing:
    """A figure, what is told below it, and the runs that it shows."""

    suffix: str
    figure: Figure
    notes: list[str]
    runs: pd.DataFrame


# ---------------------------------------------------------------- panels


def canvas(title: str, panels: int) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(max(5.6, (4.0 if panels < 4 else 3.0) * panels), 3.8), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    axes = list(figure.subplots(1, panels, squeeze=False)[0])
    for one in axes:
        one.spines[["top", "right"]].set_visible(False)
        one.grid(alpha=0.25)
    return figure, axes


def gains(runs: pd.DataFrame) -> pd.DataFrame:
    found = runs.set_index("n")[["I", "I.low", "I.high"]].set_axis(["value", "low", "high"], axis=1)
    return found.assign(low=found["low"].fillna(found["value"]), high=found["high"].fillna(found["value"])).dropna()


def times(runs: pd.DataFrame, factor: float = 1.0) -> pd.DataFrame:
    return intervals(runs.set_index("n"))[["value", "low", "high"]] * factor


def draw(axes: Axes, lines: Lines, what: str, log: bool = False) -> None:
    """Lines over N with their bands; bars where there is a single N."""
    lines = {label: line.sort_index() for label, line in lines.items() if len(line)}
    ns = sorted({n for line in lines.values() for n in line.index})
    if len(ns) == 1:
        _bars(axes, [(label, line.iloc[0], PALETTE[k % 8]) for k, (label, line) in enumerate(lines.items())])
        axes.set_xlabel(f"{what.partition(' = ')[0]}, N = {ns[0]:,}")
        return
    for k, (label, line) in enumerate(lines.items()):
        colour, every = PALETTE[k % 8], max(1, len(line) // 8)
        axes.plot(line.index, line["value"], DASHES[k // 8 % 4], marker=MARKERS[k % 8], markevery=every, ms=4, lw=1.3,
                  color=colour, label=label)  # fmt: skip
        axes.fill_between(line.index, line["low"], line["high"], color=colour, alpha=0.2, lw=0)
    axes.set(xlabel="N", ylabel=what, **({"xscale": "log", "yscale": "log"} if log else {}))
    if not log:
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    if lines:
        axes.legend(fontsize=7, frameon=False)


def _bars(axes: Axes, bars: Sequence[tuple[str, Any, str]]) -> None:
    for place, (_, one, colour) in enumerate(bars):
        ends = [[max(0.0, one["value"] - one["low"])], [max(0.0, one["high"] - one["value"])]]
        axes.barh(place, one["value"], xerr=ends, color=colour, height=0.7)
        axes.annotate(f"{one['value']:,.3g}" if one["value"] < 1000 else f"{one['value']:,.0f}",
                      (one["high"], place), (3, 0), textcoords="offset points", va="center", fontsize=7)  # fmt: skip
    axes.set_yticks(range(len(bars)), [label for label, _, _ in bars], fontsize=7)
    axes.invert_yaxis()
    axes.margins(x=0.15)


def published(axes: Axes, values: Published, names: Sequence[str]) -> bool:
    """Published values of what is drawn, in grey across the panel. Returns whether there are any."""
    shown = {name: ends for name, ends in values.items() if name in names and axes.lines}
    for name, (low, high) in shown.items():
        for value in {low, high}:
            axes.axhline(value, color=GREY, ls="--", lw=0.8, label="_published", zorder=0)
        axes.annotate(name, (1.0, high), xycoords=("axes fraction", "data"), color=GREY, fontsize=6, ha="right",
                      va="bottom")  # fmt: skip
    return bool(shown)


def share_scale(axes: Sequence[Axes]) -> None:
    """Panels of one quantity have one scale, of lines or of bars."""
    for panels, read, write in (
        ([one for one in axes if one.lines], "get_ylim", "set_ylim"),
        ([one for one in axes if one.patches], "get_xlim", "set_xlim"),
    ):
        limits = [getattr(one, read)() for one in panels]
        for one in panels:
            getattr(one, write)(min(low for low, _ in limits), max(high for _, high in limits))


def within(runs: pd.DataFrame, first: int, last: int) -> tuple[pd.DataFrame, str]:
    """The runs at the paper's N if there are any, and else all of them, and a note that says so."""
    mine = runs[(runs["n"] >= first) & (runs["n"] <= last)]
    return (mine, "") if len(mine) else (runs, f"the paper's N are {first:,} to {last:,}")


def by(runs: pd.DataFrame, column: str, names: Sequence[Any] | None = None) -> dict[Any, pd.DataFrame]:
    """The runs by a value of a column, in the order of the names."""
    found = {value: members for value, members in runs.groupby(column, sort=True)}
    return {name: found[name] for name in (found if names is None else names) if name in found}


def factor_lines(runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """I of each strategy in its plainest variant; where it is over several baselines, a line for each."""
    runs = runs[~is_baseline(runs) & runs["I"].notna()]
    lines = {}
    for strategy, mine in sorted(by(plainest(runs), "strategy").items(), key=lambda one: strategy_rank(one[0])):
        for over, members in by(mine, "over").items():
            lines[f"{strategy} (over {over})" if mine["over"].nunique() > 1 else strategy] = gains(members)
    return lines


def over_bb(runs: pd.DataFrame) -> bool:
    return baseline_words(runs) == "the bounding box"


# ---------------------------------------------------------------- triangles: Navarro and Hitschfeld

TRIANGLE_N = (1024, 30720)
# Published I of the dummy kernel and of the distance matrix, where the text gives a number.
DUMMY = {"ltm-x": (0.7, 0.7), "ltm-n": (1.03, 1.03), "ltm-r": (1.13, 1.15), "rb": (1.25, 1.25)}
EDM = {"ltm-r": (1.12, 1.15), "rb": (1.14, 1.14)}
GTX_680 = "grey: published, GTX 680"
TRIANGLE = ("engine", "block", "layout", "cache")


def _plain(runs: pd.DataFrame, dimension: int) -> pd.DataFrame:
    return runs[(runs["dimension"] == dimension) & (runs["plainness"] == 0) & runs["peer.name"].isna()]


def roots(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Figure 3: the cost of each way to take the root, and the number of blocks that do nothing."""
    runs = _plain(runs, 2)
    for suffix, words, found in facets(runs[runs["workload"] == "dummy"], TRIANGLE):
        mine, note = within(found, *TRIANGLE_N)
        chosen = mine[mine["strategy"].isin(["ltm-x", "ltm-n", "ltm-r"])]
        lines = factor_lines(chosen)
        if len(lines) < 2:
            continue
        figure, (left, right) = canvas("LTM: three ways to take the root, and the blocks each map wastes", 2)
        left.set_title(f"Improvement over {baseline_words(chosen)}, dummy kernel", loc="left", fontsize=9)
        draw(left, lines, FACTOR)
        grey = over_bb(chosen) and published(left, DUMMY, list(lines))
        # All three launch the same grid.
        wasted = {
            name: pd.DataFrame(dict.fromkeys(("value", "low", "high"), one.set_index("n")["launch.blocks_wasted"]))
            for name, one in by(mine, "strategy", ["bb", "ltm-r"]).items()
        }
        draw(right, {name: line[line["value"] > 0] for name, line in wasted.items()}, "wasted blocks", log=True)
        yield Drawing(suffix, figure, [words, BAND, GTX_680 if grey else "", note], mine)


def strategies(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Figure 5: the strategies on three kernels, and how I depends on the work per cell."""
    names = ("dummy", "edm1", "edm2", "edm3", "edm4")
    runs = _plain(runs, 2)
    runs = runs[runs["strategy"].isin(["bb", "ltm-r", "utm", "rb", "rec"]) & runs["workload"].isin(names)]
    for suffix, words, found in facets(runs, TRIANGLE):
        mine, note = within(found, *TRIANGLE_N)
        kernels = by(mine, "workload", names)
        panels = {name: factor_lines(kernels[name]) for name in ("dummy", "edm1", "edm4") if name in kernels}
        panels = {name: lines for name, lines in panels.items() if lines}
        features = [name for name in names[1:] if name in kernels]
        if not panels or not features:
            continue
        figure, axes = canvas(f"Improvement over {baseline_words(mine)}", len(panels) + (len(features) > 1))
        grey = False
        for one, (name, lines) in zip(axes, panels.items()):
            one.set_title(name, loc="left", fontsize=9)
            draw(one, lines, FACTOR)
            grey |= over_bb(mine) and published(one, DUMMY if name == "dummy" else EDM, list(lines))
        if len(features) > 1:
            top = min(kernels[name]["n"].max() for name in features)
            shown = mine[(mine["n"] == top) & mine["workload"].isin(features)]
            shown = shown.assign(n=shown["workload"].str[3:].astype(int))
            axes[-1].set_title(f"EDM at N = {top:,}", loc="left", fontsize=9)
            draw(axes[-1], factor_lines(shown), FACTOR)
            axes[-1].set(xlabel="features per element", xticks=sorted(set(shown["n"])))
        share_scale(axes)
        yield Drawing(suffix, figure, [words, BAND, GTX_680 if grey else "", note], mine)


# ---------------------------------------------------------------- tetrahedra: González and others

TETRA_N = (1, 512)
# Published accelerations of dp-tetra: from, to, and the N from which they hold.
ACCELERATION = {
    "Tesla V100": (2.4, 3.1, 256), "Tesla K40c": (0.7, 0.9, 140), "GTX 1050 Ti": (0.7, 0.8, 128),
    "Titan X": (0.6, 0.7, 220),
}  # fmt: skip


def _tetra(runs: pd.DataFrame) -> pd.DataFrame:
    return runs[(runs["dimension"] == 3) & (runs["schedule"].fillna("grid") == "grid") & (runs["kernel"] == "cell")]


def _one_cutoff(runs: pd.DataFrame) -> pd.DataFrame:
    """At the paper's n_c if it was measured, else at the largest one: each line must have a single n_c."""
    cuts = set(runs["cutoff"].dropna())
    chosen = DEFAULT_CUTOFF if DEFAULT_CUTOFF in cuts else max(cuts, default=0)
    return runs[runs["cutoff"].isna() | (runs["cutoff"] == chosen)]


def cutoffs(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Figure 4: where to stop the recursion."""
    for suffix, words, found in facets(_tetra(runs), ("engine", "block", "layout", "workload")):
        mine, note = within(found, *TETRA_N)
        trees = by(mine[mine["strategy"] == "dp-tetra"], "cutoff")
        if len(trees) < 2:
            continue
        figure, (axes,) = canvas("dp-tetra: time over N for each cut-off n_c", 1)
        lines = {f"n_c = {cut:g}": times(members) for cut, members in trees.items()}
        box = plainest(mine[mine["strategy"] == "bb-tetra"])
        draw(axes, {**lines, "bb-tetra": times(box)} if len(box) else lines, "time [ms]", log=True)
        said = "published: n_c = 128 is the best on a GTX 1050 Ti and a Tesla K40c"
        yield Drawing(suffix, figure, [words, said, BAND, note], mine)


def blocks(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Figure 5: the choice of the block."""
    runs = _tetra(runs)
    for suffix, words, found in facets(runs[runs["strategy"] == "dp-tetra"], ("engine", "layout", "workload")):
        mine, note = within(_one_cutoff(found), *TETRA_N)
        shapes = by(mine.sort_values("block.x"), "block", mine.sort_values("block.x")["block"].unique())
        if len(shapes) < 2:
            continue
        figure, (axes,) = canvas("dp-tetra: time over N for each block size", 1)
        draw(axes, {name: times(members) for name, members in shapes.items()}, "time [ms]", log=True)
        said = "published: 8 is the best block on all of four GPUs"
        yield Drawing(suffix, figure, [words, f"n_c = {mine['cutoff'].max():g}", said, BAND, note], mine)


def acceleration(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Figure 6: I of dp-tetra over N at the paper's cut-off, one line per GPU, the published ones in grey."""
    runs = _tetra(runs)
    runs = runs.assign(gpu=runs["device"], device="")
    for suffix, words, found in facets(runs, ("engine", "block", "layout", "workload")):
        mine, note = within(_one_cutoff(found[found["strategy"] == "dp-tetra"]), *TETRA_N)
        lines = {gpu: gains(plainest(members)) for gpu, members in by(mine[mine["I"].notna()], "gpu").items()}
        if not lines:
            continue
        figure, (axes,) = canvas(f"dp-tetra: acceleration over {baseline_words(mine)}", 1)
        draw(axes, lines, "T_BB / T" if over_bb(mine) else FACTOR)
        grey = over_bb(mine) and bool(axes.lines)
        for gpu, (low, high, first) in ACCELERATION.items() if grey else ():
            axes.fill_between((first, TETRA_N[1]), low, high, color=GREY, alpha=0.2, lw=0)
            axes.text(TETRA_N[1], (low + high) / 2, f"{gpu}: {low:g} to {high:g}", fontsize=6, color=GREY, va="center")
        said = "grey: published, N from where it is constant" if grey else ""
        cut = f"n_c = {mine['cutoff'].max():g}"
        yield Drawing(suffix, figure, [words, cut, said, note, BAND], mine.assign(device=mine["gpu"]))


def host(runs: pd.DataFrame) -> Iterator[Drawing]:
    """The same boxes launched from the device and from the host: what dynamic parallelism costs."""
    for suffix, words, found in facets(_tetra(runs), ("engine", "block", "layout", "workload")):
        device, from_host = (by(found[found["strategy"] == name], "cutoff") for name in ("dp-tetra", "rec-tetra"))
        cuts = [cut for cut in device if cut in from_host]
        if not cuts:
            continue
        figure, (left, right) = canvas("The same boxes, launched from the device and from the host", 2)
        left.set_title("Time", loc="left", fontsize=9)
        kinds = (("dp-tetra", device), ("rec-tetra", from_host))
        lines = {f"{name}, n_c = {cut:g}": times(kind[cut]) for cut in cuts for name, kind in kinds}
        draw(left, lines, "time [ms]", log=True)
        right.set_title("T(dp-tetra) / T(rec-tetra)", loc="left", fontsize=9)
        ratios = {f"n_c = {cut:g}": ratio(*(times(kind[cut]).assign(noted=False) for _, kind in kinds)) for cut in cuts}
        draw(right, ratios, "ratio")
        yield Drawing(suffix, figure, [words, BAND], found)


def gpus(runs: pd.DataFrame) -> Iterator[Drawing]:
    """Strategies that several devices measured; each time is compared with the baseline on the same device."""
    runs = runs[(runs["engine"] != "cpu") & runs["cutoff"].fillna(DEFAULT_CUTOFF).eq(DEFAULT_CUTOFF)]
    runs = runs[~is_baseline(runs) & runs["I"].notna() & (runs["plainness"] == 0)].assign(gpu=runs["device"], device="")
    for suffix, words, found in facets(runs, ("block", "layout", "cache", "dimension", "workload")):
        of = by(found, "strategy", sorted(set(found["strategy"]), key=strategy_rank))
        panels = {name: by(mine, "gpu") for name, mine in of.items() if mine["gpu"].nunique() > 1}
        if not panels:
            continue
        title = f"{found['workload'].iloc[0]}: improvement over {baseline_words(found)}, on each GPU"
        figure, axes = canvas(title, len(panels))
        for one, (name, lines) in zip(axes, panels.items()):
            one.set_title(name, loc="left", fontsize=9)
            draw(one, {gpu: gains(members) for gpu, members in lines.items()}, FACTOR)
        share_scale(axes)
        yield Drawing(suffix, figure, [words, BAND], found.assign(device=found["gpu"]))


# ---------------------------------------------------------------- automata: Balasalle and others

SQUARE = ("conditional", "halo", "shared", "aligned")
TEXT = (*SQUARE, "rect", "two-cell")
OURS = ("two-generation", "strip")
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


def _times_and_rates(left: Axes, right: Axes, lines: Lines) -> dict[str, pd.DataFrame]:
    """Draws both panels of a figure. Returns: the times as they are drawn."""
    found = {label: times(one, 1.0 / _steps(one)) for label, one in lines.items()}
    small = max(one["value"].max() for one in found.values()) < 0.1
    found = {label: 1000.0 * one for label, one in found.items()} if small else found
    has_steps = any(one["parameters.steps"].notna().any() for one in lines.values())
    left.set_title(f"(a) Time per {'generation' if has_steps else 'run'}", loc="left", fontsize=9)
    draw(left, found, f"time [{'us' if small else 'ms'}]")
    rates = {
        label: pd.DataFrame(dict.fromkeys(("value", "low", "high"), one.set_index("n")["throughput.gb_per_s"])).dropna()
        for label, one in lines.items()
    }
    right.set_title("(b) Bandwidth", loc="left", fontsize=9)
    draw(right, rates, "GB/s")
    if left.lines:
        left.set_ylim(bottom=0.0)
    return found


def _life(title: str, techniques: Sequence[str], shares: Sequence[tuple[str, float, str]], is_one: Callable[..., bool]):
    """Input: shares, published lines: the label of ours, the share of its time, and the technique's name."""

    def drawn(runs: pd.DataFrame) -> Iterator[Drawing]:
        for suffix, words, found in _techniques(runs, "life", "parameters.cell"):
            mine, note = within(found, *AUTOMATA_N)
            lines = _one_block(mine, techniques) if techniques else _shapes(mine)
            if len(lines) > 1 and is_one(lines):
                yield _life_drawing(title, suffix, [words, note], lines, shares)

    return drawn


def _life_drawing(
    title: str, suffix: str, said: list[str], lines: dict[str, pd.DataFrame], shares: Sequence[tuple[str, float, str]]
) -> Drawing:
    figure, (left, right) = canvas(title, 2)
    found = _times_and_rates(left, right, lines)
    told = [share for share in shares if share[0] in found and left.lines]
    for label, share, what in told:
        line = share * found[label]["value"].sort_index()
        left.plot(line.index, line, ":", color=GREY, lw=1.0, label="_published")
        left.annotate(what, (line.index[-1], line.iloc[-1]), color=GREY, fontsize=6)
    grey = ", ".join(f"{what} {share:.2f} of {of}" for of, share, what in told)
    notes = [*said, BAND, "bandwidth: each cell read once and written once per generation"]
    notes += [f"grey: published, GTX 285, {grey}"] if told else []
    return Drawing(suffix, figure, notes, pd.concat(lines.values()))


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
# Table 6.2, total seconds; its global memory has a halo.
WATER_S = {"halo": 5.5995, "shared": 4.4027, "aligned": 4.0500, "rect": 3.7669, "two-generation": 25.6975}


def _thesis(workload: str, title: str, said: str, base: str = "", shares: Mapping[str, float] | None = None):
    """
    Input: base and shares, the reference technique, and the published times of others as shares of its time; without
    them there is no third panel.
    """

    def drawn(runs: pd.DataFrame) -> Iterator[Drawing]:
        for suffix, words, found in _techniques(runs, workload):
            lines = _every(found)
            if len(lines) < 2:
                continue
            at = _base(base, lines)
            figure, axes = canvas(f"{title}: every memory technique", 3 if at else 2)
            _times_and_rates(axes[0], axes[1], lines)
            if at:
                _shares(axes[2], lines, base, at, shares or {})
            yield Drawing(suffix, figure, [words, BAND, said], pd.concat(lines.values()))

    return drawn


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


def _shares(axes: Axes, lines: Mapping[str, pd.DataFrame], base: str, n: int, shares: Mapping[str, float]) -> None:
    """Bars of times as shares of the base technique's time, which has no bar; grey bars below are published."""
    at = {label: times(one[one["n"] == n], 1.0 / _steps(one)).assign(noted=False) for label, one in lines.items()}
    under = next(one for label, one in at.items() if label.partition(",")[0] == base and len(one))
    bars: list[tuple[str, Any, str]] = []
    for place, (label, one) in enumerate(at.items()):
        memory = label.partition(",")[0]
        if memory == base or one.empty:
            continue
        bars.append((label, ratio(one, under).iloc[0], PALETTE[place % 8]))
        if memory in shares:
            bars.append(("published", dict.fromkeys(("value", "low", "high"), shares[memory]), GREY))
    axes.set_title("(c) Beside the text", loc="left", fontsize=9)
    _bars(axes, bars)
    axes.set_xlabel(f"time / that of {base}, N = {n:,}")


FIGURES: dict[str, tuple[str, Callable[[pd.DataFrame], Iterator[Drawing]]]] = {
    "triangle-3": ("LTM-X, -N, -R over bb; wasted blocks over N", roots),
    "triangle-5": ("I over N for dummy, edm1, edm4; I over features", strategies),
    "tetra-4": ("dp-tetra: time over N for each cut-off n_c", cutoffs),
    "tetra-5": ("dp-tetra: time over N for each block size", blocks),
    "tetra-6": ("dp-tetra: acceleration over bb-tetra over N, one line per GPU", acceleration),
    "gpus": ("I over N on each GPU, one panel per strategy", gpus),
    "tetra-host": ("dp-tetra against rec-tetra: the same boxes from device and host", host),
    "life-6.2": (
        "life: global, shared and aligned memory",
        _life("Life: global, shared and aligned memory", SQUARE, [("halo", 0.70, "shared")], lambda _: True),
    ),
    "life-6.3": (
        "life: the shape of the block alone, for one and two cells per thread",
        _life("Life: the shape of the block, and two cells per thread", (), [("16x16", 0.80, "64x4")], lambda _: True),
    ),
    "life-6.4": (
        "life: every memory technique of the texts",
        _life(
            "Life: every memory technique of the texts", TEXT,
            [("halo", 0.70, "shared"), ("halo", 0.35, "all together")],
            lambda lines: any(label.partition(",")[0] not in SQUARE for label in lines),  # else it is 6.2 again
        ),
    ),
    "life-more": (
        "life: techniques that the texts did not have",
        _life(
            "Life: beyond the texts, kernels for larger tiles", ("halo", "rect", "two-cell", *OURS), [],
            lambda lines: any(label.partition(",")[0] in OURS for label in lines),
        ),
    ),
    "thesis-5.20": (
        "blur: every memory technique, beside figure 5.21 of the thesis",
        _thesis(
            "blur", "Blur (thesis, figures 5.20 and 5.21)",
            "grey: published, GTX 285: two cells per thread save 37 % over one, both in wide blocks (figure 5.21, a "
            "picture without numbers; section 7.1.5, page 102)",
            "rect", {"two-cell": 0.63},
        ),
    ),
    "thesis-5.23": (
        "dog: every memory technique, and packed data",
        _thesis(
            "dog", "Difference of Gaussians (thesis, figure 5.23)",
            "published, GTX 285: one cell, two cells and packed data are barely discernible (figure 5.23, a picture "
            "without numbers; section 5.3.2, pages 81 and 82)",
        ),
    ),
    "thesis-5.25": (
        "extrema: every memory technique",
        _thesis(
            "extrema", "Extrema (thesis, figure 5.25)",
            "published, GTX 285: two cells in square blocks are the fastest, not two cells in wide ones; aligned is "
            "the slowest (figure 5.25, a picture without numbers; section 5.3.3, pages 82 to 85)",
        ),
    ),
    "thesis-6.4": (
        "water: every memory technique, beside table 6.2 of the thesis",
        _thesis(
            "water", "Surface water (thesis, figure 6.4)",
            "grey: published, GeForce 770M, 463 x 358 cells, 500 generations: "
            + ", ".join(f"{memory} {seconds:.2f} s" for memory, seconds in WATER_S.items())
            + " (table 6.2, page 95; halo is its global memory)",
            "halo", {memory: seconds / WATER_S["halo"] for memory, seconds in WATER_S.items()},
        ),
    ),
}  # fmt: skip


def drawings(found: Results, runs: pd.DataFrame, name: str) -> Iterator[tuple[str, Drawing]]:
    """The pictures of one figure by their files' names, each with its caption. Input: runs, selected usable ones."""
    runs = labelled(with_factors(found.usable).loc[runs.index])
    for drawing in FIGURES[name][1](runs):
        devices, version, date = found.devices(drawing.runs), found.version(drawing.runs), found.date(drawing.runs)
        words = " · ".join(filter(None, [*drawing.notes, *devices, version, f"measured {date}"]))
        columns = int(drawing.figure.get_figwidth() * 21)
        drawing.figure.supxlabel("\n".join(textwrap.wrap(words, columns)), x=0.01, ha="left", fontsize=6, color=GREY)
        yield name + drawing.suffix, drawing
