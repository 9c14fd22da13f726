"""Fills the templates in assets/. A page is one file: only its own scripts run, and it fetches nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

ASSETS = Path(__file__).resolve().parent / "assets"
ENVIRONMENT = jinja2.Environment(loader=jinja2.FileSystemLoader(ASSETS), autoescape=True, trim_blocks=True)
ENVIRONMENT.filters["number"] = lambda value: f"{round(value, 2):g}"
# Whatever strings they hold, no JSON breaks out of its script element.
ENVIRONMENT.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}


def text_of(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def filled(name: str, **values: Any) -> str:
    return ENVIRONMENT.get_template(name).render(values)


def page(name: str, scripts: Mapping[str, str], **values: Any) -> str:
    """A page with these scripts by the names that its template has for them, in the style beside it."""
    digests = (hashlib.sha256(script.encode("utf-8")).digest() for script in scripts.values())
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src"
    policy += "".join(f" 'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
    trusted = {key: Markup(text) for key, text in {**scripts, "style": text_of(name.replace(".html", ".css"))}.items()}
    return filled(name, policy=policy, **values, **trusted)
