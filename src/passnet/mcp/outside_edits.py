"""Files that were changed without the tools: a coding assistant has an editor of its own."""

from __future__ import annotations

from collections.abc import Mapping

from passnet.agent.env.env import PassEnv
from passnet.agent.env.files import FileError
from passnet.agent.record.observation import Observation


def record_outside_edits(env: PassEnv, known: Mapping[str, str]) -> Observation | str | None:
    """Record the difference between the pass directory and what is `known` of it, as calls of `create` and `delete`.

    Without such steps a record would tell of other files than were measured. Returns None when all is on record; an
    observation when a limit was reached or a file refused; a sentence when the directory holds what no pass set may.
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
