"""Checks a document against the JSON Schema that is shipped with tribench."""

from __future__ import annotations

import json
from pathlib import Path

from .documents import SCHEMA_MAJOR, Json
from .errors import ReportError

HERE = Path(__file__).resolve().parent
# In an installed package the files are inside it; in the sources, beside it.
FOLDER = HERE / "schema_files" if (HERE / "schema_files").is_dir() else HERE.parent / "schema"
SCHEMA_PATH = FOLDER / f"tribench-{SCHEMA_MAJOR}.schema.json"


def check(document: Json, path: Path = SCHEMA_PATH) -> None:
    """Raises a ReportError with the place and the reason of the first misfit."""
    import jsonschema  # type: ignore[import-untyped]  # here, as it is slow to import and nothing else needs it

    try:
        schema = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ReportError(f"{path}: cannot be read: {problem.strerror}") from None
    validator = jsonschema.Draft202012Validator(schema)
    for misfit in validator.iter_errors(document):
        where = "/".join(str(step) for step in misfit.absolute_path) or "the document"
        raise ReportError(f"the schema does not allow {where}: {misfit.message[:200]}")
