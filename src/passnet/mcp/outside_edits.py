"""Files that were changed without the tools. A coding assistant has an editor of its own."""

from __future__ import annotations

from collections.abc import Mapping

from passnet.agent.env.env import PassEnv
from passnet.agent.env.files import FileError
from passnet.agent.record.observation import Observation


def record_outside_edits(env: PassEnv, known: Mapping[str, str]) -> Observation | str | None:
    """Record the difference between the pass directory and its `known` files, as calls of `create` and `delete`.

    Without such steps the files in the record would differ from the measured files. Returns None when everything is
    recorded. Returns an observation when a limit was reached or a file was refused. Returns a sentence when the
    directory holds something that no pass set may have.
    """
    try:
        found = env.files()
    except FileError as error:
        return f"the pass directory holds a file that cannot be part of a pass set: {error}; remove it"
    if found == known:
        return None
    env.state.folder.replace_all(known)  # each step is recorded with the files that it left
    for name in sorted(known.keys() - found.keys()):
        if (seen := env.delete(name)).done:
            return seen
    for name, text in found.items():
        if known.get(name) != text and ((seen := env.create(name, text)).done or not seen.ok):
            return seen
    return None
