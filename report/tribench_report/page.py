"""One self-contained HTML page: advice, chart, table, figures, environment. It needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
import pandas as pd

from . import charts, cli
from .advice import HEAD, advise, rows
from .differences import between, facts_of
from .documents import device_of
from .frame import Results
from .groups import FACET_WORDS, add_filters, chosen, inputs, labelled, select, variants, with_factors
from .tables import flat
from .templates import page, text_of

PROG = "html"
# Figures that show no more than the chart does.
IN_THE_CHART = ("overview", "time", "bandwidth")
# What of the bundled libraries the page's own script calls.
BUNDLE = "window.vegaEmbed = vegaEmbed;"
MOST_COMMANDS, MOST_VALUES = 20, 8


# ---------------------------------------------------------------- chart and table


# The columns of the table by their names on the page, and of the data.
COLUMNS = {
    "workload": "workload", "strategy": "label", "N": "n", "block": "block", "device": "device", "ms": "v0", "I": "v1",
    "GB/s": "v2", "% of bound": "v3", "wasted blocks": "wasted", "status": "status",
}  # fmt: skip
# What the chart can show, by its names on the page, with the columns of the value, its low and its high end. Of the
# k-th measure they are vk, lk and hk in the data.
MEASURES = {
    "ms": charts.TIME, "I": ("I", "I.low", "I.high"), "GB/s": ("throughput.gb_per_s",),
    "% of bound": ("roofline.fraction_of_bound",),
}  # fmt: skip


def _setting(runs: pd.DataFrame) -> list[str]:
    """The words for the device, engine, block, layout and cache of each run: runs with equal words share a chart."""
    device = ["device"] if runs["device"].nunique() > 1 else []
    return variants(runs, [*device, *charts.PICTURE, *inputs(runs)], {}, FACET_WORDS)


def rows_of(every: pd.DataFrame, usable: pd.DataFrame) -> dict[str, Any]:
    """All runs, with times and factors only of usable ones."""
    good = usable.reindex(every.index)
    good["roofline.fraction_of_bound"] *= 100
    found = every[["workload", "label", "strategy", "n", "block", "device"]].astype(object)
    found["status"], found["setting"] = list(_status(every)), good["setting"].fillna("")
    found["wasted"] = every["launch.blocks_wasted"]
    for place, names in enumerate(MEASURES.values()):
        for end, name in zip("vlh", names):
            found[f"{end}{place}"] = good[name].map("{:.5g}".format).astype(float)
    return {"columns": list(found), "rows": found.astype(object).where(found.notna(), None).to_numpy().tolist()}


def main_chart(runs: pd.DataFrame) -> alt.TopLevelMixin:
    """Any measure of any workload over N, chosen on the page. Input: usable runs, labelled, with `setting`"""
    names = list(MEASURES)
    pick = f"datum['{{}}' + indexof({names}, measure)]"
    choices = {
        "workload": sorted(set(runs["workload"])), "setting": sorted(set(runs["setting"])), "measure": names,
    }  # fmt: skip
    parameters = [
        alt.param(name=name, value=options[0], bind=alt.binding_select(options=options, name=f"{name} "))
        for name, options in choices.items()
    ]
    shown = alt.selection_point(fields=["label"], bind="legend", name="shown")
    zoom = alt.selection_interval(bind="scales", name="zoom")
    of = {"y": "v", "ylow": "l", "yfrom": "l", "yhigh": "h", "yto": "h"}
    base = (
        alt.Chart(alt.NamedData("runs"))
        .transform_filter("datum.workload === workload && datum.setting === setting")
        .transform_calculate(x="datum.n", **{name: pick.format(column) for name, column in of.items()})
        .transform_filter("isValid(datum.y)")
    )
    faint = alt.when(shown).then(alt.value(1.0)).otherwise(alt.value(0.06))
    n, measure = charts.Axis(title="N", form=",d"), charts.Axis(title="measure", log=True, nice=True)
    drawn = charts.layers(charts.looks(runs), n, measure, base, "y", opacity=faint)
    drawn.layer[-1] = drawn.layer[-1].add_params(shown, zoom)
    drawn = drawn.add_params(*parameters)
    title = alt.TitleParams(alt.expr("workload + ': ' + measure"), anchor="start")
    return drawn.properties(title=title, width="container", height=420).configure(**charts.CONFIG)


def _status(runs: pd.DataFrame) -> Iterator[str]:
    for status, check, caution, reason in zip(*(runs[n] for n in ("status", "verified.status", "caution", "reason"))):
        words = "wrong result" if check == "fail" else ", ".join(filter(None, (status, caution)))
        yield words if pd.isna(reason) or check == "fail" else f"{words}: {reason}"


# ---------------------------------------------------------------- environment


def _and_more(words: Sequence[str], count: int) -> list[str]:
    return [*words[:count], f"and {len(words) - count} more"] if len(words) > count else list(words)


def environments(found: Results) -> Iterator[list[tuple[str, str]]]:
    """For each device, the facts of its invocations."""
    parts = [part["environment"] for part in found.parts]
    devices = [device_of(environment, "cuda" if environment.get("gpu") else "cpu") for environment in parts]
    facts = pd.DataFrame(map(flat, parts), dtype=object)
    for _, mine in facts.groupby(devices, sort=False):
        values = {name: list(column.dropna().astype(str).unique()) for name, column in mine.items()}
        yield [
            (name.replace(".", " "), "; ".join(_and_more(each, MOST_VALUES))) for name, each in values.items() if each
        ]


def build(found: Results, runs: pd.DataFrame, every: pd.DataFrame) -> str:
    """Input: runs, the usable ones; every, all that the table lists, failed ones included."""
    import vl_convert

    # Times and factors of every usable run, also of those that are not shown: a baseline may be among them.
    factors = with_factors(found.usable).loc[runs.index]
    usable = labelled(factors.assign(setting=_setting(factors)))
    specs = [main_chart(usable).to_dict()]
    figures = []
    for name in (name for name in charts.CATALOGUE if name not in IN_THE_CHART):
        for figure in charts.figures(name, runs, found):
            specs.append(figure.finished(with_words=False).to_dict())
            figures.append((figure.title, figure.caption))
    scripts = {
        "library": vl_convert.javascript_bundle(BUNDLE).replace("</script", "<\\/script"),
        "script": text_of("page.js"),
    }
    return page(
        "page.html", scripts, devices="; ".join(found.devices()),
        origin=f"{found.version()}, measured {found.date()}, {len(every):,} runs, {len(runs):,} of them usable",
        warnings=found.warnings, advice_head=HEAD, advice=rows(advise(runs)), columns=list(COLUMNS), figures=figures,
        environments=environments(found),
        differences=[line.split(": ", 1) for line in between({"": facts_of(found.documents)})],
        commands=_and_more(found.commands(), MOST_COMMANDS),
        data={"specs": specs, "table": list(COLUMNS.values()), **rows_of(labelled(every), usable)},
    )  # fmt: skip


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Makes one self-contained HTML page from result files; it needs no network.")
    cli.add_results(parser)
    cli.add_output(parser)
    add_filters(parser)
    options = parser.parse_args(arguments)
    found, runs = chosen(PROG, options)
    every = select(found.runs, options)
    cli.write_output(options.output, build(found, runs, every))
    return 0
