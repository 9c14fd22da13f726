"""Keeps the results of one GPU in one document: each file is a part under its name, and no run beats another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tribench_report import cli
from tribench_report.documents import Json, name_of_part, read
from tribench_report.merge import dump, join

PROG = "collect"
AGAIN = "again-"


def collect(before: Sequence[str], words: Sequence[str], name: str = "") -> Json:
    """
    The parts of a collection come as FILE:*. Of two files with one name, the later one counts. Those of `words` get
    names that begin with `name`.
    """
    named = {f"{name_of_part(document.name)}.json": document for document in read(before)} if before else {}
    named |= {f"{name}{name_of_part(document.name)}.json": document for document in read(words)}
    files = dict(sorted(named.items()))
    for file, document in files.items():
        document.parts = [{**part, "file": file} for part in document.parts]
    whole = join(list(files.values()), [f"study/{PROG}"], apart=True)
    del whole["labels"]  # each part has its own
    return whole


def run(arguments: list[str]) -> int:
    parser = cli.Parser(PROG, "Puts each FILE into ALL.json.gz as the part of its name, in the place of the last one.")
    parser.add_argument("all", metavar="ALL.json.gz", help="is made if it is not there")
    parser.add_argument("--again", metavar="NAME", help="keep those of the same names: new ones begin with again-NAME")
    cli.add_results(parser)
    options = parser.parse_args(arguments)
    before = [f"{options.all}:*"] if Path(options.all).exists() else []
    name = f"{AGAIN}{options.again}-" if options.again else ""
    cli.write_output(options.all, dump(collect(before, options.results, name)))
    return 0
