"""Values of C as expressions: types, conversions, and what can be computed while translating."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class EmitError(ValueError):
    """A map cannot be translated, with the reason."""


# The types of C that maps have.
TYPES = {
    "bool": "bool", "_Bool": "bool", "int": "i32", "int32_t": "i32", "unsigned": "u32", "unsigned int": "u32",
    "uint32_t": "u32", "int64_t": "i64", "long": "i64", "long long": "i64", "uint64_t": "u64", "size_t": "u64",
    "uintptr_t": "u64", "unsigned long": "u64", "unsigned long long": "u64", "float": "f32", "double": "f64",
}  # fmt: skip
# What Python has for them, in the order in which an operation converts one operand to the other's.
STORED: dict[str, Any] = {
    "bool": ctypes.c_bool, "i32": ctypes.c_int32, "u32": ctypes.c_uint32, "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64, "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip
RANK = list(STORED)
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


@dataclass(frozen=True)
class Value:
    """
    An expression without side effects.

    kind: const (args: a number), var (args: a name), or what is done with the values in args: an operator of C, where
    // divides whole numbers; and, or, not, neg, invert; select (condition, two values), cast, bits (the same bits as
    another type), load (an index of the table), or the name of a function
    """

    kind: str
    type: str
    args: tuple[Any, ...]

    @property
    def is_atom(self) -> bool:
        return self.kind in ("const", "var")

    @property
    def is_short(self) -> bool:
        """Whether it needs no name: `row - 1`."""
        return self.is_atom or (self.kind in (*FOLDED, "cast") and all(one.is_atom for one in self.args))

    def names(self) -> set[str]:
        if self.is_atom:
            return set(self.args) if self.kind == "var" else set()
        return {name for one in self.args for name in one.names()}


def const(type: str, number: Any) -> Value:
    """A number as C stores it in this type."""
    return Value("const", type, (STORED[type](number if type[0] in "bf" else int(number)).value,))


def var(type: str, name: str) -> Value:
    return Value("var", type, (name,))


TRUE, FALSE = const("bool", True), const("bool", False)


def convert(value: Value, type: str) -> Value:
    if value.type == type:
        return value
    if type == "bool":
        return op("!=", value, const(value.type, 0))
    if value.kind == "const":
        return const(type, value.args[0])
    return Value("cast", type, (value,))


def literal(text: str, type: str) -> Value:
    """A number as it is written in C."""
    kind = TYPES.get(type.removesuffix(" int"))
    if kind is None:
        raise EmitError(f"has a {type}, {text}")
    if kind[0] == "f":
        return const(kind, float(text.rstrip("fF")))
    number = int(text.rstrip("uUlL"), 0)
    if kind == "i32" and number >> 31:
        kind = "i64" if number >> 32 or not text.startswith("0x") else "u32"
    return const("u64" if kind == "u32" and number >> 32 else kind, number)


FOLDED: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "//": lambda a, b: a // b if b else 0, "and": lambda a, b: a and b, "or": lambda a, b: a or b,
}  # fmt: skip


def op(sign: str, a: Value, b: Value) -> Value:
    """An operation on two values of one type; the right side of a shift may have another."""
    type = "bool" if sign in COMPARISONS else a.type
    if a.kind == b.kind == "const" and a.type[0] != "f" and sign in FOLDED:
        return const(type, FOLDED[sign](a.args[0], b.args[0]))
    if sign in ("and", "or"):
        for one, other in ((a, b), (b, a)):
            if one.kind == "const":
                return other if one.args[0] == (sign == "and") else one
    return Value(sign, type, (a, b))


def negated(value: Value) -> Value:
    """Not, of a bool."""
    if value.kind == "const":
        return const("bool", not value.args[0])
    return value.args[0] if value.kind == "not" else Value("not", "bool", (value,))


def choose(condition: Value, yes: Any, no: Any) -> Any:
    """One of two values of C, or of two structs."""
    if isinstance(yes, dict):
        return {key: choose(condition, one, no[key]) for key, one in yes.items()}
    type = yes.type if yes.type == no.type else binary("+", yes, no).type
    yes, no = convert(yes, type), convert(no, type)
    if condition.kind == "const" or yes == no:
        return yes if condition == TRUE else no
    if type == "bool":
        return op("or", op("and", condition, yes), op("and", negated(condition), no))
    return Value("select", type, (condition, yes, no))


def _divided(sign: str, a: Value, b: Value) -> Any:
    """Of signed numbers, rounded towards zero as C does, from the absolute values: Python rounds down."""
    zero, unsigned = const(a.type, 0), "u" + a.type[1:]

    def is_below(one: Value) -> Value:
        return op("<", one, zero)

    def absolute(one: Value) -> Value:
        return convert(choose(is_below(one), op("-", zero, one), one), unsigned)

    result = convert(op(sign, absolute(a), absolute(b)), a.type)
    is_negative = is_below(a) if sign == "%" else op("!=", is_below(a), is_below(b))
    return choose(is_negative, op("-", zero, result), result)


def binary(sign: str, a: Value, b: Value) -> Any:
    """An operation as in C, with its conversions."""
    if sign in ("&&", "||"):
        return op("and" if sign == "&&" else "or", convert(a, "bool"), convert(b, "bool"))
    a, b = (convert(one, "i32") if one.type == "bool" else one for one in (a, b))
    if sign in ("<<", ">>"):
        return op(sign, a, convert(b, a.type))
    type = max(a.type, b.type, key=RANK.index)
    a, b = convert(a, type), convert(b, type)
    if sign == "/" and type[0] != "f":
        sign = "//"
    return _divided(sign, a, b) if sign in ("//", "%") and type[0] == "i" else op(sign, a, b)


def unary(sign: str, a: Value) -> Value:
    """An operation as in C, with its conversions."""
    if sign == "!":
        return negated(convert(a, "bool"))
    a = convert(a, "i32") if a.type == "bool" else a
    match sign:
        case "-" if a.type[0] == "f":
            return const(a.type, -a.args[0]) if a.kind == "const" else Value("neg", a.type, (a,))
        case "-":
            return op("-", const(a.type, 0), a)
        case "~":
            return Value("invert", a.type, (a,))
    raise EmitError(f"has the operator {sign}, which this command does not know")
