"""Reads the headers of the maps: the functions of a strategy, and the facts in its descriptor."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pcpp
from pycparser import c_ast, c_parser

from .values import EmitError

HERE = Path(__file__).resolve().parent
# What the headers of the system define. Those are not read, so that no compiler need be there.
SYSTEM = """
typedef _Bool bool; typedef unsigned char uint8_t; typedef unsigned int uint32_t; typedef int int32_t;
typedef unsigned long uint64_t; typedef long int64_t; typedef unsigned long size_t; typedef unsigned long uintptr_t;
"""
MACROS = ["true 1", "false 0", "NULL 0", "UINT32_MAX 4294967295u", "INT32_MAX 2147483647", "UINT64_C(x) x##ul"]
MACROS += ["__attribute__(x)", "restrict"]
# What the least forms of a map of one's own leave out: see strategies/own.h.
FORMS = {
    "pair": "td_pair at = td_{0}_pair(block.x, launch->n); return td_tile_at(at.col, at.row, true);",
    "triple": "td_triple at = td_{0}_triple(block.x, launch->n); td_tile tile;"
    " tile.x = at.k; tile.y = at.j - at.k; tile.z = at.i; tile.active = true; return tile;",
    "map": "return td_{0}_map(launch, block);",
}
GRIDS = {
    "pair": "(uint32_t)td_triangle(domain->tiles), 1, 1",
    "triple": "(uint32_t)td_tetrahedron(domain->tiles), 1, 1",
    "map": "domain->tiles, domain->tiles, 1",
}
WHOLE = """
static void td_whole_plan(const td_domain *domain, td_plan *plan) { td_plan_add(plan, td_launch_over(domain, %s)); }
static td_tile td_whole_map(const td_launch *launch, td_dim3 block) { %s }
static const td_strategy td_whole = {.dimension = %d, .plan = td_whole_plan, .block_map = td_whole_map};
"""


@dataclass(frozen=True)
class Source:
    """
    A map as the headers have it.

    name: as -s has it; functions: all that the headers define; plan, map, table: names of functions, table "" unless
    the map reads one; exact_n: the largest n with a correct map, 0: not known
    """

    name: str
    functions: dict[str, c_ast.FuncDef]
    structs: dict[str, c_ast.Node]
    plan: str
    map: str
    table: str
    dimension: int
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


def _preprocessed(text: str, beside: Path) -> str:
    reader = _Preprocessor()
    reader.add_path(str(folder()))
    reader.add_path(str(beside))
    for macro in MACROS:
        reader.define(macro)
    reader.parse(text, "")
    written = io.StringIO()
    reader.write(written)
    return written.getvalue()


def _parsed(text: str, beside: Path) -> c_ast.FileAST:
    try:
        return c_parser.CParser().parse(SYSTEM + _preprocessed(text, beside))
    except c_parser.ParseError as problem:
        raise EmitError(f"cannot be read as C: {problem}") from None


def _text_of(node: c_ast.Node | None) -> str:
    """A name, a number, or the text of a string."""
    match node:
        case c_ast.ID():
            return str(node.name)
        case c_ast.Constant(type="string"):
            return str(node.value).strip('"').replace('""', "")
        case c_ast.Constant():
            return str(node.value).rstrip("uUlL")
    return ""


def _definitions(tree: c_ast.FileAST) -> tuple[dict[str, c_ast.FuncDef], dict[str, c_ast.Node], dict[str, c_ast.Node]]:
    """Functions, structs and descriptors, each by name."""
    functions, structs, descriptors = {}, {}, {}
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            functions[node.decl.name] = node
        elif isinstance(node, c_ast.Typedef):
            structs[node.name] = node.type
        elif isinstance(node, c_ast.Decl) and isinstance(node.init, c_ast.InitList):
            descriptors[node.name] = node.init
    return functions, structs, descriptors


def _described(identifier: str, name: str, tree: c_ast.FileAST) -> Source:
    functions, structs, descriptors = _definitions(tree)
    facts = {one.name[0].name: _text_of(one.expr) for one in descriptors[f"td_{identifier}"].exprs}
    if not facts.get("block_map"):
        raise EmitError(f"{name} maps threads to cells, not blocks to tiles")
    return Source(
        facts.get("name") or name, functions, structs, facts["plan"], facts["block_map"], facts.get("fill_table", ""),
        int(facts.get("dimension") or 2), int(facts.get("exact_n") or 0), facts.get("summary", ""),
        facts.get("source", ""),
    )  # fmt: skip


@cache
def _built_in() -> c_ast.FileAST:
    return _parsed('#include "strategies/strategies.h"\n', folder())


@cache
def names() -> dict[str, str]:
    """The identifier of each map of blocks, by its names."""
    found = {}
    descriptors = _definitions(_built_in())[2]
    for identifier in re.findall(r"^ +X\((\w+), A\)", (folder() / "strategies/list.h").read_text(), re.MULTILINE):
        facts = {one.name[0].name: _text_of(one.expr) for one in descriptors[f"td_{identifier}"].exprs}
        found[facts["name"]] = identifier
        if facts.get("alias"):
            found[facts["alias"]] = identifier
    return found


def built_in(name: str) -> Source:
    """Errors: EmitError, there is no map of this name, or it maps threads"""
    if name not in names():
        raise EmitError(f"unknown strategy '{name}' (known: {', '.join(names())})")
    return _described(names()[name], name, _built_in())


def own(path: Path) -> Source:
    """The map of a file in one of the forms of strategies/own.h. Errors: EmitError, OSError"""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    include = f'#include "{path.resolve()}"\n'
    if full := re.search(r"\btd_strategy\s+td_(\w+)\s*=", text):
        return _described(full[1], full[1].replace("_", "-"), _parsed(include, path.parent))
    for form in FORMS:
        if least := re.search(rf"\btd_(\w+?)_{form}\s*\(", text):
            dimension = 3 if form == "triple" else 2
            rest = WHOLE % (GRIDS[form], FORMS[form].format(least[1]), dimension)
            return _described("whole", least[1].replace("_", "-"), _parsed(include + rest, path.parent))
    raise EmitError(f"'{path}' has neither td_NAME_pair, td_NAME_triple and td_NAME_map nor a descriptor: see own.h")
