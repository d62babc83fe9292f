"""A build's directory: the places of its files, the libraries it belongs to, and a lock for one build at a time."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from passnet.dataset.pipeline.settings import BuildSettings, versions
from passnet.errors import UsageError
from passnet.graph.files import read_json_object
from passnet.writing import unwritable, write_atomic

SCHEMA = 1
SETTINGS, RECORDS, SUMMARY, LOCK, WORK, DATASET = (
    "settings.json", "records.jsonl", "summary.json", "lock", "work", "dataset",
)  # fmt: skip
# Below `work`: content of a piece -> key of the unit that varies it.
KEYS = "vary-keys.json.gz"


@contextmanager
def claimed(out: Path, settings: BuildSettings) -> Iterator[None]:
    """Locks the directory while the block runs, and records the versions that it is built with.

    Errors: UsageError when it was begun with other versions, holds something else, cannot be written, or is in use by
    another build.
    """
    _describe(out, settings)
    # A lock that the system lets go when this process ends, however it ends, and that a child which outlives it does
    # not hold: that is why it is no `flock`.
    with (out / LOCK).open("w") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise UsageError("another build is at work here", path=out, hint="wait for it or stop it") from None
        yield


def _describe(out: Path, settings: BuildSettings) -> None:
    """Write down what this directory is for, or check that its results came from the same libraries."""
    path = out / SETTINGS
    wanted = json.loads(json.dumps({"schema": SCHEMA, **asdict(settings), "versions": versions()}))
    if path.exists():
        found = read_json_object(path)
        for key in ("schema", "versions"):
            if wanted[key] != found.get(key):
                raise UsageError(
                    "the directory was begun with other versions", path=path, field=key,
                    expected=wanted[key], found=found.get(key), hint="build into another directory",
                )  # fmt: skip
    elif out.exists() and any(out.iterdir()):
        raise UsageError("the directory is not empty and holds no build", path=out, hint="name a new directory")
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_atomic(path, (json.dumps(wanted, indent=1) + "\n").encode())
    except OSError as error:
        raise unwritable(error, out) from None
