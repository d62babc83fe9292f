"""Where the thread that speaks with a client hands over what is asked, and the thread that has the device answers.

One thing at a time: the next question is taken when the last has its answer.
"""

from __future__ import annotations

import queue
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from passnet.agent.run.relay import RunStopped


@dataclass(frozen=True)
class Reply:
    """What a tool says. `ok`: it could do its work."""

    text: str
    ok: bool = True


@dataclass
class Asked:
    """One call of a tool, its arguments not checked yet. `client`: who asks, as it calls itself."""

    name: str
    arguments: dict[str, Any]
    client: str = ""
    reply: Future[Reply] = field(default_factory=Future)


class HandOver:
    """Questions in order. The client's side calls `ask` and `leave`; ours `next`, `put_back`, `answer` and `close`."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Asked | None] = queue.Queue()
        self._again: Asked | None = None
        self.open: Asked | None = None
        self.failure: BaseException | None = None
        self._closed: Reply | None = None

    def ask(self, asked: Asked) -> Future[Reply]:
        self._queue.put(asked)
        if self._closed is not None:  # nobody takes it any more
            self.close(self._closed)
        return asked.reply

    def leave(self, failure: BaseException | None = None) -> None:
        """Nothing more is asked. `failure`: what broke the connection, if something did."""
        self.failure = failure
        self._queue.put(None)

    def next(self) -> Asked:
        """The next question, waited for. Raises Stopped when the client has left."""
        assert self.open is None, "every question is answered before the next is taken"
        while True:
            asked, self._again = self._again or self._queue.get(), None
            if asked is None:
                self._queue.put(None)
                raise RunStopped
            # What a client took back before its turn is not done.
            if asked.reply.running() or asked.reply.set_running_or_notify_cancel():
                self.open = asked
                return asked

    def put_back(self) -> None:
        """Let the open question come next once more, for whoever takes it."""
        self._again, self.open = self.open, None

    def answer(self, text: str, *, ok: bool = True) -> None:
        assert self.open is not None, "something was asked"
        asked, self.open = self.open, None
        asked.reply.set_result(Reply(text, ok))

    def close(self, reply: Reply) -> None:
        """Answer all that is open or comes later with this."""
        self._closed = reply
        left = [self.open, self._again]
        self.open = self._again = None
        while not self._queue.empty():
            left.append(self._queue.get())
        for asked in left:
            if asked is not None and (asked.reply.running() or asked.reply.set_running_or_notify_cancel()):
                asked.reply.set_result(reply)
