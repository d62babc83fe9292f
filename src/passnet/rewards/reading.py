"""Reads the passes of a request: their texts, and what the source policy says of them. Imports no torch.

Nothing of a pass is run. `readers.py` does it in processes that can be ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from passnet.errors import UsageError
from passnet.rewrite import PassSet, Violation, check_policy, pass_set_of, read_pass_set
from passnet.rewrite.policy.names import Level

MAX_FILES, MAX_BYTES = 100, 1 << 20
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.(py|json)", re.ASCII)
# Stands for the directory of passes that are texts.
_NOWHERE = Path("passes")
Passes = Mapping[str, str] | str | Path


@dataclass(frozen=True)
class ReadPasses:
    """The judged bytes of a pass set, their hash, and every breach of the source policy.

    `unreadable`: why the files are no pass set. All else is empty then.
    """

    texts: Mapping[str, str]
    content_hash: str
    violations: tuple[Violation, ...]
    unreadable: str | None = None


# As `read_passes`, here or in another process.
ReadsPasses = Callable[[Passes, Path | None, Level], ReadPasses]


def unreadable_passes(reason: str) -> ReadPasses:
    """Passes that are files, but no pass set."""
    return ReadPasses({}, "", (), reason)


def read_passes(passes: Passes, const: Path | None, level: Level) -> ReadPasses:
    """Read passes and check their text. `const`: the task's fixed passes.

    UsageError for a mapping that is no directory of files, and for a path that is none.
    """
    try:
        pass_set = _read(passes, const)
    except _Unreadable as error:
        return unreadable_passes(str(error))
    return ReadPasses(pass_set.texts(), pass_set.content_hash, check_policy(pass_set, level))


def check_texts(passes: Mapping[str, str]) -> None:
    """UsageError for a mapping that cannot be a directory of passes, whoever wrote it."""
    if not isinstance(passes, Mapping):
        found = type(passes).__name__
        raise UsageError("are no passes", field="passes", expected="names of files with texts, or a path", found=found)
    if not passes or len(passes) > MAX_FILES:
        raise UsageError("has no files or too many", field="passes", expected=f"1 to {MAX_FILES}", found=len(passes))
    wrong = next((str(name) for name in passes if not _NAME.fullmatch(str(name))), None)
    if wrong is not None:
        raise UsageError(
            "is not the name of a pass file", field="passes", expected="NAME.py or a manifest", found=repr(wrong[:100])
        )
    other = next((name for name, text in passes.items() if not isinstance(text, str)), None)
    if other is not None:
        found = type(passes[other]).__name__
        raise UsageError("is no text", field=f"passes, {other}", expected="the text of the file", found=found)
    size = sum(len(text.encode(errors="replace")) for text in passes.values())
    if size > MAX_BYTES:
        raise UsageError("are too large", field="passes", expected=f"at most {MAX_BYTES} bytes", found=size)


class _Unreadable(Exception):
    """The passes are files, but no pass set."""


def _read(passes: Passes, const: Path | None) -> PassSet:
    if isinstance(passes, str | Path):
        if not Path(passes).is_dir():
            raise UsageError("no such directory of passes", path=passes)
        return _readable(Path(passes), lambda: read_pass_set(passes, const))
    check_texts(passes)
    texts = {name: text.encode(errors="replace") for name, text in passes.items()}
    return _readable(_NOWHERE, lambda: pass_set_of(texts, _NOWHERE, const))


def _readable(place: Path, read: Callable[[], PassSet]) -> PassSet:
    try:
        return read()
    except UsageError as error:
        raise _Unreadable(str(error).replace(f"{place}/", "").replace(str(place), "passes")) from error
