#!/usr/bin/env python3
"""Checks results, json or jsonl, against the shipped JSON Schema; needs the package jsonschema."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("header", "run", "trial", "tuning", "footer")
SCHEMA = Path(__file__).resolve().parent.parent / "report" / "schema" / "tribench-2.schema.json"


def reject_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def reject_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        raise ValueError(f"an object has {', '.join(twins)} twice")
    return dict(pairs)


def parse(text: str) -> Any:
    """Stricter than json.loads: no NaN or Infinity, no member that hides another."""
    return json.loads(text, parse_constant=reject_constant, object_pairs_hook=reject_twins)


def is_line(value: Any) -> bool:
    return isinstance(value, dict) and "type" in value


def values(text: str) -> Iterator[tuple[str, str, Any]]:
    """The content of a file: each place, the definition that it must meet, and the value."""
    try:
        document = parse(text)
    except json.JSONDecodeError:
        document = None
    if document is not None and not is_line(document):
        yield "", "document", document
        return
    if not text.endswith("\n"):
        raise ValueError("the last line has no end")
    lines = text.split("\n")[:-1]
    for number, line in enumerate(lines, 1):
        try:
            value = parse(line)
        except ValueError as problem:
            raise ValueError(f"line {number}: {problem}") from None
        if number == 1 and not (is_line(value) and value["type"] == "header"):
            raise ValueError("line 1: is not a header")
        # Chosen by its type, so that the misfit is named and not just "none of the three".
        kind = value.get("type") if isinstance(value, dict) else None
        yield f"line {number}: ", f"{kind}_line" if kind in KINDS else "line", value


def deepest(misfit: Any) -> Any:
    """The most informative misfit inside a choice, which is the deepest one."""
    while misfit.context:
        misfit = max(misfit.context, key=lambda inner: len(inner.absolute_path))
    return misfit


def misfits(path: Path, schema: dict[str, Any]) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    validators = {
        name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}) for name in schema["$defs"]
    }
    try:
        for place, definition, value in values(path.read_text(encoding="utf-8")):
            for misfit in map(deepest, validators[definition].iter_errors(value)):
                where = "/".join(str(step) for step in misfit.absolute_path) or "the whole"
                yield f"{path}: {place}{where}: {misfit.message[:300]}"
    except (OSError, ValueError) as problem:
        yield f"{path}: {problem}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, epilog="Exit status: 0 all fit, 1 something does not.")
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="a result; json or jsonl is seen from it")
    parser.add_argument("--schema", type=Path, default=SCHEMA, help="default: the one of this source tree")
    options = parser.parse_args()
    schema = json.loads(options.schema.read_text(encoding="utf-8"))
    bad = [message for path in options.files for message in misfits(path, schema)]
    for message in bad[:20]:
        print(message, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
