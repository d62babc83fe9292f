"""Files that were changed without the tools. A coding assistant has an editor of its own."""

from __future__ import annotations

import os

from passnet.agent.env.env import PassEnv
from passnet.agent.env.files import FileError
from passnet.errors import UsageError


def record_outside_edits(env: PassEnv) -> str | None:
    """Record what others changed in the pass directory, as calls of `create` and `delete`. Its files are only read.

    Without such steps the files in the record would differ from the measured files. A directory that is gone is written
    again. Returns None when everything is recorded, and else the reason for which the client's call cannot be made.
    Then either nothing was recorded, or a limit of the episode was reached.
    """
    folder, known = env.state.folder, env.files()
    try:
        if not os.path.lexists(folder.path):
            folder.show()
        found = folder.found()
    except (FileError, UsageError) as error:
        place = "" if str(folder.path) in str(error) else f"{folder.path}: "
        return f"{place}{error}. The call was not made, and no file was changed; put that right and call again"
    edited = [*sorted(known.keys() - found.keys()), *(name for name in found if known.get(name) != found[name])]
    with folder.texts_alone():
        for name in edited:
            seen = env.create(name, found[name]) if name in found else env.delete(name)
            assert seen.ok, "what was found can be recorded"
            if env.done:
                return f"your edit of {name} in the pass directory was the last step; the call was not made"
    return None
