"""Fills a template of assets/ into a self-contained HTML page; only scripts with a known hash may run."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import REPOSITORY

ASSETS = Path(__file__).resolve().parent / "assets"


def asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def embed(value: Any) -> str:
    """JSON that cannot break out of its script element, whatever strings it holds."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def script_hash(script: str) -> str:
    """The name of a script in the page's content security policy."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def filled(name: str, scripts: Mapping[str, str], values: Mapping[str, str]) -> str:
    """Fills a template in one pass, so that a value that looks like a placeholder stays as it is."""
    # Only these scripts run, and the page fetches nothing.
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src "
    policy += " ".join(map(script_hash, scripts.values()))
    home = f'<a href="{REPOSITORY}">tribench</a>' if REPOSITORY else "tribench"
    all_values = {**values, **scripts, "policy": policy, "style": asset(f"{name}.css"), "home": home}
    pieces = asset(f"{name}.html").split("@@")
    return "".join(all_values[piece] if place % 2 else piece for place, piece in enumerate(pieces))
