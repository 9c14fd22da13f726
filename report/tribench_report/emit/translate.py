"""A map as two programs: from a block to its tile, and from n to the grids."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .errors import EmitError
from .expressions import SINK, TAKEN, Ref
from .flatten import Flattener
from .headers import Source
from .statements import Append, While, inlined, pruned, used
from .values import Value, const, var


@dataclass(frozen=True)
class Program:
    """
    arguments: their names; changing: names that get a new value in a loop; returns: a place, a grid, a list of launches
    or of the table's elements, which the statements add to it
    """

    name: str
    returns: str
    arguments: list[str]
    statements: list[Any]
    results: list[Value]
    changing: set[str]


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
        return identifier(self.source)


def identifier(source: Source) -> str:
    """The name of a map's function."""
    name = source.name.replace("-", "_")
    return f"{name}_map" if name in TAKEN else name


def _domain(flat: Flattener) -> dict[str, Any]:
    """A domain of which only n is known. The rest is said by names that no program may need."""
    domain: dict[str, Any] = flat.storage(flat.source.structs["td_domain"], "domain")
    for name in ("cells", "tile", "cutoff"):
        domain[name].value = var("u32", f"td_domain.{name}")
    domain["tiles"].value = var("u32", "n")
    return domain


def _only_launch(flat: Flattener) -> Any:
    """Executes the plan. Returns its launch, no longer a statement, if there is one for every n; None otherwise."""
    plan = flat.storage(flat.source.structs["td_plan"], "plan")
    flat.inline(flat.source.functions[flat.source.plan], [Ref(_domain(flat)), Ref(plan)])
    if len(flat.launches) == 1 and flat.launches[0]:
        flat.out = [one for one in flat.out if not isinstance(one, Append)]
        return flat.launches[0]
    return None


def _shorter(flat: Flattener, statements: list[Any], results: list[Value]) -> list[Any]:
    kept = pruned(statements, results)
    uses = Counter(used(kept)) + Counter(name for one in results for name in one.names())
    return inlined(kept, uses, flat.changing)


def _names(statements: list[Any], results: list[Value]) -> set[str]:
    names = set(used(statements)) | {name for one in results for name in one.names()}
    if missing := [name for name in names if "." in name]:
        raise EmitError(f"needs {missing[0]}, which is unknown here: a map depends on its block and n alone")
    return names


def _place(source: Source, is_vector: bool) -> tuple[Program, list[str]]:
    """The program from a block to its tile, and the numbers that a launch gives it."""
    flat = Flattener(source, is_vector)
    flat.names |= {*"xyzn", "p0", "p1", "p2", "p3"}
    launch = _only_launch(flat)
    numbers = [] if launch else [f"p{i}" for i in range(4)]
    if launch is None:
        flat.out = []
        launch = flat.new_launch([const("u32", 1)] * 3)
        launch["param"] = {i: var("u32", one) for i, one in enumerate(numbers)}
    launch["n"] = var("u32", "n")
    block = {axis: var("u32", axis) for axis in "xyz"}
    tile = flat.inline(source.functions[source.map], [Ref(_stored(flat, launch)), block])
    first = [tile["x"], tile["y"], tile["z"]] if source.dimension == 3 else [tile["y"], tile["x"]]
    results = [*first, tile["active"]]
    statements = _shorter(flat, flat.out, results)
    names = _names(statements, results)
    axes = [axis for i, axis in enumerate("xyz") if names & set("xyz"[i:])]
    numbers = [one for one in numbers if one in names]
    arguments = [*axes, "n", *numbers, *(["table"] if source.table else [])]
    return Program(identifier(source), "place", arguments, statements, results, flat.changing), numbers


def _stored(flat: Flattener, launch: dict[str, Any]) -> Any:
    """Variables with the values of a launch."""
    place = flat.storage(flat.source.structs["td_launch"], "launch")
    flat.assign(place, launch, is_new=True)
    return place


def _grid(source: Source, numbers: list[str]) -> Program:
    flat = Flattener(source, is_vector=False)
    flat.names |= {"n"}
    launch = _only_launch(flat)
    name = identifier(source)
    if launch is not None:
        results = [launch["grid"][axis] for axis in "xyz"]
        statements = _shorter(flat, flat.out, results)
        _names(statements, results)
        return Program(f"{name}_grid", "grid", ["n"], statements, results, flat.changing)
    kept = [0, 1, 2, *(3 + int(one[1:]) for one in numbers)]
    statements = _shorter(flat, _with_values(flat.out, kept), [])
    _names(statements, [])
    return Program(f"{name}_launches", "launches", ["n"], statements, [], flat.changing)


def _with_values(statements: list[Any], kept: list[int]) -> list[Any]:
    """The statements with these values of each launch."""
    found = []
    for one in statements:
        if isinstance(one, Append):
            one = Append([one.values[i] for i in kept], one.condition)
        elif isinstance(one, While):
            one = While(one.test, _with_values(one.body, kept))
        found.append(one)
    return found


def _table(source: Source) -> Program | None:
    if not source.table:
        return None
    flat = Flattener(source, is_vector=False)
    flat.names |= {"n"}
    flat.inline(source.functions[source.table], [SINK, var("u32", "n")])
    statements = _shorter(flat, flat.out, [])
    return Program(f"{identifier(source)}_table", "table", ["n"], statements, [], flat.changing)


def translate(source: Source, is_vector: bool) -> Translated:
    """Errors: EmitError, with the map's name and the reason"""
    try:
        place, numbers = _place(source, is_vector)
        return Translated(source, place, _grid(source, numbers), _table(source), numbers)
    except EmitError as problem:
        raise EmitError(f"{source.name} {problem}") from None
    except (AttributeError, KeyError, TypeError) as problem:  # of C that no map here has
        raise EmitError(f"{source.name} is written in a way that this command does not understand") from problem
