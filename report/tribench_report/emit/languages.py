"""How each language says a program."""

from __future__ import annotations

from collections.abc import Iterator

from .flatten import Statement
from .translate import Program, Translated
from .values import TRUE, Value

# How a language says each kind of Value: {0}, {1}, {2} are its operands, {type} is its type, {text} the first operand
# without brackets around it. A kind may have a form for one type of value alone ("bits u32"); the f at the end of a
# function for float32 may be left out; operators of C have a default. A form needs no brackets if it ends in one.
Forms = dict[str, str]
PYTHON = {
    "and": "{0} and {1}", "or": "{0} or {1}", "not": "not {0}", "neg": "-{0}", "~": "~{0}", "const": "{0}",
    "select": "{1} if {0} else {2}", "load": "table[{0}]", "while": "while {text}:", "let": "{0} = {text}",
    "set": "{0} = {text}",
}  # fmt: skip
# Whole numbers of the host, for grids.
PLAIN = {
    **PYTHON,
    "sqrt": "math.sqrt({0})", "floor": "math.floor({0})", "ceil": "math.ceil({0})", "fmax": "max({0}, {1})",
    "fmin": "min({0}, {1})", "pow": "{0} ** {1}", "td_log2_floor": "({0}.bit_length() - 1)",
    "cast f32": "{0}", "cast f64": "{0}", "cast i32": "int({text})", "cast i64": "int({text})",
    "cast u32": "(int({text}) & 0xffffffff)", "cast u64": "int({text})",
}  # fmt: skip
# Python with numbers of C, element by element.
TYPED = {**PYTHON, "and": "{0} & {1}", "or": "{0} | {1}", "const": "{type}({0})", "cast": "{type}({text})"}
NUMPY = {
    **TYPED,
    "const bool": "np.{0}_", "while": "while np.any({text}):", "argument": "np.asarray({0}).astype({type})",
    "select": "np.where({0}, {1}, {2})", "not": "~{0}", "cast": "{0}.astype({type})", "bits": "{0}.view({type})",
    "load": "np.asarray(table, uint32)[{0}]", "sqrt": "np.sqrt({0})", "cbrt": "np.cbrt({0})",
    "td_cbrt": "np.cbrt({0})", "floor": "np.floor({0})", "ceil": "np.ceil({0})", "fmax": "np.fmax({0}, {1})",
    "fmin": "np.fmin({0}, {1})", "pow": "np.power({0}, {1})", "fma": "(float64({0}) * {1} + {2}).astype(float32)",
    "td_rsqrt": "(float64(1) / np.sqrt({0}))", "td_rsqrtf": "(float64(1) / np.sqrt(float64({0}))).astype(float32)",
    "td_log2_floor": "(np.frexp(float64({0}))[1] - 1).astype(uint32)",
}  # fmt: skip
TRITON = {
    **TYPED,
    "const": "tl.cast({0}, {type})", "const bool": "tl.cast({0:d}, {type})", "operand": "{0}", "not": "({0} == 0)",
    "argument": "tl.cast({0}, {type})", "cast": "tl.cast({text}, {type})", "select": "tl.where({0}, {1}, {2})",
    "bits": "{0}.to({type}, bitcast=True)", "load": "tl.cast(tl.load(table + {0}), tl.uint32)",
    "sqrtf": "tl.sqrt_rn({0})", "sqrt": "tl.sqrt({0})", "cbrt": "tl.exp2(tl.log2({0}) * 0.33333333333333333)",
    "td_cbrt": "tl.exp2(tl.log2({0}) * 0.33333333333333333)", "floor": "tl.floor({0})", "ceil": "tl.ceil({0})",
    "fmax": "tl.maximum({0}, {1})", "fmin": "tl.minimum({0}, {1})", "pow": "tl.exp2(tl.log2({0}) * {1})",
    "fma": "tl.fma({0}, {1}, {2})", "td_rsqrt": "tl.rsqrt({0})",
    # the exponent of a float; without its second bit the number is not rounded up to the next power of two
    "td_log2_floor": "((({0} & ~({0} >> 1)).to(tl.float32).to(tl.uint32, bitcast=True) >> 23) - 127)",
}  # fmt: skip
NUMBA = {
    **TYPED,
    "and": "{0} and {1}", "or": "{0} or {1}", "const bool": "{0}", "argument": "{type}({0})",
    "bits": "{0}.view(np.{type})", "sqrt": "math.sqrt({0})", "cbrt": "cuda.cbrt({0})", "td_cbrt": "cuda.cbrt({0})",
    "floor": "math.floor({0})", "ceil": "math.ceil({0})", "fmax": "max({0}, {1})", "fmin": "min({0}, {1})",
    "pow": "math.pow({0}, {1})", "fma": "cuda.fma({0}, {1}, {2})",
    "td_rsqrtf": "(float32(1) / float32(math.sqrt({0})))",
    "td_rsqrt": "(1.0 / math.sqrt({0}))", "td_log2_floor": "(31 - cuda.clz({0}))",
}  # fmt: skip
CUTE = {
    **TYPED,
    "argument": "{type}({0})", "select": "{type}(cutlass.select_({0}, {1}, {2}))", "not": "({0} == Boolean(False))",
    "bits": "{0}.bitcast({type})", "load": "Uint32(table[{0}])", "sqrt": "cute.math.sqrt({0})",
    "cbrt": "cute.math.cbrt({0})", "td_cbrt": "cute.math.cbrt({0})", "floor": "cute.math.floor({0})",
    "ceil": "cute.math.ceil({0})", "fmax": "cute.math.max({0}, {1})", "fmin": "cute.math.min({0}, {1})",
    "pow": "cute.math.pow({0}, {1})", "fma": "cute.math.fma({0}, {1}, {2})", "td_rsqrt": "cute.math.rsqrt({0})",
    "td_log2_floor": "(Uint32(31) - Uint32(cute.arch.clz({0})))",
}  # fmt: skip
CUDA = {
    **PYTHON,
    "and": "{0} && {1}", "or": "{0} || {1}", "not": "!{0}", "select": "{0} ? {1} : {2}", "cast": "({type}){0}",
    "//": "{0} / {1}", "const bool": "{word}", "const u32": "{0}u", "const i64": "{0}ll", "const u64": "{0}ull",
    "const f32": "{0}f", "bits u32": "__float_as_uint({text})", "bits f32": "__uint_as_float({text})",
    "sqrtf": "__fsqrt_rn({0})", "td_rsqrtf": "rsqrtf({0})", "td_rsqrt": "rsqrt({0})",
    "td_cbrtf": "exp2f(__log2f({0}) * (1.0f / 3.0f))", "td_log2_floor": "(31u - (unsigned)__clz((int)({0})))",
    "let": "{type} {0} = {text};", "set": "{0} = {text};", "while": "while ({text}) {{", "end": "}",
}  # fmt: skip
CUDA_HOST = {**CUDA, "td_log2_floor": "((unsigned)log2((double){0}))"}  # the host has no __clz
NAMES = {
    "bool": "bool", "i32": "int32", "u32": "uint32", "i64": "int64", "u64": "uint64", "f32": "float32",
    "f64": "float64",
}  # fmt: skip
C_NAMES = {
    "bool": "bool", "i32": "int", "u32": "unsigned", "i64": "long long", "u64": "unsigned long long", "f32": "float",
    "f64": "double",
}  # fmt: skip


