"""The runs of a call or of files, as tables, figures and files: what tribench_report makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

from .errors import UsageError, reported

if TYPE_CHECKING:
    import altair as alt
    import numpy.typing as npt
    import pandas as pd
    from matplotlib.axes import Axes
    from tribench_report.documents import Document
    from tribench_report.frame import Results

File = str | PathLike[str]
# The columns that come first, in this order.
FRONT = (
    "strategy", "workload", "n", "time_ms.median", "time_ms.ci95.low", "time_ms.ci95.high", "improvement.factor",
    "improvement.ci95.low", "improvement.ci95.high", "throughput.gb_per_s", "status", "verified.status",
)  # fmt: skip
# What `plot` draws by name: a column, where its 95 % interval is, and a label.
LINES = {
    "time": ("time_ms.median", "time_ms.ci95", "time [ms]"),
    "improvement": ("improvement.factor", "improvement.ci95", "improvement I"),
    "bandwidth": ("throughput.gb_per_s", "", "throughput [GB/s]"),
    "energy": ("energy.nj_per_cell", "energy.nj_per_cell_ci95", "energy [nJ per cell]"),
}
# What the report tools note about a run for themselves.
INNER = ("samples.ms", "part", "usable", "caution", "block.x", "block.y", "block.z")


def tidy(runs: pd.DataFrame) -> pd.DataFrame:
    """Only the columns that have values, as numbers where all of them are."""
    import pandas as pd

    runs = runs.drop(columns=[name for name in INNER if name in runs]).replace("", None).dropna(axis=1, how="all")
    for name in runs.select_dtypes(["object", "str"]):
        numbers = pd.to_numeric(runs[name], errors="coerce")
        if numbers.notna().equals(runs[name].notna()):
            runs[name] = numbers
    front = [name for name in FRONT if name in runs]
    return runs[[*front, *(name for name in runs if name not in front)]].reset_index(drop=True)


class Result:
    """
    Runs, as docs/record.md defines them.

    records     each as a dictionary, as the program wrote it
    output      what the run wrote (`run(output=True)`), else None
    """

    def __init__(self, documents: Sequence[Document], unverified: bool = False) -> None:
        self.documents, self._unverified = list(documents), unverified
        self.output: npt.NDArray[Any] | None = None

    @classmethod
    def of_lines(cls, text: str, unverified: bool = False) -> Result:
        """Input: what the program writes as jsonl; whether runs that were not verified count"""
        from tribench_report.documents import from_lines

        with reported():
            return cls([from_lines("tribench", text)], unverified)

    @property
    def records(self) -> list[dict[str, Any]]:
        return [run for document in self.documents for run in document.runs]

    @cached_property
    def results(self) -> Results:
        """What the report tools make of the runs: their own frame, devices, peaks, warnings."""
        from tribench_report.frame import from_documents

        with reported():
            return from_documents(self.documents, self._unverified)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row per run, the values of its record in columns by their names, such as `time_ms.median`."""
        return tidy(self.results.runs)

    @property
    def samples(self) -> pd.DataFrame:
        """A row per sample: key, strategy, workload, n, round (from 0), ms. Runs of a group share their rounds."""
        runs = self.results.runs
        rows = runs[["key", "strategy", "workload", "n"]].assign(ms=runs["samples.ms"].map(list)).explode("ms")
        rows = rows.dropna(subset="ms").astype({"ms": float})
        rows.insert(4, "round", rows.groupby("key").cumcount())
        return rows.reset_index(drop=True)

    def best(self) -> pd.DataFrame:
        """The fastest run of each workload and N, among those that are verified."""
        runs = self.results.usable.sort_values("time_ms.median", kind="stable")
        return tidy(runs.drop_duplicates(["device", "engine", "workload", "dimension", "n", "input"]).sort_index())

    def plot(self, what: str = "time", axes: Axes | None = None) -> Axes:
        """
        Lines over N with their 95 % intervals, one per workload and strategy: on Axes of matplotlib, which it returns.

        Input: what, one of time [ms], improvement, bandwidth [GB/s] and energy [nJ per cell], or a column of `frame`;
        axes, None: new ones
        Errors: UsageError, no run has such numbers; ImportError, matplotlib is not installed
        """
        from tribench_report.groups import labelled

        column, interval, label = LINES.get(what, (what, "", what))
        runs = labelled(self.results.usable)
        if column not in runs or runs[column].dtype.kind not in "iuf" or runs[column].isna().all():
            raise UsageError(f"plot: no run has numbers in {column}; it knows {', '.join(LINES)}, and columns of frame")
        if axes is None:
            from matplotlib import pyplot

            axes = pyplot.subplots()[1]
        names = ["workload", "label"] if runs["workload"].nunique() > 1 else ["label"]
        for name, mine in runs.dropna(subset=[column]).groupby(names, sort=False):
            line = mine.sort_values("n")
            ends = [abs(line[f"{interval}.{end}"] - line[column]) for end in ("low", "high")] if interval else None
            axes.errorbar(line["n"], line[column], yerr=ends, label=", ".join(name), marker=".")
        axes.set(xlabel="N", ylabel=label, xscale="log", yscale="log")
        axes.legend()
        return axes

    def chart(self, figure: str = "overview") -> alt.TopLevelMixin:
        """
        A figure of `tribench-report plot`: returns a chart of Altair, which a notebook shows and `.save("x.png")`
        writes.

        Input: figure, its name: overview, time, bandwidth, energy, ranks, roofline, heatmap
        Errors: UsageError, there is no such figure, the runs lack its data, or they are of several devices or settings
        """
        from tribench_report.charts import CATALOGUE, figures

        if figure not in CATALOGUE:
            raise UsageError(f"chart knows {', '.join(CATALOGUE)}, got '{figure}'")
        drawn = list(figures(figure, self.results.usable, self.results))
        if len(drawn) != 1:
            names = f"there are several: {', '.join(one.name for one in drawn)}; load fewer runs"
            raise UsageError(f"{figure}: {names if drawn else 'these runs lack its data'}")
        return drawn[0].finished(True)

    def save(self, path: File) -> None:
        """Writes json, jsonl or csv, as the suffix says, which may be followed by .gz."""
        from tribench_report import cli, merge

        suffix = Path(str(path).removesuffix(".gz")).suffix[1:]
        if suffix not in merge.WRITERS:
            raise UsageError(f"save: expected a name that ends in {', '.join(merge.WRITERS)}, got '{path}'")
        with reported():
            cli.write_output(str(path), merge.WRITERS[suffix](merge.join(self.documents, ["tribench"])))

    def to_parquet(self, path: File) -> None:
        """Writes the frame. Errors: ImportError, pyarrow is not installed"""
        self.frame.to_parquet(path, engine="pyarrow")

    def _tables(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """As on a terminal: a heading and a table for each group of runs."""
        import pandas as pd
        from tribench_report.groups import labelled

        runs = labelled(self.results.runs)
        for (workload, n, block, device), mine in runs.groupby(["workload", "n", "block", "device"], sort=False):
            low, high = mine["time_ms.ci95.low"], mine["time_ms.ci95.high"]
            rows = pd.DataFrame({
                "strategy": mine["label"],
                "wasted": mine["launch.blocks_wasted"].map("{:,.0f}".format),
                "median ms": mine["time_ms.median"].map("{:.5g}".format),
                "95 % interval": low.map("{:.5g} .. ".format) + high.map("{:.5g}".format),
                "I": mine["improvement.factor"].map("{:.3f}".format),
                "GB/s": mine["throughput.gb_per_s"].map("{:.4g}".format),
                "of bound": (100 * mine["roofline.fraction_of_bound"]).map("{:.1f} %".format),
                "check": mine["verified.status"].replace("fail", "FAIL"),
                "notes": mine["reason"].fillna(mine["caution"]),
            }).replace(r"^nan.*", "", regex=True)  # fmt: skip
            how = "" if (mine["peer.name"] == "python").all() else f"{block} threads per block, "  # of rounds: unknown
            yield f"{workload}, N = {n:,}, {how}{device}", rows.loc[:, (rows != "").any()]

    def __repr__(self) -> str:
        return "\n\n".join(f"{head}\n{rows.to_string(index=False)}" for head, rows in self._tables())

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(head)}</p>{rows.to_html(index=False, border=0)}" for head, rows in self._tables())


