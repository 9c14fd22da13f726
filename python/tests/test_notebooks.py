"""The notebooks of examples/ hold no outputs; tests/run executes them."""

from __future__ import annotations

import json

from conftest import TOP

NOTEBOOKS = sorted((TOP / "examples").glob("*.ipynb"))


def test_notebooks_are_stripped() -> None:
    assert len(NOTEBOOKS) == 2
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert len(code) >= 4
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code), path
