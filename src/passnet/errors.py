"""The exceptions that every room except `score` raises for its users. Each says whose fault the failure is."""

from __future__ import annotations

from pathlib import Path


class PassNetError(Exception):
    """Base of all errors that the command line prints as one clear line instead of a traceback."""

    exit_code = 3


class UsageError(PassNetError):
    """A user's mistake: bad path, bad file, unknown option. The message says what to do next."""

    exit_code = 2

    def __init__(
        self,
        what: str,
        *,
        path: Path | str | None = None,
        field: str | None = None,
        expected: object = None,
        found: object = None,
        hint: str | None = None,
    ) -> None:
        where = ", ".join(str(part) for part in (path, field) if part is not None)
        text = f"{where}: {what}" if where else what
        if expected is not None:
            text += f"; expected {expected}"
        if found is not None:
            text += f", found {found}" if expected is not None else f"; found {found}"
        if hint is not None:
            text += f" ({hint})"
        super().__init__(text)
        self.path = Path(path) if path is not None else None
        self.field = field


class InfrastructureError(PassNetError):
    """The fault of the machine or the harness: a worker that cannot start, or a device that is lost."""

    exit_code = 3
