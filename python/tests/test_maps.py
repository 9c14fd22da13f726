"""tribench.maps: functions of maps, made when they are asked for. report/tests/test_emit.py compares what they do."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pcpp")
from tribench import maps


def test_a_function_and_its_grid() -> None:
    from tribench.maps.python import rb_b, rb_b_grid

    x, y = np.indices(rb_b_grid(5)[:2])
    row, col, active = rb_b(x, y, 5)
    assert active.all()
    assert sorted(zip(row.ravel(), col.ravel())) == [(row, col) for row in range(5) for col in range(row + 1)]
    assert "Exact for n <= 1048576." in rb_b.__doc__


def test_a_function_is_made_once() -> None:
    from tribench.maps import python

    assert python.ltm_i is python.ltm_i
    assert python.ltm_t_table(2) == [0, 1 << 16, 1 << 16 | 1]


def test_the_text_for_cuda_and_grids_by_name() -> None:
    text = maps.cuda_source("rb-b", "ltm")
    assert "bool rb_b(unsigned x, unsigned y, unsigned n, " in text
    assert "void ltm_r_grid(unsigned n, " in text
    assert "#include" not in text
    assert maps.grid("rb-b", 8) == (4, 9, 1)
    assert maps.launches("hmap", 5) == [((2, 7, 1), (0, 4)), ((1, 1, 1), (4, 1))]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: maps.grid("hmap", 5), "hmap has launches"),
        (lambda: maps.grid("ltm-i", 92682), "ltm-i: expected n in 1..92681, got 92682"),
        (lambda: maps.grid("rb-b", 0), "got 0"),
        (lambda: maps.grid("rbb", 5), "unknown strategy 'rbb'"),
        (lambda: maps.module("fortran", "rb-b"), "unknown language 'fortran'"),
        (lambda: maps.cuda_source("rb"), "rb maps threads"),
    ],
)
def test_what_goes_wrong_is_a_sentence(call: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()  # type: ignore[operator]


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(ImportError, match="rb_c"):
        from tribench.maps.python import rb_c  # noqa: F401
    assert not hasattr(importlib.import_module("tribench.maps.python"), "rb_b_launches")


def test_a_file_with_a_map(tmp_path: Path) -> None:
    path = tmp_path / "mine.h"
    for shift in (0, 1):  # it is read anew
        path.write_text(
            '#include "strategies/own.h"\nTD_FN td_tile td_mine_map(const td_launch *launch, td_dim3 block)\n'
            f"{{ (void)launch; return td_tile_at(block.x + {shift}, block.y, true); }}\n"
        )
        mine = maps.module("python", str(path)).mine
        assert [int(one) for one in mine(2, 3, 8)[:2]] == [3, 2 + shift]


def test_nothing_is_read_before_it_is_needed() -> None:
    code = "import sys, tribench.maps.triton; print({'pcpp', 'pycparser', 'pandas', 'triton'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": "python"}, capture_output=True, text=True)
    assert result.stdout == "set()\n", result.stderr


def test_the_example_in_triton() -> None:
    pytest.importorskip("triton", reason="there is no triton, a compiler for GPUs")
    code = """
import sys
import numpy as np
sys.path[:0] = ["python", "report", "examples", "tests/emitted"]
import triton_pairs
on_gpu = __import__("on-gpu")
class Matrix(on_gpu.Tensor):
    shape = property(lambda self: self.array.shape)
points = np.random.default_rng(1).random((150, 3)).astype(np.float32)
distances = np.zeros((150, 150), np.float32)
triton_pairs.run(Matrix(points), Matrix(distances))
expected = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(-1))
assert np.allclose(distances, np.tril(expected), atol=1e-6)
"""
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_example_with_cupy() -> None:
    cupy = pytest.importorskip("cupy", reason="there is no cupy, which needs a GPU")
    examples = Path(__file__).parents[2] / "examples"
    result = subprocess.run([sys.executable, examples / "cupy_pairs.py"], env={**os.environ, "PYTHONPATH": "python"},
                            capture_output=True, text=True, check=False)  # fmt: skip
    assert cupy and float(result.stdout.rpartition(" ")[2]) < 1e-5, result.stderr
