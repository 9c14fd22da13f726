"""How each language says a program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .statements import Append, Let, While
from .translate import Program, Translated
from .values import TRUE, Value

PLAIN_TEXT = re.compile(r"[\w.]+")


def _is_call(text: str) -> bool:
    """Whether a text is one call, or one element of an array."""
    depth, start = 0, re.match(r"[\w.]+(?=[(\[])", text)
    for at, letter in enumerate(text if start else ""):
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in ")]":
            return at == len(text) - 1
    return False


class Python:
    """Plain Python on whole numbers, for grids. Other languages differ in some of these words."""

    indent, header = "    ", ""
    words = {"true": "True", "false": "False", "while": "while {}:", "end": ""}
    choice, negation = "{1} if {0} else {2}", "not {}"
    loaded, bits = "table[{0}]", ""
    functions = {
        "sqrt": "math.sqrt({0})", "floor": "math.floor({0})", "ceil": "math.ceil({0})", "fmax": "max({0}, {1})",
        "fmin": "min({0}, {1})", "pow": "{0} ** {1}", "td_log2_floor": "{0}.bit_length() - 1",
    }  # fmt: skip

    def cast(self, value: Value, type: str) -> str:
        text = self.nested(value)
        if type[0] == "f":
            return text
        if value.type[0] == "f" or value.type == "bool":
            return f"int({self.text(value)})"
        is_wider = value.type[0] == "u" and int(value.type[1:]) <= int(type[1:])
        return text if is_wider else f"{text} & {(1 << int(type[1:])) - 1:#x}"

    def number(self, value: Value) -> str:
        number = value.args[0]
        return self.words["true" if number else "false"] if value.type == "bool" else repr(number)

    def result(self, value: Value, text: str) -> str:
        """The text of an operation, made the type's."""
        return text

    def operation(self, value: Value) -> str:
        operator, a, b = value.args
        operator = "//" if operator == "/" and value.type[0] != "f" else operator
        return self.result(value, f"{self.side(a)} {self.words.get(operator, operator)} {self.side(b)}")

    def side(self, value: Value) -> str:
        return self.nested(value)

    def text(self, value: Value) -> str:
        arguments = [one for one in value.args if isinstance(one, Value)]
        match value.kind:
            case "const":
                return self.number(value)
            case "var":
                return str(value.args[0])
            case "op":
                return self.operation(value)
            case "cast":
                return self.cast(arguments[0], value.type)
            case "bits":
                return self.bits.format(self.nested(arguments[0]), self.type_name(value.type))
            case "select":
                return self.choice.format(*map(self.nested, arguments), self.type_name(value.type))
            case "call":
                return self.result(value, self.called(value.args[0], *map(self.nested, arguments)))
            case "load":
                return self.loaded.format(self.nested(arguments[0]))
            case "not":
                return self.negation.format(self.nested(arguments[0]))
            case "invert":
                return self.result(value, f"~{self.nested(arguments[0])}")
        return self.result(value, f"-{self.nested(arguments[0])}")

    def called(self, name: str, *arguments: str) -> str:
        """Most functions have the same words for float32, where C has an f at the end, and for float64."""
        return (self.functions.get(name) or self.functions[name.removesuffix("f")]).format(*arguments)

    def nested(self, value: Value) -> str:
        """The text as an operand."""
        text = self.text(value)
        return text if PLAIN_TEXT.fullmatch(text) or _is_call(text) else f"({text})"

    def type_name(self, type: str) -> str:
        names = {"bool": "bool", "f32": "float32", "f64": "float64"}
        return names.get(type) or f"{'u' if type[0] == 'u' else ''}int{type[1:]}"

    # ---- statements

    def lines(self, statements: list[Any], depth: int) -> Iterator[str]:
        before = self.indent * depth
        for one in statements:
            if isinstance(one, Let):
                yield f"{before}{one.name} = {self.text(one.value)}"
            elif isinstance(one, While):
                yield before + self.words["while"].format(self.text(one.test))
                yield from self.lines(one.body, depth + 1)
                if self.words["end"]:
                    yield before + self.words["end"]
            else:
                yield from (before + line for line in self.appended(one))

    def appended(self, one: Append) -> list[str]:
        values = [self.text(value) for value in one.values]
        numbers = f"{values[3]}," if len(values) == 4 else ", ".join(values[3:])
        what = values[0] if len(values) == 1 else f"(({', '.join(values[:3])}), ({numbers}))"
        line = f"found.append({what})"
        return [line] if one.condition == TRUE else [f"if {self.text(one.condition)}:", f"{self.indent}{line}"]

    def listed(self, program: Program, about: list[str]) -> Iterator[str]:
        """A function of the host: the grid, the launches or the table of a map."""
        yield from ("", "", f"def {program.name}(n):", *_quoted(about))
        if program.returns != "grid":
            yield "    found = []"
        yield from PLAIN.lines(program.statements, 1)
        values = ", ".join(PLAIN.text(one) for one in program.results)
        yield f"    return {values}" if program.returns == "grid" else "    return found"


