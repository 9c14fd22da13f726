"""The statements of a program, and how it gets shorter: without what nothing uses, and without names for little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .values import Value


@dataclass(frozen=True)
class Let:
    name: str
    value: Value


@dataclass(frozen=True)
class While:
    test: Value
    body: list[Any]


@dataclass(frozen=True)
class Append:
    """Adds a launch, or an element, to a list where the condition holds."""

    values: list[Value]
    condition: Value


def own_values(statement: Any) -> list[Value]:
    """The values of a statement, but for those in a loop's body."""
    match statement:
        case Let(value=value):
            return [value]
        case While(test=test):
            return [test]
    return [*statement.values, statement.condition]


def used(statements: list[Any]) -> Iterator[str]:
    """Names, each as often as it is used."""
    for one in statements:
        for value in own_values(one):
            yield from value.names()
        if isinstance(one, While):
            yield from used(one.body)


def assigned(statements: list[Any]) -> Iterator[str]:
    for one in statements:
        if isinstance(one, Let):
            yield one.name
        elif isinstance(one, While):
            yield from assigned(one.body)


def appends(statements: list[Any]) -> bool:
    return any(isinstance(one, Append) or (isinstance(one, While) and appends(one.body)) for one in statements)


def needed(statements: list[Any], outside: set[str]) -> list[Any]:
    """The statements without names that nothing uses, and loops that change only such names."""
    kept: list[Any] = []
    after = set(outside)  # names that are used further down
    for one in reversed(statements):
        if isinstance(one, While):
            if not appends(one.body) and not after & set(assigned(one.body)):
                continue
            one = While(one.test, needed(one.body, after | set(one.test.names()) | set(used(one.body))))
        elif isinstance(one, Let) and one.name not in after:
            continue
        kept.append(one)
        after |= set(used([one]))
    return kept[::-1]


def pruned(statements: list[Any], results: list[Value]) -> list[Any]:
    """What the results and the lists need."""
    fewer = needed(statements, {name for one in results for name in one.names()})
    return fewer if fewer == statements else pruned(fewer, results)


def replaced(value: Value, name: str, by: Value) -> Value:
    if value.kind == "var" and value.args[0] == name:
        return by
    return Value(
        value.kind, value.type, tuple(replaced(x, name, by) if isinstance(x, Value) else x for x in value.args)
    )


def size(value: Value) -> int:
    return sum(size(one) for one in value.args if isinstance(one, Value)) or 1


def inlined(statements: list[Any], uses: Counter[str], changing: set[str]) -> list[Any]:
    """The statements without names that are used once, further down, for little: `row - 1`, or what is only copied."""
    found: list[Any] = [
        While(one.test, inlined(one.body, uses, changing)) if isinstance(one, While) else one for one in statements
    ]
    at = 0
    while at < len(found):
        user = _only_user(found, at, uses, changing)
        one = found[at]
        if user is None:
            at += 1
        else:
            let = found[user]
            found[user] = Let(let.name, replaced(let.value, one.name, one.value))
            del found[at]
    return found


def _only_user(statements: list[Any], at: int, uses: Counter[str], changing: set[str]) -> int | None:
    """Where a name's value may stand in its place."""
    one = statements[at]
    if not isinstance(one, Let) or one.name in changing or uses[one.name] != 1:
        return None
    for place, user in enumerate(statements[at + 1 :], at + 1):
        if isinstance(user, Let) and one.name in user.value.names():
            return place if user.value.kind == "var" or size(one.value) <= 2 else None
        if set(one.value.names()) & set(assigned([user])):
            return None
    return None
