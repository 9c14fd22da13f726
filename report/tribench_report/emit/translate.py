"""A map as two programs: from a block to its tile, and from n to the grids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .flatten import SINK, TAKEN, Flattener, Statement
from .headers import Source
from .values import EmitError, Value, const, var


@dataclass(frozen=True)
class Program:
    """arguments: their names; returns: a place, a grid, or a list of launches or elements that the statements fill"""

    name: str
    returns: str
    arguments: list[str]
    statements: list[Statement]
    results: list[Value]


@dataclass(frozen=True)
class Translated:
    """The programs of a map. numbers: the arguments that a launch has of its own, after n."""

    source: Source
    place: Program
    grid: Program
    table: Program | None
    numbers: list[str]

    @property
    def name(self) -> str:
        return self.place.name


def _walk(statements: list[Statement]) -> Iterator[Statement]:
    for one in statements:
        yield one
        yield from _walk(one.body)


def _is_needed(one: Statement, names: set[str]) -> bool:
    return one.kind == "append" or one.name in names or any(_is_needed(inner, names) for inner in one.body)


def _needed(statements: list[Statement], results: list[Value]) -> set[str]:
    """The names that the results and the lists need. Errors: EmitError, one is unknown"""
    names: set[str] = set().union(*(one.names() for one in results))
    before = None
    while before != names:
        before = set(names)
        for one in _walk(statements):
            if _is_needed(one, names):
                names |= set().union(*(value.names() for value in one.values))
    if missing := sorted(name for name in names if "." in name):
        raise EmitError(f"needs {missing[0]}, which is unknown here: a map depends on its block and n alone")
    return names


def _pruned(statements: list[Statement], names: set[str]) -> list[Statement]:
    return [replace(one, body=_pruned(one.body, names)) for one in statements if _is_needed(one, names)]


def _planned(source: Source, is_vector: bool) -> tuple[Flattener, Statement | None]:
    """The plan, executed; and its launch, no longer one of its statements, if there is one for every n."""
    flat = Flattener(source, is_vector)
    domain, plan = (flat.storage(source.defined[one], one) for one in ("td_domain", "td_plan"))
    for name in ("cells", "tile", "cutoff"):
        domain[name].value = var("u32", f"td_domain.{name}")  # no program may need it
    domain["tiles"].value = var("u32", "n")
    flat.inline(source.plan, [domain, plan])
    launches = [one for one in _walk(flat.out) if one.kind == "append"]
    if len(launches) == 1 and launches[0] in flat.out:
        flat.out.remove(launches[0])
        return flat, launches[0]
    return flat, None


def _place(source: Source, name: str, is_vector: bool) -> tuple[Program, list[str]]:
    """The program from a block to its tile, and the numbers that a launch gives it."""
    flat, only = _planned(source, is_vector)
    numbers = [] if only else [f"p{i}" for i in range(4)]
    if only is None:
        flat.out = []
        only = Statement("append", [*[const("u32", 1)] * 3, *(var("u32", one) for one in numbers)])
    launch = flat.storage(source.defined["td_launch"], "launch")
    grid, param = dict(zip("xyz", only.values)), dict(enumerate(only.values[3:]))
    flat.assign(launch, {"grid": grid, "param": param, "n": var("u32", "n")})
    tile = flat.inline(source.map, [launch, {axis: var("u32", axis) for axis in "xyz"}])
    order = "xyz" if source.dimension == 3 else "yz" if source.by_rows else "yx"
    results = [*(tile[axis] for axis in order), tile["active"]]
    names = _needed(flat.out, results)
    axes = [axis for i, axis in enumerate("xyz") if names & set("xyz"[i:])]
    numbers = [one for one in numbers if one in names]
    arguments = [*axes, "n", *numbers, *(["table"] if source.table else [])]
    return Program(name, "place", arguments, _pruned(flat.out, names), results), numbers


def _host(name: str, returns: str, statements: list[Statement], results: list[Value]) -> Program:
    return Program(f"{name}_{returns}", returns, ["n"], _pruned(statements, _needed(statements, results)), results)


def _grid(source: Source, name: str, numbers: list[str]) -> Program:
    flat, only = _planned(source, is_vector=False)
    if only is not None:
        return _host(name, "grid", flat.out, only.values[:3])
    for one in _walk(flat.out):
        if one.kind == "append":
            one.values = [*one.values[:3], *(one.values[3 + int(number[1:])] for number in numbers)]
    return _host(name, "launches", flat.out, [])


def _table(source: Source, name: str) -> Program:
    flat = Flattener(source, is_vector=False)
    domain = flat.storage(source.defined["td_domain"], "domain")  # all zeros: a triangle in the usual order
    flat.inline(source.table, [domain, var("u32", "n"), SINK])
    return _host(name, "table", flat.out, [])


def translate(source: Source, is_vector: bool) -> Translated:
    """Errors: EmitError, with the map's name and the reason"""
    name = source.name.replace("-", "_")
    name = f"{name}_map" if name in TAKEN else name
    try:
        place, numbers = _place(source, name, is_vector)
        table = _table(source, name) if source.table else None
        return Translated(source, place, _grid(source, name, numbers), table, numbers)
    except EmitError as problem:
        raise EmitError(f"{source.name} {problem}") from None
    except RecursionError:
        raise EmitError(f"{source.name} calls itself") from None
    except (AttributeError, KeyError, TypeError) as problem:  # of C that no map here has
        raise EmitError(f"{source.name} is written in a way that this command does not understand") from problem
