"""Authors by name, as the command line gives them: `distill`, `replay:FILE`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from passnet.agent.authors.base import Author
from passnet.agent.names import AUTHORS
from passnet.errors import UsageError


def _distill(rest: str) -> Author:
    if rest:
        raise UsageError("the embedded author takes nothing after its name", field="--author", found=f"distill:{rest}")
    author: Author = import_module("passnet.agent.distill.author").DistillAuthor()
    return author


def _replay(rest: str) -> Author:
    from passnet.agent.authors.replay import ReplayAuthor

    if not rest:
        raise UsageError("nothing to replay", field="--author", expected="replay:FILE")
    return ReplayAuthor.from_file(Path(rest))


# Name before the colon -> what makes the author of the rest.
MAKERS: dict[str, Callable[[str], Author]] = {"distill": _distill, "replay": _replay}


def make_author(spec: str) -> Author:
    """The author of a name. UsageError for an unknown one, or for what its maker cannot use."""
    name, _, rest = spec.partition(":")
    if name not in MAKERS:
        raise UsageError(f"unknown author {spec!r}", field="--author", expected=f"one of {', '.join(AUTHORS)}")
    return MAKERS[name](rest)