def load(*words: File, unverified: bool = False) -> Result:
    """
    Reads result files: json, jsonl or csv, gzipped or not, a folder of them, or parts of one ("all.json:paper").

    Input: unverified, whether runs that were not verified count
    Errors: TribenchError, a file is not there or no result
    """
    from tribench_report.documents import read

    with reported():
        result = Result(read([str(word) for word in words]), unverified)
        for sentence in result.results.warnings:
            warn(sentence, stacklevel=2)
    return result


Side = Result | File | Sequence[Result | File]


def compare(old: Side, new: Side, threshold: float = 0.015, spread: float = 0.015) -> pd.DataFrame:
    """
    Says for every key of two sides whether it became faster or slower: a row per key, with `verdict` and `reason`, the
    times [ms], `ratio` (NEW / OLD) with its interval, and `p`.

    Input: a result or file per invocation, three or more of each side, measured in turns; threshold, the smallest
    change that counts; spread, the standard deviation between invocations that is assumed for a side of one
    """
    from tribench_report import documents, frame, verdict

    def files(side: Side) -> list[pd.DataFrame]:
        several = [side] if isinstance(side, (str, PathLike, Result)) else side
        each = [one.documents if isinstance(one, Result) else documents.read([str(one)]) for one in several]
        return [verdict.times(frame.from_documents([one], True).runs) for found in each for one in found]

    with reported():
        return verdict.compare(files(old), files(new), threshold, spread)
