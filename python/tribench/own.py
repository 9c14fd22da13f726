"""A workload of one's own from a text: what `--workload ./mine.h` takes, written for one cell of a triangle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    import numpy.typing as npt

# The types of an element: in C, in a descriptor.
TYPES = {
    "f4": ("float", "TD_F32"), "f8": ("double", "TD_F64"), "u1": ("uint8_t", "TD_U8"),
    "u4": ("uint32_t", "TD_U32"), "i4": ("int32_t", "TD_I32"), "i8": ("int64_t", "TD_I64"),
}  # fmt: skip
FILE = """\
#include "own.h"

TD_FN {type} td_{name}_of(const td_data *data, uint32_t row, uint32_t col)
{{
    {inputs}(void)data, (void)row, (void)col;
    {body}
}}

TD_FN void td_{name}_cell(const td_data *data, uint32_t row, uint32_t col)
{{
    (({type} *)data->output)[td_row_start(data, row) + col] = td_{name}_of(data, row, col);
}}

TD_DESCRIPTOR td_workload td_{name}_workload = {{
    .element = {element}, .traits = {{.own_element = true}}, {members}
}};
"""


@dataclass(frozen=True, slots=True)
class Workload:
    """What `workload` makes, for the option of this name: the text of a file, and what its output is compared with."""

    name: str
    text: str
    result: str
    expect: Any = None


def workload(
    cell: str, columns: int = 0, result: str = "f4", *, name: str = "own", ulp: int = 0,
    expect: npt.NDArray[Any] | Callable[[npt.NDArray[Any]], npt.NDArray[Any]] | None = None,
) -> Workload:  # fmt: skip
    """
    A workload that stores the value of `cell` for each row and col of a triangle.

    Input: cell, an expression in C, or statements that end with a return, of `row`, `col`, and where there are columns
    `a` and `b`, the numbers (float32) in row `row` and in row `col` of the input: "(a[0] - b[0]) * (a[1] - b[1])";
    columns, of the input, 0 to 8; result, the type of an element: f4, f8, u1, u4, i4, i8; name, in records; expect,
    what the output must equal, an array as `Result.output`, or N x N, or a function that makes it of the input; ulp,
    units in the last place by which floats may differ from it, or without `expect` from those of a plain loop
    Errors: UsageError, for a name or a type that there is not; what the compiler says comes from `run`
    """
    if result not in TYPES:
        raise UsageError(f"workload: result is one of {', '.join(TYPES)}, got '{result}'")
    if not name.isidentifier() or not name.isascii():
        raise UsageError(f"workload: expected a name in C, got '{name}'")
    inputs, kind = "", TYPES[result]
    for of, place in ("a", "row"), ("b", "col"):
        numbers = ", ".join(f"td_input(data, {k}, {place})" for k in range(columns))
        inputs += f"const float {of}[] = {{{numbers}}};\n    " if columns else ""
    inputs += "(void)a, (void)b;\n    " if columns else ""
    members = f".ulp = {ulp}" + (f", .input = &td_columns[{columns}]" if columns else "")
    body = cell if ";" in cell else f"return {cell};"
    text = FILE.format(type=kind[0], element=kind[1], name=name, inputs=inputs, body=body, members=members)
    return Workload(name, text, result, expect)


def files(given: Mapping[str, Any], folder: Path) -> dict[str, Path]:
    """The options that name an own workload and what is expected of it. Errors: UsageError, there is no input for it"""
    own = given.get("workload")
    if not isinstance(own, Workload):
        return {}
    path = folder / f"td_{own.name}.h"  # no name of a header that it may include
    path.write_text(own.text, encoding="utf-8")
    if own.expect is None:
        return {"workload": path}
    import numpy as np

    expected = own.expect
    if callable(expected):
        if given.get("input") is None:
            raise UsageError("workload: expect is a function of the input: give run an array as input")
        expected = expected(np.load(given["input"]))
    np.save(folder / "expect.npy", np.ascontiguousarray(expected, own.result))
    return {"workload": path, "verify": folder / "expect.npy"}