class Language:
    """
    A language that is Python.

    forms: how it says values; types: how it says types; is_wide: every result is converted to its type, as the language
    computes in 64 bits; result: of a map's function
    """

    indent = "    "

    def __init__(
        self, header: str, decorator: str, forms: Forms, types: Forms, is_wide: bool = False, result: str = "{}"
    ) -> None:
        self.header, self.decorator, self.forms, self.types = header, decorator, forms, types
        self.is_wide, self.result = is_wide, result

    def form(self, value: Value) -> str:
        kind, forms = value.kind, self.forms
        form = forms.get(f"{kind} {value.type}") or forms.get(kind) or forms.get(kind.removesuffix("f"))
        if form is None:
            places = [f"{{{i}}}" for i, _ in enumerate(value.args)]
            form = f"{kind}({', '.join(places)})" if kind.isidentifier() else f" {kind} ".join(places)
        is_typed = value.is_atom or value.type in ("bool", "f64") or form.startswith("{type}")
        return form if is_typed or not self.is_wide else f"{{type}}({form})"

    def text(self, value: Value) -> str:
        if value.kind == "var":
            return str(value.args[0])
        if value.kind == "const":
            word = str(value.args[0]).lower()
            return self.form(value).format(value.args[0], type=self.types[value.type], word=word)
        operands = [self.operand(one, value.kind) for one in value.args]
        return self.form(value).format(*operands, type=self.types[value.type], text=self.text(value.args[0]))

    def operand(self, value: Value, kind: str) -> str:
        """The text as an operand of a kind of value. Of an operator, a number may take the other operand's type."""
        if value.kind == "const" and value.type != "bool" and not kind.isidentifier() and "operand" in self.forms:
            return self.forms["operand"].format(value.args[0])
        text = self.text(value)
        return text if value.is_atom or self.form(value)[-1] in ")]" else f"({text})"

    # ---- statements

    def lines(self, statements: list[Statement], depth: int) -> Iterator[str]:
        before = self.indent * depth
        for one in statements:
            if one.kind == "append":
                yield from (before + line for line in self.appended(one))
                continue
            value = one.values[0]
            yield before + self.forms[one.kind].format(one.name, text=self.text(value), type=self.types[value.type])
            yield from self.lines(one.body, depth + 1)
            if one.kind == "while" and "end" in self.forms:
                yield before + self.forms["end"]

    def appended(self, one: Statement) -> list[str]:
        *values, condition = (self.text(value) for value in one.values)
        numbers = "".join(f"{value}, " for value in values[3:]).rstrip()
        what = values[0] if len(values) == 1 else f"(({', '.join(values[:3])}), ({numbers}))"
        line = f"found.append({what})"
        return [line] if one.values[-1] == TRUE else [f"if {condition}:", self.indent + line]

    # ---- functions

    def function(self, map: Translated, about: list[str]) -> Iterator[str]:
        """The function of a map, from a block to its tile."""
        program = map.place
        yield from ("", "", self.decorator, f"def {program.name}({', '.join(program.arguments)}):")
        yield from ('    """', *(f"    {line}".rstrip() for line in about), '    """')
        for name in program.arguments:
            if name != "table":
                yield f"    {name} = {self.forms['argument'].format(name, type=self.types['u32'])}"
        yield from self.lines(program.statements, 1)
        yield f"    return {self.result.format(', '.join(self.text(one) for one in program.results))}"

    def listed(self, program: Program, about: str) -> Iterator[str]:
        """A function of the host: the grid, the launches or the table of a map."""
        host = Language("", "", PLAIN, NAMES)
        yield from ("", "", f"def {program.name}(n):", f'    """{about}"""')
        if program.returns != "grid":
            yield "    found = []"
        yield from host.lines(program.statements, 1)
        values = ", ".join(host.text(one) for one in program.results)
        yield f"    return {values or 'found'}"


