"""What an author is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from passnet.agent.record.names import ExitReason
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.env.env import PassEnv


class Unusable(UsageError):
    """The author cannot work as it was set up: no key, no such model, nobody at the endpoint."""


class GivesUp(Exception):
    """The author ends its episode for a reason that it can tell more about; the best pass set so far counts."""

    def __init__(self, reason: ExitReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


class Author(Protocol):
    """Plays episodes. One object serves a whole run, so `play` keeps nothing on it.

    `default_steps`: limit of steps where the user gives none, 0 for none. `concurrent`: several episodes may be played
    at once in threads (an author that waits for a network; not one that computes with torch itself). `resumes`: can
    go on from the records of an interrupted episode (`env.records`); without it such an episode is begun again.
    """

    name: str
    default_steps: int
    concurrent: bool
    resumes: bool

    def settings(self) -> dict[str, object]:
        """What changes its behaviour, as JSON: recorded, and the same for a run to be resumed."""
        ...

    def play(self, env: PassEnv) -> ExitReason | None:
        """Work on an environment that was reset, until it is done or nothing is left to try.

        Returns why it stopped; None after a submit, or when it simply had enough. Raises Unusable when it cannot work
        at all (ends the run), GivesUp with the reason and a detail for the record. EpisodeOver from a tool is let
        through; anything else is recorded as the author's error.
        """
        ...