PLAIN = Python()


def _quoted(about: list[str]) -> list[str]:
    if len(about) == 1:
        return [f'    """{about[0]}"""']
    return ['    """', *(f"    {line}".rstrip() for line in about), '    """']


class Scripted(Python):
    """Languages that are Python with numbers of C."""

    decorator = ""
    converted = "{1}({0})"
    constant = "{1}({0})"
    as_result = "{}"

    def number(self, value: Value) -> str:
        number = super().number(value)
        return number if value.type == "bool" else self.constant.format(number, self.type_name(value.type))

    def cast(self, value: Value, type: str) -> str:
        return self.converted.format(self.text(value), self.type_name(type), self.nested(value))

    def first(self, name: str) -> str:
        """What gives an argument its type."""
        return self.converted.format(name, "uint32", name)

    def function(self, map: Translated, about: list[str]) -> Iterator[str]:
        program = map.place
        yield from ("", "")
        if self.decorator:
            yield self.decorator
        yield from (f"def {program.name}({', '.join(program.arguments)}):", *_quoted(about))
        for name in program.arguments:
            if name != "table":
                yield f"    {name} = {self.first(name)}"
        yield from self.lines(program.statements, 1)
        yield f"    return {self.as_result.format(', '.join(self.text(one) for one in program.results))}"


class Numpy(Scripted):
    header = (
        "import math\n\nimport numpy as np\nfrom numpy import float32, float64, int32, int64, uint32, uint64\n\n\n"
        "def _fma(a, b, c):\n"
        '    """a b + c: in float64, where the product is exact, and rounded to float32 at the end."""\n'
        "    return (float64(a) * float64(b) + float64(c)).astype(float32)\n"
    )
    decorator = '@np.errstate(all="ignore")'
    words = {"and": "&", "or": "|", "true": "np.True_", "false": "np.False_", "while": "while np.any({}):", "end": ""}
    choice, negation, converted = "np.where({0}, {1}, {2})", "~{}", "{2}.astype({1})"
    bits, loaded = "{0}.view({1})", "np.asarray(table, uint32)[{0}]"
    as_result = "tuple(np.broadcast_arrays({}))"
    functions = {
        "sqrt": "np.sqrt({0})", "cbrt": "np.cbrt({0})", "td_cbrt": "np.cbrt({0})", "floor": "np.floor({0})",
        "ceil": "np.ceil({0})", "fmax": "np.fmax({0}, {1})", "fmin": "np.fmin({0}, {1})", "pow": "np.power({0}, {1})",
        "fma": "_fma({0}, {1}, {2})", "td_rsqrt": "float64(1) / np.sqrt({0})",
        "td_rsqrtf": "(float64(1) / np.sqrt(float64({0}))).astype(float32)",
        "td_log2_floor": "(np.frexp(float64({0}))[1] - 1).astype(uint32)",
    }  # fmt: skip

    def first(self, name: str) -> str:
        return f"np.asarray({name}).astype(uint32)"