class Cuda(Language):
    """One text for nvcc, NVRTC and hipcc, which includes nothing."""

    def appended(self, one: Statement) -> list[str]:
        *values, condition = (self.text(value) for value in one.values)
        if len(values) == 1:
            return [f"*found++ = {values[0]};"]
        lines = [f"found[count][{i}] = {value};" for i, value in enumerate(values)]
        lines = ["if (found) {", *(self.indent + line for line in lines), "}", "count++;"]
        return lines if one.values[-1] == TRUE else [f"if ({condition}) {{", *lines, "}"]

    def function(self, map: Translated, about: list[str]) -> Iterator[str]:
        outputs = ["tile_x", "tile_y", "tile_z"] if map.source.dimension == 3 else ["tile_row", "tile_col"]
        *place, active = (self.text(one) for one in map.place.results)
        words = [f"const unsigned *{one}" if one == "table" else f"unsigned {one}" for one in map.place.arguments]
        words += [f"unsigned *{name}" for name in outputs]
        yield from ("", "/*", *(f" * {line}".rstrip() for line in about), " */")
        yield from (f"__device__ inline bool {map.name}({', '.join(words)})", "{")
        yield from self.lines(map.place.statements, 1)
        yield from (f"    *{name} = {value};" for name, value in zip(outputs, place))
        yield from (f"    return {active};", "}")

    def listed(self, program: Program, about: str) -> Iterator[str]:
        host = Cuda("", "", CUDA_HOST, C_NAMES)
        is_list = program.returns == "launches"
        argument = {"grid": "grid[3]", "launches": "(*found)[7]", "table": "*found"}[program.returns]
        head = f"{'unsigned' if is_list else 'void'} {program.name}(unsigned n, unsigned {argument})"
        yield from ("", f"/* {about} */", f"__host__ __device__ inline {head}", "{")
        yield from ["    unsigned count = 0;"] * is_list
        yield from host.lines(program.statements, 1)
        yield from (f"    grid[{i}] = {host.text(value)};" for i, value in enumerate(program.results))
        yield from ["    return count;"] * is_list
        yield "}"


NUMPY_HEADER = "import math\n\nimport numpy as np\nfrom numpy import float32, float64, int32, int64, uint32, uint64\n"
TRITON_HEADER = "import math\n\nimport triton\nimport triton.language as tl\n"
NUMBA_HEADER = NUMPY_HEADER.replace("from numpy import ", "from numba import cuda, ")
CUTE_HEADER = (
    "import math\n\nimport cutlass\nimport cutlass.cute as cute\n"
    "from cutlass import Boolean, Float32, Float64, Int32, Int64, Uint32, Uint64\n"
)
LANGUAGES = {
    "cuda": Cuda("", "", CUDA, C_NAMES),
    "triton": Language(
        TRITON_HEADER, "@triton.jit", TRITON, {type: f"tl.{name}" for type, name in {**NAMES, "bool": "int1"}.items()}
    ),
    "numba": Language(NUMBA_HEADER, "@cuda.jit(device=True)", NUMBA, NAMES, is_wide=True),
    "cute": Language(
        CUTE_HEADER, "@cute.jit", CUTE, {type: name.capitalize() for type, name in {**NAMES, "bool": "boolean"}.items()}
    ),
    "python": Language(
        NUMPY_HEADER, '@np.errstate(all="ignore")', NUMPY, NAMES, result="tuple(np.broadcast_arrays({}))"
    ),
}
