"""Keeps the results of a machine by commit, and says since which commit a key is slower or faster."""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from . import cli
from .compare import add_options, percent
from .documents import Document, commit_of, member, name_of, read
from .errors import ReportError
from .frame import from_documents
from .groups import add_filters, select, slug
from .merge import dump, join
from .verdict import FAMILY_ERROR, compare, times

PROG = "history"
HELP = """\
DIR keeps one file per invocation, in a folder for each host and device: DATE-COMMIT.json.gz. The FILEs are added, and
the folders that they belong to are judged; without FILEs, all.

For every key, each commit after the first might be the one that changed it: the files before it are OLD of
tribench-report compare, it and the later ones are NEW. The commit with the smallest p-value is named if the
change is beyond --threshold and its p-value, times the number of these commits, is at most 5 %."""


class Version(NamedTuple):
    """A commit on a machine, with its invocations in the order of their start."""

    commit: str
    files: list[pd.DataFrame]  # as verdict.times gives them


def keep(store: Path, document: Document) -> Path:
    """Adds a document to the store, and returns its machine's folder. Errors: it does not say when it was measured"""
    part, runs = document.parts[0], document.runs
    if not part["started"] or not runs:
        raise ReportError(f"{document.name}: has no run, or does not say when it started")
    device = name_of(runs[0], document.parts[runs[0]["source"]]).device
    folder = store / slug(f"{member(part['environment'], 'host').get('name') or 'host'}-{device}")
    commit = commit_of(part["tool"], member(part["environment"], "build")) or "unknown"
    folder.mkdir(parents=True, exist_ok=True)
    content = gzip.compress(dump(join([document], part["command"])).encode("utf-8"), mtime=0)
    cli.write_whole(folder / f"{slug(part['started'].replace(':', ''))}-{slug(commit)}.json.gz", content)
    return folder


def versions(folder: Path, options: argparse.Namespace) -> list[Version]:
    """The commits of a machine, in the order of their first invocation. Errors: no run passes the filters"""
    found: dict[str, Version] = {}
    for path in sorted(folder.glob("*.json.gz")):
        commit = path.name.removesuffix(".json.gz").rpartition("Z-")[2]
        (document,) = read([str(path)])
        runs = select(from_documents([document], unverified=True).runs, options)
        found.setdefault(commit, Version(commit, [])).files.append(times(runs))
    return list(found.values())


def changes(known: Sequence[Version], threshold: float, spread: float) -> pd.DataFrame:
    """A row per key that has times of several commits: key, verdict, ratio with its interval, p, since (a commit)."""
    splits = [
        compare([f for v in known[:k] for f in v.files], [f for v in known[k:] for f in v.files], threshold, spread)
        .assign(since=known[k].commit)
        for k in range(1, len(known))
    ]  # fmt: skip
    rows = pd.concat(splits).reset_index(drop=True)
    rows["p"] = (rows["p"] * len(splits)).clip(upper=1.0)
    rows = rows[rows["ratio"].notna()].sort_values("p", kind="stable").drop_duplicates("key")
    chance = rows["verdict"].isin(["SLOWER", "FASTER"]) & (rows["p"] > FAMILY_ERROR)
    rows["verdict"] = rows["verdict"].mask(chance, "UNSURE")
    return rows.sort_values(["verdict", "key"], ascending=[False, True], kind="stable").reset_index(drop=True)


# ---------------------------------------------------------------- what is written


def sentence(row: Mapping[str, object]) -> str:
    ratio = float(str(row["ratio"]))
    how = percent(ratio) + " slower" if ratio > 1 else percent(1 / ratio) + " faster"
    said = f"{how} since {row['since']}" if row["verdict"] in ("SLOWER", "FASTER") else str(row["verdict"]).lower()
    interval = f"{row['ratio_low']:.3f}, {row['ratio_high']:.3f}"
    return f"{said} (ratio {ratio:.3f} [{interval}], p = {row['p']:.2g})"


def junit(machines: Mapping[str, pd.DataFrame]) -> str:
    """A suite per machine with a case per key; one that is slower has failed."""
    suites = ElementTree.Element("testsuites")
    for machine, rows in machines.items():
        failed = (rows["verdict"] == "SLOWER").sum()
        suite = ElementTree.SubElement(suites, "testsuite", name=machine, tests=f"{len(rows)}", failures=f"{failed}")
        for row in rows.to_dict("records"):
            case = ElementTree.SubElement(suite, "testcase", name=row["key"])
            kind = "failure" if row["verdict"] == "SLOWER" else "system-out"
            ElementTree.SubElement(case, kind).text = sentence(row)
    return str(ElementTree.tostring(suites, encoding="UTF-8", xml_declaration=True), "utf-8")


