"""Errors of an author in a rule that its text alone does not show: with file, line and next step."""

from __future__ import annotations

from pathlib import Path

from passnet.errors import UsageError


class RuleError(UsageError):
    """A rule that cannot be used: raised where its code runs, that is in a process that may run untrusted code."""

    kind = "rule"

    def __init__(self, path: Path, line: int | None, message: str, hint: str) -> None:
        super().__init__(message, path=path, field=None if line is None else f"line {line}", hint=hint)
        self.line = line
        self.message = message
        self.hint = hint

    @property
    def rule(self) -> str:
        """The rule's name: the stem of its file."""
        return self.path.stem if self.path is not None else ""


class RuleLoadError(RuleError):
    """The file could not be executed, or `replacement_func` did not give a callable."""

    kind = "load"


class RuleTraceError(RuleError):
    """`pattern` or `replacement_args` could not be turned into data."""

    kind = "trace"


class ReplacementArgsComputes(RuleTraceError):
    """`replacement_args` computes something. It may only pass on arguments, constants and metadata."""

    kind = "replacement_args computes"


class RewriteLimitError(UsageError):
    """A limit of the engine was reached. Nothing was dropped, and nothing was rewritten."""
