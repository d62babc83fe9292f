"""Authors by name, as the command line gives them: `distill`, `openai:MODEL`, `litellm:MODEL`, `replay:FILE`.

`distill:no-regions,no-configurations` is the embedded author without some of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from passnet.agent.authors.base import Author
from passnet.agent.record.names import AUTHORS, MODELS
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.authors.model.endpoint import Endpoint
    from passnet.agent.authors.model.options import ModelOptions


def _distill(rest: str) -> Author:
    from passnet.agent.authors.distill.author import PARTS, DistillAuthor

    known = {f"no-{part}": part for part in PARTS}
    left_out = rest.split(",") if rest else []
    wrong = next((word for word in left_out if word not in known), None)
    if wrong is not None:
        raise UsageError(
            f"the embedded author has no part {wrong!r} to leave out", field="--author",
            expected=f"distill, or distill: and some of {', '.join(known)}", found=f"distill:{rest}",
        )  # fmt: skip
    return DistillAuthor(**{part: word not in left_out for word, part in known.items()})


def _replay(rest: str) -> Author:
    from passnet.agent.authors.replay import ReplayAuthor

    if not rest:
        raise UsageError("nothing to replay", field="--author", expected="replay:FILE")
    return ReplayAuthor.from_file(Path(rest))


def _openai(rest: str, options: Mapping[str, object] | None = None) -> Author:
    from passnet.agent.authors.model.endpoint import OpenAIEndpoint

    return _model("openai", rest, OpenAIEndpoint, options)


def _litellm(rest: str, options: Mapping[str, object] | None = None) -> Author:
    from passnet.agent.authors.model.endpoint import LiteLLMEndpoint

    return _model("litellm", rest, LiteLLMEndpoint, options)


def _model(
    name: str, rest: str, endpoint: Callable[[ModelOptions], Endpoint], options: Mapping[str, object] | None
) -> Author:
    from passnet.agent.authors.model.author import ModelAuthor
    from passnet.agent.authors.model.options import ModelOptions

    if not rest:
        raise UsageError("no model named", field="--author", expected=f"{name}:MODEL")
    chosen = ModelOptions.of(options or {})
    return ModelAuthor(f"{name}:{rest}", rest, endpoint(chosen), chosen)


# The name before the colon gives the function that makes the author of the rest.
MAKERS: dict[str, Callable[..., Author]] = {
    "distill": _distill,
    "openai": _openai,
    "litellm": _litellm,
    "replay": _replay,
}


def make_author(spec: str, options: Mapping[str, object] | None = None) -> Author:
    """The author of a name. `options` are only for models.

    Raises UsageError for an unknown name, or for options that the author cannot use.
    """
    name, _, rest = spec.partition(":")
    if name not in MAKERS:
        raise UsageError(f"unknown author {spec!r}", field="--author", expected=f"one of {', '.join(AUTHORS)}")
    return MAKERS[name](rest, options) if options and name in MODELS else MAKERS[name](rest)
