"""Turns a compiler's output into one error that its author can act on."""

from __future__ import annotations

import re

from passnet.errors import UsageError

_SHOWN = 5
_ERROR = re.compile(r"^(?:\S*/)?(?:kernel\.(?:cpp|cu))(?::(\d+)|\((\d+)\))(?::\d+)?:\s*(?:fatal )?error\s*:?\s*(.*)$")


def compile_error(language: str, output: str) -> UsageError:
    """The first errors of `output` with the line numbers of the author's source. Without any, its first lines."""
    errors = [match for line in output.splitlines() if (match := _ERROR.match(line))]
    lines = [f"  line {match[1] or match[2]}: {match[3]}" for match in errors[:_SHOWN]]
    if len(errors) > _SHOWN:
        lines.append(f"  ... and {len(errors) - _SHOWN} more")
    if not lines:
        lines = [f"  {line}" for line in output.strip().splitlines()[: 2 * _SHOWN]] or ["  (the compiler said nothing)"]
    return UsageError(f"the {language} source does not compile:\n" + "\n".join(lines))