def github_lines(machines: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """Lines that a GitHub workflow shows beside its run."""
    for machine, rows in machines.items():
        for row in rows[rows["verdict"].isin(["SLOWER", "FASTER"])].to_dict("records"):
            level = "error" if row["verdict"] == "SLOWER" else "notice"
            yield f"::{level} title={machine}::{cli.plain(row['key'])}: {sentence(row)}"


def trend(machine: str, known: Sequence[Version]) -> bytes:
    """A picture (svg): the time of each key over that of its first commit, with its interval, a panel per workload."""
    import altair as alt
    import vl_convert

    from .charts import CONFIG, Axis, axis

    rows = pd.concat([file.assign(commit=v.commit, order=k) for k, v in enumerate(known) for file in v.files])
    rows = rows[rows["log_ms"].notna()].rename_axis("key").reset_index()
    each = rows.groupby(["workload", "key", "commit", "order"], sort=False).agg({"log_ms": "mean", "noise": "max"})
    data = each.reset_index().sort_values("order", kind="stable")
    apart = data["log_ms"] - data.groupby("key")["log_ms"].transform("first")
    reach = 1.96 * data["noise"].fillna(0.0)
    ends = {name: np.exp(one) for name, one in (("ratio", apart), ("low", apart - reach), ("high", apart + reach))}
    data = data.assign(**ends).drop(columns=["log_ms", "noise"])
    y = Axis(title="time over that of the first commit", log=True, form=".3~f")
    base = alt.Chart().encode(
        x=alt.X("commit:N", sort=[v.commit for v in known], title=None), color=alt.Color("key:N", legend=None)
    )
    line = base.mark_line(point=True).encode(y=axis(alt.Y, "ratio", **y), tooltip=["key:N", "commit:N", "ratio:Q"])
    rule = base.mark_rule().encode(y=axis(alt.Y, "low", **y), y2="high:Q")
    chart = alt.layer(rule, line, data=data).properties(width=300, height=180)
    whole = chart.facet(facet=alt.Facet("workload:N", title=None), columns=2).properties(title=machine)
    return str(vl_convert.vegalite_to_svg(whole.configure(**CONFIG).to_dict())).encode("utf-8")


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Keeps results by commit, and says since which one something is slower.", HELP)
    parser.add_argument("store", metavar="DIR", type=Path)
    parser.add_argument("results", nargs="*", metavar="FILE|DIRECTORY")
    add_options(parser)
    parser.add_argument("--junit", metavar="FILE", help="write a report for a CI: a case per key, slower ones failed")
    parser.add_argument("--github", action="store_true", help="print changes as annotations of a GitHub workflow")
    parser.add_argument("--out", metavar="DIR", type=Path, help="draw the trend of each machine: MACHINE.svg")
    parser.add_argument("--fail", action="store_true", help="exit 1 when a key is slower")
    add_filters(parser, with_unverified=False)
    options = parser.parse_args(arguments)
    documents = read(options.results, distinct=True) if options.results else []
    folders = list(dict.fromkeys(keep(options.store, document) for document in documents))
    machines = {}
    for folder in folders or sorted(path for path in options.store.glob("*") if path.is_dir()):
        known = versions(folder, options)
        if options.out and known:
            options.out.mkdir(parents=True, exist_ok=True)
            cli.write_whole(options.out / f"{folder.name}.svg", trend(folder.name, known))
        print(f"{folder.name}: {len(known)} commit{'s' * (len(known) != 1)}")
        if len(known) > 1:
            machines[folder.name] = changes(known, options.threshold, options.spread)
            for row in machines[folder.name].to_dict("records"):
                if row["verdict"] in ("SLOWER", "FASTER"):
                    print(f"  {row['verdict']} {row['key']}: {sentence(row)}")
    if options.junit:
        cli.write_output(options.junit, junit(machines))
    if options.github:
        print("\n".join(github_lines(machines)))
    return int(options.fail and any((rows["verdict"] == "SLOWER").any() for rows in machines.values()))
