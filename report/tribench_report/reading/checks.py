"""Checks the members around the runs of a file once, so that no script has to check them again."""

from __future__ import annotations

from ..errors import ReportError
from .source import Json

SCHEMA_NAME = "tribench"

Types = dict[str, type | tuple[type, ...]]

# The members around the runs, in a file and in each part of a joined one. Null is allowed everywhere.
AROUND: Types = {
    "tool": dict,
    "command": list,
    "labels": dict,
    "shard": dict,
    "started": str,
    "finished": str,
    "timing": dict,
    "environment": dict,
    "merged_from": list,
    "file": str,
}
NUMBER = (int, float)
SHARD: Types = {"index": int, "count": int, "sweep": str, "sweep_runs": int, "runs": list}
ENVIRONMENT: Types = {
    "host": dict,
    "gpu": dict,
    "cpu": dict,
    "peak_bandwidth": dict,
    "peak_arithmetic": dict,
    "idle_power_w": NUMBER,
}
TYPE_WORDS: dict[object, str] = {
    dict: "an object",
    list: "a list",
    str: "text",
    int: "a whole number",
    NUMBER: "a number",
    (int, str): "a whole number",  # beyond 2^53 as text
}


class NoResult(ReportError):
    """The file holds other JSON, such as that of --check-maps, or nothing was written into it yet."""


def expect(name: str, holder: Json, types: Types) -> None:
    for member, kind in types.items():
        value = holder.get(member)
        if value is not None and (isinstance(value, bool) or not isinstance(value, kind)):
            raise ReportError(f"{name}: '{member}' is not {TYPE_WORDS[kind]}")


def check_around(name: str, holder: Json) -> None:
    """Checks the members around the runs, of a file or of a part of a joined one."""
    expect(name, holder, AROUND)
    shard = holder.get("shard")
    if shard:
        expect(name, shard, SHARD)
        lacking = [member for member in SHARD if shard.get(member) is None]
        if lacking or not all(isinstance(key, str) for key in shard["runs"]):
            raise ReportError(f"{name}: 'shard' is without {lacking[0] if lacking else 'names of runs'}")
    environment = holder.get("environment") or {}
    expect(name, environment, ENVIRONMENT)
    labels = holder.get("labels") or {}
    expect(name, labels, dict.fromkeys(labels, str))
    expect(name, environment.get("gpu") or {}, {"name": str})
    expect(name, environment.get("cpu") or {}, {"model": str})
    for kind in ("peak_bandwidth", "peak_arithmetic"):
        peak = environment.get(kind) or {}
        expect(name, peak, dict.fromkeys(peak, NUMBER))
    for part in holder.get("merged_from") or []:
        if not isinstance(part, dict) or "file" not in part:
            raise ReportError(f"{name}: 'merged_from' holds what is not a part (it has no file)")
        check_around(name, part)


def check_schema(name: str, holder: Json) -> Json:
    schema = holder.get("schema")
    if not isinstance(schema, dict) or schema.get("name") != SCHEMA_NAME:
        raise NoResult(f"{name}: not a tribench result (no schema named '{SCHEMA_NAME}')")
    if not isinstance(schema.get("major"), int):
        raise ReportError(f"{name}: the schema has no major version")
    expect(name, schema, {"minor": int})
    return schema