class Triton(Scripted):
    header = "import math\n\nimport triton\nimport triton.language as tl\n"
    decorator = "@triton.jit"
    words = {**Python.words, "and": "&", "or": "|", "true": "tl.cast(1, tl.int1)", "false": "tl.cast(0, tl.int1)"}
    choice, negation, converted = "tl.where({0}, {1}, {2})", "({} == 0)", "tl.cast({0}, tl.{1})"
    constant, bits = "tl.cast({0}, tl.{1})", "{0}.to(tl.{1}, bitcast=True)"
    loaded = "tl.cast(tl.load(table + {0}), tl.uint32)"
    functions = {
        "sqrtf": "tl.sqrt_rn({0})", "sqrt": "tl.sqrt({0})", "cbrt": "tl.exp2(tl.log2({0}) * 0.33333333333333333)",
        "td_cbrt": "tl.exp2(tl.log2({0}) * 0.33333333333333333)", "floor": "tl.floor({0})", "ceil": "tl.ceil({0})",
        "fmax": "tl.maximum({0}, {1})", "fmin": "tl.minimum({0}, {1})", "pow": "tl.exp2(tl.log2({0}) * {1})",
        "fma": "tl.fma({0}, {1}, {2})", "td_rsqrt": "tl.rsqrt({0})",
        # the exponent of a float; without its second bit the number is not rounded up to the next power of two
        "td_log2_floor": "((({0} & ~({0} >> 1)).to(tl.float32).to(tl.uint32, bitcast=True) >> 23) - 127)",
    }  # fmt: skip

    def side(self, value: Value) -> str:
        """A plain number takes the other operand's type."""
        return repr(value.args[0]) if value.kind == "const" and value.type != "bool" else self.nested(value)

    def type_name(self, type: str) -> str:
        return "int1" if type == "bool" else super().type_name(type)


class Numba(Scripted):
    header = (
        "import math\n\nimport numpy as np\nfrom numba import cuda, float32, float64, int32, int64, uint32, uint64\n"
    )
    decorator = "@cuda.jit(device=True)"
    bits, loaded = "{0}.view(np.{1})", "uint32(table[{0}])"
    functions = {
        "sqrt": "math.sqrt({0})", "cbrt": "cuda.cbrt({0})", "td_cbrt": "cuda.cbrt({0})", "floor": "math.floor({0})",
        "ceil": "math.ceil({0})", "fmax": "max({0}, {1})", "fmin": "min({0}, {1})", "pow": "math.pow({0}, {1})",
        "fma": "cuda.fma({0}, {1}, {2})", "td_rsqrtf": "float32(1) / float32(math.sqrt({0}))",
        "td_rsqrt": "1.0 / math.sqrt({0})", "td_log2_floor": "31 - cuda.clz({0})",
    }  # fmt: skip

    def result(self, value: Value, text: str) -> str:
        """numba computes in 64 bits."""
        return text if value.type in ("bool", "f64") else f"{self.type_name(value.type)}({text})"


class Cute(Scripted):
    header = (
        "import math\n\nimport cutlass\nimport cutlass.cute as cute\n"
        "from cutlass import Boolean, Float32, Float64, Int32, Int64, Uint32, Uint64\n"
    )
    decorator = "@cute.jit"
    words = {**Python.words, "and": "&", "or": "|", "true": "Boolean(True)", "false": "Boolean(False)"}
    choice, negation, bits = "{3}(cutlass.select_({0}, {1}, {2}))", "({} == Boolean(False))", "{0}.bitcast({1})"
    loaded = "Uint32(table[{0}])"
    functions = {
        "sqrt": "cute.math.sqrt({0})", "cbrt": "cute.math.cbrt({0})", "td_cbrt": "cute.math.cbrt({0})",
        "floor": "cute.math.floor({0})", "ceil": "cute.math.ceil({0})", "fmax": "cute.math.max({0}, {1})",
        "fmin": "cute.math.min({0}, {1})", "pow": "cute.math.pow({0}, {1})", "fma": "cute.math.fma({0}, {1}, {2})",
        "td_rsqrt": "cute.math.rsqrt({0})", "td_log2_floor": "Uint32(31) - Uint32(cute.arch.clz({0}))",
    }  # fmt: skip

    def type_name(self, type: str) -> str:
        return {"bool": "Boolean"}.get(type) or super().type_name(type).capitalize()

    def first(self, name: str) -> str:
        return f"Uint32({name})"


