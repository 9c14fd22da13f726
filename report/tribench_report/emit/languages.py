"""How each language says a program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .flatten import Statement
from .translate import Program, Translated
from .values import RANK, Value

# How a language says each kind of Value: {0}, {1}, {2} are its operands, {type} is its type, {text} the first operand
# without brackets around it. A kind may have a form for one type of value alone ("bits u32"); the f at the end of a
# function for float32 may be left out. Functions that are not there have their names in C, after what "function" says,
# and operators are those of C. A form needs no brackets if it ends in one.
Forms = dict[str, str]
PYTHON = {
    "and": "{0} and {1}", "or": "{0} or {1}", "not": "not {0}", "neg": "-{0}", "invert": "~{0}", "const": "{0}",
    "select": "{1} if {0} else {2}", "load": "table[{0}]", "while": "while {text}:", "if": "if {text}:",
    "let": "{0} = {text}", "set": "{0} = {text}", "function": "math.", "fmax": "max({0}, {1})", "fmin": "min({0}, {1})",
}  # fmt: skip
# Whole numbers of the host, for grids.
PLAIN = {
    **PYTHON,
    "td_log2_floor": "({0}.bit_length() - 1)", "cast f32": "{0}", "cast f64": "{0}", "cast": "int({text})",
    "cast u32": "(int({text}) & 0xffffffff)",
}  # fmt: skip
# Python with numbers of C, element by element.
TYPED = {
    **PYTHON,
    "and": "{0} & {1}", "or": "{0} | {1}", "const": "{type}({0})", "cast": "{type}({text})", "argument": "{type}({0})",
}  # fmt: skip
NUMPY = {
    **TYPED,
    "const bool": "np.{0}_", "while": "while np.any({text}):", "argument": "np.asarray({0}).astype({type})",
    "select": "np.where({0}, {1}, {2})", "not": "~{0}", "cast": "{0}.astype({type})", "bits": "{0}.view({type})",
    "load": "np.asarray(table, uint32)[{0}]", "function": "np.", "fmax": "np.fmax({0}, {1})",
    "fmin": "np.fmin({0}, {1})", "pow": "np.power({0}, {1})", "fma": "(float64({0}) * {1} + {2}).astype(float32)",
    "td_rsqrt": "(float64(1) / np.sqrt({0}))", "td_rsqrtf": "(float64(1) / np.sqrt(float64({0}))).astype(float32)",
    "td_log2_floor": "(np.frexp(float64({0}))[1] - 1).astype(uint32)",
}  # fmt: skip
TRITON = {
    **TYPED,
    "const": "tl.cast({0}, {type})", "const bool": "tl.cast({0:d}, {type})", "operand": "{0}", "not": "({0} == 0)",
    "argument": "tl.cast({0}, {type})", "cast": "tl.cast({text}, {type})", "select": "tl.where({0}, {1}, {2})",
    "bits": "{0}.to({type}, bitcast=True)",
    "load": "tl.cast(tl.load(table + {0}), tl.uint32)", "function": "tl.", "sqrtf": "tl.sqrt_rn({0})",
    "cbrt": "tl.exp2(tl.log2({0}) * 0.33333333333333333)", "td_cbrt": "tl.exp2(tl.log2({0}) * 0.33333333333333333)",
    "pow": "tl.exp2(tl.log2({0}) * {1})", "fmax": "tl.maximum({0}, {1})", "fmin": "tl.minimum({0}, {1})",
    # the exponent of a float; without its second bit the number is not rounded up to the next power of two
    "td_log2_floor": "((({0} & ~({0} >> 1)).to(tl.float32).to(tl.uint32, bitcast=True) >> 23) - 127)",
}  # fmt: skip
NUMBA = {
    **TYPED,
    "and": "{0} and {1}", "or": "{0} or {1}", "const bool": "{0}", "bits": "{0}.view(np.{type})",
    "cbrt": "cuda.cbrt({0})", "td_cbrt": "cuda.cbrt({0})", "fma": "cuda.fma({0}, {1}, {2})",
    "td_rsqrt": "(1.0 / math.sqrt({0}))", "td_rsqrtf": "(float32(1) / float32(math.sqrt({0})))",
    "td_log2_floor": "(31 - cuda.clz({0}))",
}  # fmt: skip
CUTE = {
    **TYPED,
    "select": "{type}(cutlass.select_({0}, {1}, {2}))", "not": "({0} == Boolean(False))", "bits": "{0}.bitcast({type})",
    "load": "Uint32(table[{0}])", "function": "cute.math.", "fmax": "cute.math.max({0}, {1})",
    "fmin": "cute.math.min({0}, {1})", "td_log2_floor": "(Uint32(31) - Uint32(cute.arch.clz({0})))",
}  # fmt: skip
CUDA = {
    "and": "{0} && {1}", "or": "{0} || {1}", "not": "!{0}", "neg": "-{0}", "invert": "~{0}", "const": "{0}",
    "const bool": "{text}", "const u32": "{0}u", "const i64": "{0}ll", "const u64": "{0}ull", "const f32": "{0}f",
    "select": "{0} ? {1} : {2}", "cast": "({type}){0}", "//": "{0} / {1}", "load": "table[{0}]",
    "bits u32": "__float_as_uint({text})", "bits f32": "__uint_as_float({text})", "sqrtf": "__fsqrt_rn({0})",
    "td_rsqrtf": "rsqrtf({0})", "td_rsqrt": "rsqrt({0})", "td_cbrtf": "exp2f(__log2f({0}) * (1.0f / 3.0f))",
    "td_log2_floor": "(31u - (unsigned)__clz((int)({0})))", "let": "{type} {0} = {text};", "set": "{0} = {text};",
    "while": "while ({text}) {{", "if": "if ({text}) {{", "end": "}",
}  # fmt: skip
CUDA_HOST = {**CUDA, "td_log2_floor": "((unsigned)log2((double){0}))"}  # the host has no __clz
NAMES = dict(zip(RANK, ["bool", "int32", "uint32", "int64", "uint64", "float32", "float64"]))
C_NAMES = dict(zip(RANK, ["bool", "int", "unsigned", "long long", "unsigned long long", "float", "double"]))


@dataclass
class Language:
    """
    A language that is Python.

    forms: how it says values; types: how it says types; is_wide: every result is converted to its type, as the language
    computes in 64 bits; result: of a map's function
    """

    header: str
    decorator: str
    forms: Forms
    types: Forms
    is_wide: bool = False
    result: str = "{}"

    def form(self, value: Value) -> str:
        kind, forms = value.kind, self.forms
        form = forms.get(f"{kind} {value.type}") or forms.get(kind) or forms.get(kind.removesuffix("f"))
        if form is None:
            places = [f"{{{i}}}" for i, _ in enumerate(value.args)]
            if "function" in forms:
                kind = forms["function"] + kind.removeprefix("td_").removesuffix("f")
            form = f"{kind}({', '.join(places)})" if value.kind.isidentifier() else f" {value.kind} ".join(places)
        is_typed = value.is_atom or value.type in ("bool", "f64") or form.startswith("{type}")
        return form if is_typed or not self.is_wide else f"{{type}}({form})"

    def text(self, value: Value) -> str:
        if value.kind == "var":
            return str(value.args[0])
        if value.kind == "const":
            operands = [value.args[0], str(value.args[0]).lower()]
        else:
            texts = [self.text(one) for one in value.args]
            operands = [*map(self.operand, value.args, texts, [value.kind] * 3), texts[0]]
        return self.form(value).format(*operands, type=self.types[value.type], text=operands[-1])

    def operand(self, value: Value, text: str, kind: str) -> str:
        """The text as an operand of a kind of value. Of an operator, a number may take the other operand's type."""
        if value.kind == "const" and value.type != "bool" and not kind.isidentifier() and "operand" in self.forms:
            return self.forms["operand"].format(value.args[0])
        return text if value.is_atom or self.form(value)[-1] in ")]" else f"({text})"

    # ---- statements

    def lines(self, statements: list[Statement], before: str = "    ") -> Iterator[str]:
        for one in statements:
            values = [self.text(value) for value in one.values]
            type = self.types[one.values[0].type]
            if one.kind == "append":
                yield from (before + line for line in self.appended(values))
            else:
                yield before + self.forms[one.kind].format(one.name, text=values[0], type=type)
            yield from self.lines(one.body, before + "    ")
            if one.body and "end" in self.forms:
                yield before + self.forms["end"]

    def appended(self, values: list[str]) -> list[str]:
        numbers = "".join(f"{value}, " for value in values[3:]).rstrip()
        what = values[0] if len(values) == 1 else f"(({', '.join(values[:3])}), ({numbers}))"
        return [f"found.append({what})"]

    # ---- functions

    def function(self, map: Translated, about: list[str]) -> Iterator[str]:
        """The function of a map, from a block to its tile."""
        program = map.place
        yield from ("", "", self.decorator, f"def {program.name}({', '.join(program.arguments)}):")
        yield from ('    """', *(f"    {line}".rstrip() for line in about), '    """')
        for name in program.arguments:
            if name != "table":
                yield f"    {name} = {self.forms['argument'].format(name, type=self.types['u32'])}"
        yield from self.lines(program.statements)
        yield f"    return {self.result.format(', '.join(self.text(one) for one in program.results))}"

    def listed(self, program: Program, about: str) -> Iterator[str]:
        """A function of the host: the grid, the launches or the table of a map."""
        host = Language("", "", PLAIN, NAMES)
        yield from ("", "", f"def {program.name}(n):", f'    """{about}"""')
        if program.returns != "grid":
            yield "    found = []"
        yield from host.lines(program.statements)
        values = ", ".join(host.text(one) for one in program.results)
        yield f"    return {values or 'found'}"


