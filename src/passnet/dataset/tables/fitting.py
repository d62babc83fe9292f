"""Names rows of others whose columns do not fit one another.  No torch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from passnet.authored import one_line
from passnet.errors import PassNetError, UsageError, described, foreign


class RowError(UsageError):
    """A row of which no graph can be made."""


def fitting(uid: str) -> AbstractContextManager[None]:
    """RowError where the block fails: it reads texts of which nothing is known, and may fail by any error."""
    return foreign(
        lambda error: RowError(f"row {uid} makes no graph: {one_line(described(error))[:200]}"), PassNetError
    )


@contextmanager
def rows_of(path: Path | str) -> Iterator[None]:
    """An error of a row in the block names the dataset too."""
    try:
        yield
    except RowError as error:
        raise UsageError(str(error), path=path, hint="`passnet dataset verify` names all such rows") from None
