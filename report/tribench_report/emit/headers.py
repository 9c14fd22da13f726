"""Reads the headers of the maps: the functions of a strategy, and the facts in its descriptor."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pcpp
from pycparser import c_ast, c_parser

from .values import EmitError, const

HERE = Path(__file__).resolve().parent
# What the headers of the system define. Those are not read, so that no compiler need be there.
SYSTEM = """
typedef _Bool bool; typedef unsigned char uint8_t; typedef unsigned int uint32_t; typedef int int32_t;
typedef unsigned long uint64_t; typedef long int64_t; typedef unsigned long size_t; typedef unsigned long uintptr_t;
"""
MACROS = ["true 1", "false 0", "NULL 0", "UINT32_MAX 4294967295u", "INT32_MAX 2147483647", "UINT64_C(x) x##ul"]
MACROS += ["__attribute__(x)", "restrict"]
# How strategies/own_forms.h is told of each of the least forms of a map of one's own, which it completes.
LEAST = {"pair": "TD_OWN_PAIR", "triple": "TD_OWN_TRIPLE", "map": "TD_OWN_BOX"}


@dataclass(frozen=True)
class Source:
    """
    A map as the headers have it.

    name: as -s has it; defined: functions, types and descriptors of the headers, by name; plan, map, table: functions,
    table "" unless the map reads one; by_rows: a block takes whole rows of tiles; exact_n: the largest n with a correct
    map, 0: not known
    """

    name: str
    defined: dict[str, Any]
    plan: str
    map: str
    table: str
    dimension: int
    by_rows: bool
    exact_n: int
    summary: str
    source: str


def folder() -> Path:
    """The folder that holds strategies/: in a source tree, or where `make install` puts it."""
    for place in (HERE.parents[2], HERE.parents[4] / "include/tribench/kernel"):
        if (place / "strategies/list.h").exists():
            return place
    raise EmitError(f"the headers of tribench are not near {HERE}: install it whole")


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]
    def on_include_not_found(self, is_malformed: bool, is_system: bool, includer: str, name: str) -> None:
        if not is_system:
            raise EmitError(f"there is no file '{name}', which '{includer}' includes")
        raise pcpp.OutputDirective(pcpp.Action.IgnoreAndRemove)

    def on_error(self, file: str, line: int, message: str) -> None:
        raise EmitError(f"{file}:{line}: {message}")


def _defined(text: str, beside: Path) -> dict[str, Any]:
    """Functions, types and descriptors, each by name."""
    reader, written = _Preprocessor(), io.StringIO()
    reader.add_path(str(folder()))
    reader.add_path(str(beside))
    for macro in MACROS:
        reader.define(macro)
    reader.parse(text, "")
    reader.write(written)
    try:
        tree = c_parser.CParser().parse(SYSTEM + written.getvalue())
    except c_parser.ParseError as problem:
        raise EmitError(f"cannot be read as C: {problem}") from None
    functions = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
    others = {node.name: getattr(node, "init", None) or node.type for node in tree.ext if hasattr(node, "name")}
    types = [one.type.type for one in tree.ext if isinstance(one, c_ast.Typedef) and hasattr(one.type, "type")]
    words = [one.values.enumerators for one in types if isinstance(one, c_ast.Enum)]
    return others | functions | {word.name: const("u32", i) for one in words for i, word in enumerate(one)}


def _facts(descriptor: c_ast.InitList) -> dict[str, str]:
    """The members of a descriptor that are a name, a number or a string."""
    values = {one.name[0].name: one.expr for one in descriptor.exprs}
    found = {key: getattr(one, "name", getattr(one, "value", "")) for key, one in values.items()}
    return {key: text.strip('"') for key, text in found.items() if isinstance(text, str)}


def _described(identifier: str, name: str, defined: dict[str, Any]) -> Source:
    facts = _facts(defined[f"td_{identifier}"])
    if not facts.get("block_map"):
        raise EmitError(f"{name} maps threads to cells, not blocks to tiles")
    return Source(
        facts.get("name", name), defined, facts["plan"], facts["block_map"], facts.get("fill_table", ""),
        3 if facts.get("dimension") == "3" else 2, "by_rows" in facts, int(facts.get("exact_n", "0").rstrip("uUlL")),
        facts.get("summary", ""), facts.get("source", ""),
    )  # fmt: skip


@cache
def _built_in() -> dict[str, Any]:
    return _defined('#include "strategies/strategies.h"\n', folder())


@cache
def names() -> dict[str, str]:
    """The identifier of each map of blocks, by its names."""
    found: dict[str, str] = {}
    for identifier in re.findall(r"^ +X\((\w+), A\)", (folder() / "strategies/list.h").read_text(), re.MULTILINE):
        facts = _facts(_built_in()[f"td_{identifier}"])
        found |= {facts[one]: identifier for one in ("name", "alias") if facts.get(one)}
    return found


def read(name: str) -> Source:
    """The map of a name of `names()`, or of a file, whose name has a dot or a slash. Errors: EmitError, OSError"""
    if "/" in name or "." in name:
        return _own(Path(name))
    if name not in names():
        raise EmitError(f"unknown strategy '{name}' (known: {', '.join(names())})")
    return _described(names()[name], name, _built_in())


def _own(path: Path) -> Source:
    """The map of a file in one of the forms of strategies/own.h."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    include = f'#include "{path.resolve()}"\n'
    if full := re.search(r"\btd_strategy\s+td_(\w+)\s*=", text):
        return _described(full[1], full[1].replace("_", "-"), _defined(include, path.parent))
    for form, macro in LEAST.items():
        if least := re.search(rf"\btd_(\w+?)_{form}\s*\(", text):
            rest = f'#define {macro} td_{least[1]}_{form}\n#include "strategies/own_forms.h"\n'
            source = _described("mine", least[1].replace("_", "-"), _defined(include + rest, path.parent))
            return replace(source, dimension=3 if form == "triple" else 2)
    raise EmitError(f"'{path}' has neither td_NAME_pair, td_NAME_triple and td_NAME_map nor a descriptor: see own.h")
