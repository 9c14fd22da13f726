"""Draws every figure that the data allows."""

from __future__ import annotations

from pathlib import Path

from . import cli
from .errors import ReportError, UsageError
from .groups import add_filters, chosen

PROG = "plot"
FORMATS = ("png", "svg", "pdf")


def render(svg: str, form: str, dpi: float = 150.0) -> bytes:
    """The picture as png, svg or pdf."""
    import vl_convert

    if form == "svg":
        return svg.encode("utf-8")
    return bytes(vl_convert.svg_to_png(svg, ppi=dpi) if form == "png" else vl_convert.svg_to_pdf(svg))


def run(arguments: list[str]) -> int:
    parser = cli.Parser(
        PROG,
        "Draws figures from result files; each figure only when its data is there.",
        "Prints the name of every file that it writes. Figures whose runs differ in device, engine, block, layout\n"
        "or cache state get one file for each, with a suffix that says which.",
    )
    parser.add_argument("results", nargs="*", metavar="FILE|DIRECTORY")
    parser.add_argument("-o", "--out", default=".", metavar="DIR", help="where the figures go (default: here)")
    parser.add_argument("--figure", metavar="LIST", help="only these figures (default: all)")
    parser.add_argument("--format", default="png,svg", metavar="LIST", help="png, svg, pdf (default: png,svg)")
    parser.add_argument(
        "--style", choices=("screen", "paper"), default="screen",
        help="paper: no title, the width of --width, and the caption in a file .txt beside",
    )  # fmt: skip
    parser.add_argument(
        "--width", type=cli.number("inches in 2..20", 2.0, 20.0), metavar="INCHES",
        help="of --style paper: 2 to 20 (default: 7, the width of a page; a column has 3.4)",
    )  # fmt: skip
    dpi = cli.number("dots per inch in 30..1200", 30.0, 1200.0)
    parser.add_argument("--dpi", type=dpi, default=150.0, help="dots per inch of png (default: 150)")
    parser.add_argument("--list", action="store_true", help="list the figures and exit")
    add_filters(parser)
    options = parser.parse_args(arguments)
    if not options.results and not options.list:
        raise UsageError("expected at least one result file")
    if options.width is not None and options.style != "paper":
        raise UsageError("--width goes with --style paper")
    formats = cli.known_words("format", options.format, FORMATS)

    import vl_convert  # here, as --help need not wait for it

    from .charts import CATALOGUE, figures

    if options.list:
        for name, (about, *_) in CATALOGUE.items():
            print(f"{name:<12} {about}")
        return 0
    names = cli.known_words("figure", options.figure or ",".join(CATALOGUE), list(CATALOGUE))
    found, runs = chosen(PROG, options)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    width = (options.width or 7.0) if options.style == "paper" else None
    missing = []
    for name in names:
        drawn = list(figures(name, runs, found, width))
        for figure in drawn:
            try:
                svg = vl_convert.vegalite_to_svg(figure.finished(width is None).to_dict())
            except ValueError as problem:  # thousands of lines in one figure
                reason = str(problem).strip().splitlines()[0]
                raise ReportError(f"{figure.name} cannot be drawn, select fewer runs: {reason}") from None
            contents: dict[str, str | bytes] = {form: render(svg, form, options.dpi) for form in formats}
            contents |= {"txt": f"{figure.title}. {figure.caption}.\n"} if width else {}
            for form, content in contents.items():
                cli.write_whole(out / f"{figure.name}.{form}", content)
                print(out / f"{figure.name}.{form}", flush=True)
        if not drawn:
            missing.append(name)
    if options.figure and missing:
        raise ReportError(f"the data for {', '.join(missing)} is not in these files")
    if missing == names:
        raise ReportError("no figure can be drawn from these files")
    return 0
