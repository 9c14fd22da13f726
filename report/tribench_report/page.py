"""One self-contained HTML page: advice, chart, table, figures, environment."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from . import cli, study
from .differences import between
from .errors import ReportError
from .figures import CATALOGUE, Material
from .improve import Improvements
from .looks import LOOKS, look
from .model import Run, caution, not_verified, variant
from .old_advice import Advice, advise, rows
from .plot import drawings, in_parallel, material_of
from .reading.source import device_of
from .select import add_filters, apply_filters, facets, group, strategy_rank, varying_fields
from .self_contained import asset, embed, filled
from .stats import Interval

PROG = "html"
SCRIPTS = ("state.js", "data.js", "chart.js", "table.js")
# D3 comes with a Python package: there is no copy of it here, and the page fetches nothing when made or read.
LIBRARY_PACKAGE, LIBRARY = "mpld3", "mpld3/js/d3.v5.min.js"

# Figures that show no more than the chart does.
IN_THE_CHART = ("time", "bandwidth")


def _library() -> str:
    """
    The text of D3, from where pip installed it; the package itself is not imported, because it needs more packages.
    """
    try:
        path = Path(str(distribution(LIBRARY_PACKAGE).locate_file(LIBRARY)))
    except PackageNotFoundError:
        raise ModuleNotFoundError(name=LIBRARY_PACKAGE) from None
    text = path.read_text(encoding="utf-8")
    if "</script" in text.lower():
        raise ReportError(f"{path}: cannot stand inside a page")
    return text


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Input: head, the names of the columns; on a narrow screen each cell shows its own."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    open_cells = [f'<td data-label="{escape(cell)}">' for cell in head]
    body = "".join(
        "<tr>" + "".join(f"{td}{escape(cell)}</td>" for td, cell in zip(open_cells, row)) + "</tr>\n" for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def _round(value: float | None, digits: int) -> float | None:
    """Rounds to the digits that the page shows: that halves its size."""
    return None if value is None else float(f"{value:.{digits}g}")


def _bound(run: Run) -> float | None:
    """The percentage of the bound that was reached."""
    fraction = run.roofline.fraction if run.roofline else None
    return None if fraction is None else 100 * fraction


def _status(run: Run) -> str:
    if run.verified == "fail":
        return "wrong result"
    words = ", ".join(filter(None, (run.status, caution(run))))
    return words if run.reason is None else f"{words}: {run.reason}"


def _words(values: Sequence[str]) -> dict[str, list[Any]]:
    """Each word once, and the place of each run's word: words repeat by the thousand."""
    places = {word: place for place, word in enumerate(dict.fromkeys(values))}
    return {"words": list(places), "rows": [places[word] for word in values]}


def _spread(intervals: Sequence[Interval | None]) -> list[list[int | None]]:
    """The distances of the intervals' ends from the values, in parts of 100,000 of the value."""

    def parts(interval: Interval | None, end: float) -> int | None:
        return None if interval is None or not interval.known else round((end / interval.value - 1.0) * 1e5)

    return [[parts(i, i.low if i else 0.0) for i in intervals], [parts(i, i.high if i else 0.0) for i in intervals]]


def chart_data(runs: Sequence[Run], usable: Sequence[Run], improvements: Improvements) -> dict[str, Any]:
    """The runs in columns, in the form that data.js reads."""
    settings = {id(run): facet.words for facet in facets(usable) for run in facet.runs}
    fields = [name for name in varying_fields(runs) if name != "layout"]
    good = [run if id(run) in settings else None for run in runs]
    times = [run.time if run else None for run in good]
    factors = [improvements.of(run) if run else None for run in good]
    names = sorted({run.strategy for run in runs} | set(LOOKS), key=strategy_rank)
    return {
        "count": len(runs),
        "words": {
            "workload": _words([run.workload for run in runs]),
            "strategy": _words([run.strategy for run in runs]),
            "variant": _words([", ".join(filter(None, (variant(run, fields), not_verified(run)))) for run in runs]),
            "block": _words([run.block_name for run in runs]),
            "setting": _words([settings.get(id(run), "") for run in runs]),
            "status": _words([_status(run) for run in runs]),
            "device": _words([run.device for run in runs]),
            "baseline": _words([improvements.baseline(run) if i else "" for run, i in zip(runs, factors)]),
        },
        "numbers": {
            "n": [run.n for run in runs],
            "ms": [_round(time.value, 5) if time else None for time in times],
            "i": [_round(i.value, 5) if i else None for i in factors],
            "gbs": [_round(run.gb_per_s, 4) if run else None for run in good],
            "bound": [_round(_bound(run), 3) if run else None for run in good],
            "wasted": [run.blocks_wasted for run in runs],
        },
        "spreads": {"ms": _spread(times), "i": _spread(factors)},
        "order": names,
        "colours": {name: look(name).colour for name in names},
    }


