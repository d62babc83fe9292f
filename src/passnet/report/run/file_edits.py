"""The pass files of an episode as its steps change them, and each change as a diff."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Final

from passnet.agent.record.records import EpisodeStep

_MOST_LINES: Final = 3_000
_MOST_DIFF: Final = 1_500


@dataclass
class EditedFiles:
    """File name -> text. A call that failed changed nothing."""

    files: dict[str, str] = field(default_factory=dict)

    def apply(self, step: EpisodeStep) -> dict[str, object] | None:
        """Make the change of a step. Its path and diff, or None for a step that changes no file."""
        arguments, path = step.arguments, step.arguments.get("path")
        if not step.observation.ok or not isinstance(path, str) or step.tool not in _EDITS:
            return None
        before = self.files.get(path, "")
        after = _EDITS[step.tool](before, {key: value for key, value in arguments.items() if key != "path"})
        if after is None:
            self.files.pop(path, None)
        else:
            self.files[path] = after
        return {"path": path, "lines": diff(before, after or "")}


def diff(before: str, after: str) -> list[str]:
    """The changed lines with three lines around them, each after ` `, `+`, `-` or `@`."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > _MOST_LINES:
        return [f"@ {len(old)} lines became {len(new)}: too long to be compared here"]
    rows = list(difflib.unified_diff(old, new, lineterm="", n=3))[2:]
    kept = [row if not row.startswith("@@") else f"@ {row.strip('@ ')}" for row in rows[:_MOST_DIFF]]
    return kept if len(rows) <= _MOST_DIFF else [*kept, f"@ {len(rows) - _MOST_DIFF} more lines"]


def _created(_: str, arguments: dict[str, object]) -> str:
    return str(arguments.get("text", ""))


def _replaced(before: str, arguments: dict[str, object]) -> str:
    old = str(arguments.get("old", ""))
    return before.replace(old, str(arguments.get("new", "")), 1) if old else before


def _inserted(before: str, arguments: dict[str, object]) -> str:
    place = arguments.get("line")
    rows = before.splitlines(keepends=True)
    at = min(max(place, 0), len(rows)) if isinstance(place, int) else len(rows)
    text = str(arguments.get("text", ""))
    if at and not rows[at - 1].endswith("\n"):
        rows[at - 1] += "\n"
    return "".join([*rows[:at], text if text.endswith("\n") or not text else f"{text}\n", *rows[at:]])


def _deleted(_: str, __: dict[str, object]) -> None:
    return None


_EDITS: Final = {"create": _created, "str_replace": _replaced, "insert": _inserted, "delete": _deleted}
