"""What this package raises."""

from __future__ import annotations


class EmitError(ValueError):
    """A map cannot be translated, with the reason."""