def advice_section(found: Sequence[Advice]) -> str:
    if not found:
        return "<p>Needs at least two strategies that ran the same workload at the same N.</p>"
    return (
        "<p>The fastest map for each workload and range of N, of those that were measured at every size of the "
        "range; a line for a single N is there where a block, tile or kernel that was tried only there is faster, "
        "or where <code>--tune</code> searched for the fastest way of each map. "
        "Maps whose times differ by less than 1 %, or whose ratio has a 95 % interval that holds 1, or none, as "
        "below 6 samples, count as equally fast. The last columns name the next map, clearly slower, and how many "
        "times as long it takes at the largest N of the range.</p>"
        + _rows(["workload", "N", "compared", "use", "next", "it takes, 95 % interval"], rows(found))
    )


def _facts(value: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """A nested object as rows of name and value: 'gpu l2_bytes', 62914560."""
    if not isinstance(value, dict):
        return [(prefix, value)]
    return [fact for name, part in value.items() for fact in _facts(part, f"{prefix} {name}".strip())]


def _and_more(words: Sequence[str], count: int) -> list[str]:
    return [*words[:count], f"and {len(words) - count} more"] if len(words) > count else list(words)


def _together(values: Sequence[Any]) -> str:
    """The values of one fact in several invocations: a single value, a range of numbers, or a list."""
    known = list({repr(value): value for value in values if value is not None}.values())
    if len(known) > 1 and all(isinstance(value, float) for value in known):
        return f"{min(known)} to {max(known)}"
    return "; ".join(_and_more([str(value) for value in known], 8)) or "–"


def environment_section(found: study.Study) -> str:
    by_device = group(found.environments, lambda one: device_of(one, "cuda" if one.get("gpu") else "cpu"))
    parts = []
    for environments in by_device.values():
        facts: dict[str, list[Any]] = {}
        for name, value in (fact for one in environments for fact in _facts(one)):
            facts.setdefault(name, []).append(value)
        parts.append(_rows(["fact", "value"], [(name, _together(values)) for name, values in facts.items()]))
    commands = [f"<code>{escape(line)}</code>" for line in found.command_lines()]
    items = "".join(f"<li>{item}</li>" for item in _and_more(commands, 20))
    differ = between({"": found.facts})
    if differ:
        parts.append("<h3>What differs</h3>" + _rows(["fact", "values"], [line.split(": ", 1) for line in differ]))
    return "".join(parts) + f"<h3>Commands</h3><ul>{items}</ul>"


@dataclass(frozen=True, slots=True)
class Image:
    name: str
    words: str
    png: bytes


def _images(material: Material, name: str) -> list[Image]:
    """A figure as images: they can be saved, and pixels stay small however many runs there are."""
    from .style import render

    return [
        Image(one.name, one.picture.words, render(one.picture.figure, "small")) for _, one in drawings(material, [name])
    ]


def figures_section(images: Iterable[Image]) -> str:
    parts = []
    for image in images:
        data = base64.b64encode(image.png).decode("ascii")
        parts.append(
            f'<figure><img alt="{escape(image.words)}" loading="lazy" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(image.name)}</figcaption></figure>"
        )
    return (
        '<p>Time and bandwidth over N are in <a href="#chart">the chart</a>; '
        "<code>tribench-report plot</code> draws them, too."
        '</p>\n<div class="gallery">' + "\n".join(parts) + "</div>"
    )


def build(found: study.Study, runs: list[Run], every: list[Run], with_figures: bool) -> str:
    """Input: runs, the usable ones; every, all that the table lists, failed ones included."""
    scripts = {"library": _library(), "script": "\n".join(map(asset, SCRIPTS))}
    if not with_figures:
        values = _values(found, runs, every)
        return filled("page", scripts, {**values, "figures": "<p>Left out.</p>"})
    from . import style  # noqa: F401  # imported once, before the workers are forked

    names = [figure.name for figure in CATALOGUE if figure.name not in IN_THE_CHART]
    with in_parallel(partial(_images, material_of(found, runs)), names) as drawn:
        values = _values(found, runs, every)
        figures = figures_section(image for images in drawn for image in images)
        return filled("page", scripts, {**values, "figures": figures})


def _values(found: study.Study, runs: list[Run], every: list[Run]) -> dict[str, str]:
    """All values of the template but scripts and figures, by their names in it."""
    improvements = Improvements(found.usable)
    return {
        "device": escape("; ".join(found.devices())),
        "origin": escape(
            f"{found.version()}, measured {found.date()}, {len(every):,} runs, {len(runs):,} of them usable"
        ),
        "warnings": "".join(f"<li>{escape(sentence)}</li>" for sentence in found.warnings),
        "advice": advice_section(advise(runs, found.searched)),
        "environment": environment_section(found),
        "data": embed(chart_data(every, runs, improvements)),
    }


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Makes one self-contained HTML page from result files; it needs no network.")
    cli.add_results(parser)
    cli.add_output(parser)
    parser.add_argument(
        "--no-figures", action="store_true", help="leave the static figures out: a smaller page, sooner"
    )
    add_filters(parser)
    options = parser.parse_args(arguments)
    found = study.read(options.results, options.unverified)
    cli.warn(PROG, found.warnings)
    every = apply_filters(found.runs, options)
    counted = set(map(id, found.usable))
    runs = [run for run in every if id(run) in counted]
    if not runs:
        raise ReportError("none of the runs in these files can be used")
    cli.write_output(options.output, build(found, runs, every, not options.no_figures))
    return 0