class Cuda(Language):
    """One text for nvcc, NVRTC and hipcc, which includes nothing."""

    def appended(self, values: list[str]) -> list[str]:
        if len(values) == 1:
            return [f"*found++ = {values[0]};"]
        lines = [f"    found[count][{i}] = {value};" for i, value in enumerate(values)]
        return ["if (found) {", *lines, "}", "count++;"]

    def function(self, map: Translated, about: list[str]) -> Iterator[str]:
        outputs = ["tile_row", "tile_second" if map.source.by_rows else "tile_col"]
        outputs = ["tile_x", "tile_y", "tile_z"] if map.source.dimension == 3 else outputs
        *place, active = (self.text(one) for one in map.place.results)
        words = [f"const unsigned *{one}" if one == "table" else f"unsigned {one}" for one in map.place.arguments]
        words += [f"unsigned *{name}" for name in outputs]
        yield from ("", "/*", *(f" * {line}".rstrip() for line in about), " */")
        yield from (f"__device__ inline bool {map.name}({', '.join(words)})", "{")
        yield from self.lines(map.place.statements)
        yield from (f"    *{name} = {value};" for name, value in zip(outputs, place))
        yield from (f"    return {active};", "}")

    def listed(self, program: Program, about: str) -> Iterator[str]:
        host = Cuda("", "", CUDA_HOST, C_NAMES)
        is_list = program.returns == "launches"
        argument = {"grid": "grid[3]", "launches": "(*found)[7]", "table": "*found"}[program.returns]
        head = f"{'unsigned' if is_list else 'void'} {program.name}(unsigned n, unsigned {argument})"
        yield from ("", f"/* {about} */", f"__host__ __device__ inline {head}", "{")
        yield from ["    unsigned count = 0;"] * is_list
        yield from host.lines(program.statements)
        yield from (f"    grid[{i}] = {host.text(value)};" for i, value in enumerate(program.results))
        yield from ["    return count;"] * is_list
        yield "}"


