"""Values of C as expressions: types, conversions, and what can be computed while translating."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class EmitError(ValueError):
    """A map cannot be translated, with the reason."""


# The types of C that maps have, in the order in which an operation converts one operand to the other's.
TYPES = {
    "bool": "bool", "_Bool": "bool", "int": "i32", "int32_t": "i32", "unsigned": "u32", "unsigned int": "u32",
    "uint32_t": "u32", "int64_t": "i64", "long": "i64", "long long": "i64", "uint64_t": "u64", "size_t": "u64",
    "uintptr_t": "u64", "unsigned long": "u64", "unsigned long long": "u64", "float": "f32", "double": "f64",
}  # fmt: skip
RANK = ["bool", "i32", "u32", "i64", "u64", "f32", "f64"]
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


@dataclass(frozen=True)
class Value:
    """
    An expression without side effects.

    kind: const (args: a number), var (args: a name), or what is done with the values in args: an operator of C, where
    // divides whole numbers; and, or, not, neg; select (condition, two values), cast, bits (the same bits as another
    type), load (an index of the table), or the name of a function
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
    if type == "bool":
        number = bool(number)
    elif type == "f32":
        number = struct.unpack("f", struct.pack("f", number))[0]
    elif type == "f64":
        number = float(number)
    else:
        bits = int(type[1:])
        number = int(number) & ((1 << bits) - 1)
        if type[0] == "i" and number >> (bits - 1):
            number -= 1 << bits
    return Value("const", type, (number,))


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
    if type in ("float", "double"):
        return const("f32" if text[-1] in "fF" else "f64", float(text.rstrip("fF")))
    if type in ("string", "char"):
        raise EmitError(f"has a {type}, {text}")
    number = int(text.rstrip("uUlL"), 0)
    is_long = "l" in text.lower() or number >> 32 > 0
    is_unsigned = "u" in text.lower() or (number >> 31 > 0 and text.startswith("0x"))
    bits = 64 if is_long or (number >> 31 > 0 and not is_unsigned) else 32
    return const(f"{'u' if is_unsigned else 'i'}{bits}", number)


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


def select(condition: Value, yes: Value, no: Value) -> Value:
    if condition.kind == "const" or yes == no:
        return yes if condition == TRUE or yes == no else no
    if yes.type == "bool":
        return op("or", op("and", condition, yes), op("and", negated(condition), no))
    return Value("select", yes.type, (condition, yes, no))


def _divided(sign: str, a: Value, b: Value) -> Value:
    """Of signed numbers, rounded towards zero as C does, from the absolute values: Python rounds down."""
    zero, unsigned = const(a.type, 0), "u" + a.type[1:]

    def is_below(one: Value) -> Value:
        return op("<", one, zero)

    def absolute(one: Value) -> Value:
        return convert(select(is_below(one), op("-", zero, one), one), unsigned)

    result = convert(op(sign, absolute(a), absolute(b)), a.type)
    is_negative = is_below(a) if sign == "%" else op("!=", is_below(a), is_below(b))
    return select(is_negative, op("-", zero, result), result)


def binary(sign: str, a: Value, b: Value) -> Value:
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
        case "+":
            return a
        case "-" if a.type[0] == "f":
            return const(a.type, -a.args[0]) if a.kind == "const" else Value("neg", a.type, (a,))
        case "-":
            return op("-", const(a.type, 0), a)
        case "~":
            return Value("~", a.type, (a,))
    raise EmitError(f"has the operator {sign}, which this command does not know")
