"""The one exception of the score room. Its message says what was expected, what was found and what to do next."""

from __future__ import annotations

import math
from pathlib import Path


class ScoreError(ValueError):
    """Something cannot be scored: a bad log, weights file, setting or result. This is a user's mistake (exit code 2).

    `path` and `line` (1-based) name the place when the mistake is in a file.
    """

    def __init__(
        self,
        what: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        expected: object = None,
        found: object = None,
        hint: str | None = None,
    ) -> None:
        self.what, self.expected, self.found, self.hint = what, expected, found, hint
        self.path = Path(path) if path is not None else None
        self.line = line
        super().__init__(self._text())

    def _text(self) -> str:
        parts = [self.what]
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        if self.found is not None:
            parts.append(f"found {self.found}")
        text = "; ".join(parts)
        if self.path is not None:
            place = f"{self.path}:{self.line}" if self.line is not None else f"{self.path}"
            text = f"{place}: {text}"
        return f"{text} ({self.hint})" if self.hint is not None else text

    def at(self, path: Path, line: int) -> ScoreError:
        """The same mistake with its place in a file. `line` is used only when the mistake has no line of its own."""
        line = line if self.line is None else self.line
        return ScoreError(self.what, path=path, line=line, expected=self.expected, found=self.found, hint=self.hint)


def is_finite_number(value: object) -> bool:
    """Whether a value is an int or a float that fits into a finite float. A bool is not a number here."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
