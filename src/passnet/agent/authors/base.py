"""The interface of an author."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from passnet.agent.record.names import ExitReason
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.env.env import PassEnv


class Unusable(UsageError):
    """The author cannot work as it was set up: no key, no such model, or no server at the endpoint."""


class GivesUp(Exception):
    """The author ends its episode for a reason that it can explain. The best pass set so far counts."""

    def __init__(self, reason: ExitReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


class Author(Protocol):
    """Plays episodes. One object serves a whole run, so `play` keeps nothing on it.

    `default_steps` is the limit of steps if the user gives none. 0 means no limit. `concurrent` says that several
    episodes may be played at once in threads. This suits an author that waits for a network, and not one that computes
    with torch itself. `resumes` says that the author can go on from the records of an interrupted episode
    (`env.records`). Without it such an episode is begun again.
    """

    name: str
    default_steps: int
    concurrent: bool
    resumes: bool

    def settings(self) -> dict[str, object]:
        """The settings that change its behaviour, as JSON.

        They are recorded. A resumed run must have the same settings.
        """
        ...

    def play(self, env: PassEnv) -> ExitReason | None:
        """Work on an environment that was reset, until the work is done or nothing is left to try.

        Returns the reason for stopping. Returns None after a submit, or if there is no special reason. Raises Unusable
        when the author cannot work at all, which ends the run. Raises GivesUp with the reason and a detail for the
        record. An author lets EpisodeOver from a tool through. Any other exception is recorded as the author's error.
        """
        ...