NUMPY_HEADER = "import math\n\nimport numpy as np\nfrom numpy import float32, float64, int32, int64, uint32, uint64\n"
TRITON_HEADER = "import math\n\nimport triton\nimport triton.language as tl\n"
NUMBA_HEADER = NUMPY_HEADER.replace("from numpy import ", "from numba import cuda, ")
CUTE_HEADER = "import math\n\nimport cutlass\nimport cutlass.cute as cute\nfrom cutlass import "
CUTE_HEADER += "Boolean, Float32, Float64, Int32, Int64, Uint32, Uint64\n"
TRITON_NAMES = {type: f"tl.{name}" for type, name in NAMES.items()} | {"bool": "tl.int1"}
CUTE_NAMES = {type: name.capitalize() for type, name in NAMES.items()} | {"bool": "Boolean"}
TUPLE = "tuple(np.broadcast_arrays({}))"
LANGUAGES = {
    "cuda": Cuda("", "", CUDA, C_NAMES),
    "triton": Language(TRITON_HEADER, "@triton.jit", TRITON, TRITON_NAMES),
    "numba": Language(NUMBA_HEADER, "@cuda.jit(device=True)", NUMBA, NAMES, is_wide=True),
    "cute": Language(CUTE_HEADER, "@cute.jit", CUTE, CUTE_NAMES),
    "python": Language(NUMPY_HEADER, '@np.errstate(all="ignore")', NUMPY, NAMES, False, TUPLE),
}