class Cuda(Python):
    """One text for nvcc, NVRTC and hipcc, which includes nothing."""

    words = {"and": "&&", "or": "||", "//": "/", "true": "true", "false": "false", "while": "while ({}) {{", "end": "}"}
    choice, negation, loaded = "{0} ? {1} : {2}", "!{}", "table[{0}]"
    names = {"bool": "bool", "i32": "int", "u32": "unsigned", "i64": "long long", "u64": "unsigned long long"}
    functions = {
        "sqrtf": "__fsqrt_rn({0})", "td_rsqrtf": "rsqrtf({0})", "td_rsqrt": "rsqrt({0})",
        "td_cbrtf": "exp2f(__log2f({0}) * (1.0f / 3.0f))", "td_log2_floor": "31u - (unsigned)__clz((int)({0}))",
    }  # fmt: skip

    def __init__(self, changing: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        self.changing, self.declared = changing, set[str]()

    def type_name(self, type: str) -> str:
        return self.names.get(type) or {"f32": "float", "f64": "double"}[type]

    def number(self, value: Value) -> str:
        if value.type == "bool":
            return super().number(value)
        suffix = {"u32": "u", "i64": "ll", "u64": "ull", "f32": "f"}.get(value.type, "")
        return f"{value.args[0]!r}{suffix}"

    def cast(self, value: Value, type: str) -> str:
        return f"({self.type_name(type)}){self.nested(value)}"

    def called(self, name: str, *arguments: str) -> str:
        return self.functions.get(name, f"{name}({', '.join(arguments)})").format(*arguments)

    def text(self, value: Value) -> str:
        if value.kind == "bits":
            word = "__float_as_uint" if value.type == "u32" else "__uint_as_float"
            return f"{word}({self.text(value.args[0])})"
        return super().text(value)

    def lines(self, statements: list[Any], depth: int) -> Iterator[str]:
        before = self.indent * depth
        for one in statements:
            if isinstance(one, Let):
                kind = "" if one.name in self.declared else f"{self.type_name(one.value.type)} "
                constant = "" if one.name in self.changing else "const "
                self.declared.add(one.name)
                yield f"{before}{constant}{kind}{one.name} = {self.text(one.value)};"
            else:
                yield from super().lines([one], depth)

    def appended(self, one: Append) -> list[str]:
        values = [self.text(value) for value in one.values]
        if len(values) == 1:
            return [f"*found++ = {values[0]};"]
        lines = [f"found[count][{i}] = {value};" for i, value in enumerate(values)]
        lines = ["if (found) {", *(self.indent + line for line in lines), "}", "count++;"]
        return lines if one.condition == TRUE else [f"if ({self.text(one.condition)}) {{", *lines, "}"]


def _block(name: str, head: str, about: list[str], body: Iterator[str]) -> Iterator[str]:
    yield from ("", "/*", *(f" * {line}".rstrip() for line in about), " */", head, "{", *body, "}")


class CudaText(Cuda):
    """The functions of a map in CUDA."""

    header = ""

    def function(self, map: Translated, about: list[str]) -> Iterator[str]:
        program, is_3d = map.place, map.source.dimension == 3
        writer = Cuda(program.changing)
        outputs = ["tile_x", "tile_y", "tile_z"] if is_3d else ["tile_row", "tile_col"]
        head = [f"unsigned {name}" for name in program.arguments if name != "table"]
        head += ["const unsigned *table"] * ("table" in program.arguments) + [f"unsigned *{name}" for name in outputs]

        def body() -> Iterator[str]:
            yield from writer.lines(program.statements, 1)
            for name, value in zip(outputs, program.results):
                yield f"    *{name} = {writer.text(value)};"
            yield f"    return {writer.text(program.results[-1])};"

        yield from _block(map.name, f"__device__ inline bool {program.name}({', '.join(head)})", about, body())

    def listed(self, program: Program, about: list[str]) -> Iterator[str]:
        writer = Cuda(program.changing)
        writer.functions = {**Cuda.functions, "td_log2_floor": "(unsigned)log2((double){0})"}  # the host has no __clz
        kinds = {
            "grid": ("void", "unsigned grid[3]"),
            "launches": ("unsigned", "unsigned (*found)[7]"),
            "table": ("void", "unsigned *found"),
        }
        kind, argument = kinds[program.returns]

        def body() -> Iterator[str]:
            if program.returns == "launches":
                yield "    unsigned count = 0;"
            yield from writer.lines(program.statements, 1)
            for i, value in enumerate(program.results):
                yield f"    grid[{i}] = {writer.text(value)};"
            if program.returns == "launches":
                yield "    return count;"

        head = f"__host__ __device__ inline {kind} {program.name}(unsigned n, {argument})"
        yield from _block(program.name, head, about, body())


LANGUAGES: dict[str, Any] = {
    "cuda": CudaText(), "triton": Triton(), "numba": Numba(), "cute": Cute(), "python": Numpy(),
}  # fmt: skip
