"""The passes at the start of an episode: none, the task's own, the best of another run, or those of another author."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from passnet.agent.authors.base import Author
from passnet.agent.authors.registry import MAKERS, make_author
from passnet.agent.env.files import FileError, check_files
from passnet.agent.env.state import BEST_DIR
from passnet.agent.record.names import STARTING_PASSES
from passnet.agent.run.request import TASKS
from passnet.bench.record.run import place_of
from passnet.errors import UsageError, blaming_machine
from passnet.graph.targets import Target
from passnet.rewrite.passes.pass_set import OUTPUT_MANIFEST, read_inside

PassesOf = Callable[[Target], Mapping[str, str]]


def starting_author(spec: str | None, options: Mapping[str, object] | None = None) -> Author | None:
    """The author that makes the passes at the start. None when they come from elsewhere."""
    return make_author(spec, options) if spec is not None and spec.partition(":")[0] in MAKERS else None


def starting_passes(spec: str | None, runs: Path) -> PassesOf:
    """The passes at the start of a task's episodes, unless an author makes them.

    `runs` is the directory in which runs are looked up by name. Raises UsageError for an unknown source.
    """
    if spec is None or spec.partition(":")[0] in MAKERS:
        return lambda target: {}
    if spec == "task":
        return _own
    # A name means a run beside this one. A path is used as the user wrote it.
    places = (Path(spec), runs / spec) if "/" not in spec else (Path(spec),)
    run = next((path for path in places if (path / TASKS).is_dir()), None)
    if run is None:
        known = ", ".join(f"{name} ({what})" for name, what in STARTING_PASSES.items())
        raise UsageError("no such seed", field="--seed-from", expected=known, found=spec)
    return lambda target: _of_run(run, target)


def _own(target: Target) -> dict[str, str]:
    return _fitting(target.pass_dir) if target.pass_dir is not None and target.pass_dir.is_dir() else {}


def _of_run(run: Path, target: Target) -> dict[str, str]:
    directory = run / TASKS / place_of(target.name)
    if not directory.is_dir():
        raise UsageError(f"that run has no task {target.name}", path=run, field="--seed-from")
    best = directory / BEST_DIR
    if not Path(os.path.realpath(best)).is_relative_to(os.path.realpath(run)):
        raise UsageError("a link leads out of the run", path=best, hint="copy the directory instead")
    return _fitting(best) if best.is_dir() else {}


def _fitting(directory: Path) -> dict[str, str]:
    """The passes of a directory. UsageError when an episode cannot hold them."""
    found = read_passes(directory)
    try:
        check_files(found)
    except FileError as error:
        raise UsageError(
            f"no episode can begin with these passes: {error}",
            path=directory,
            field="--seed-from",
            hint="rename the file, or move it out of the directory",
        ) from None
    return found


def read_passes(directory: Path, manifest: str = OUTPUT_MANIFEST) -> dict[str, str]:
    """Name and text of the files of a pass directory: its Python files and its manifest."""
    root = directory.resolve()
    try:
        with blaming_machine(directory):
            names = sorted(file.name for file in directory.iterdir() if file.suffix == ".py" or file.name == manifest)
        return {name: read_inside(directory / name, root).decode("utf-8-sig") for name in names}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"passes that cannot be read: {error}", path=directory) from error
