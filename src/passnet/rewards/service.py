"""The part of `passnet serve` that knows no HTTP: a bounded queue in front of a session, served by one thread."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from passnet.errors import PassNetError, UsageError
from passnet.rewards.catalogue import TaskCatalogue
from passnet.rewards.definition import NoReward, Reward
from passnet.rewards.request import Passes, RewardJob
from passnet.rewards.session import RewardSession

# How soon the thread sees a new request while it waits for verdicts, and while there is nothing to do.
_BUSY_S, _IDLE_S = 0.1, 1.0


class QueueFull(PassNetError):
    """As many requests as allowed wait already. Ask again later."""


class UnknownTask(UsageError):
    """The service knows no task of this name."""


@dataclass
class ServiceFigures:
    """Counts since the start, for `/metrics`. `answers`: by outcome, or `no_reward`, `cancelled`, `refused`."""

    answers: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


@dataclass(frozen=True)
class Ticket:
    """A request that was accepted. `answer` raises NoReward when the machine failed."""

    id: str
    answer: Future[Reward]


class RewardService:
    """Rewards for many requests at once, each judged on one device.

    `open_session` is called in the service's own thread, which alone uses the session. `most`: requests that may wait
    beside those that are judged. Who has waited for the session's `limit_s` is told so. `tasks`: where names of tasks
    are looked up. `paths`: whether a task may also be named by its path.
    """

    def __init__(
        self, open_session: Callable[[], RewardSession], *, most: int, tasks: TaskCatalogue, paths: bool
    ) -> None:
        self.figures = ServiceFigures()
        self._most, self._tasks, self._paths = most, tasks, paths
        self._open_session = open_session
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._jobs: dict[str, tuple[RewardJob, Future[Reward]]] = {}
        self._waiting: dict[str, float] = {}
        self._unfinished = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._opened: Future[RewardSession] = Future()
        self._thread = threading.Thread(target=self._serve, name="rewards")

    def start(self) -> None:
        """Start the thread, and wait until the session is open. Raises what opening it raised: UsageError for devices
        that do not exist.
        """
        self._thread.start()
        self._session = self._opened.result()

    def place_of(self, task: str) -> Path:
        """The directory of a task by name or path. UnknownTask when there is none."""
        found = self._tasks.find(task)
        if found is not None:
            return found
        if self._paths and ("/" in task or not task.strip(".")) and os.path.isdir(task):
            return Path(task)
        hint = "give the name of a task of --tasks, or a path" if self._paths else "give the name of a task of --tasks"
        raise UnknownTask("unknown task", found=repr(task[:200]), hint=hint)

    def submit(self, task: str, passes: Passes) -> Ticket:
        """Accept a request.

        Raises QueueFull, UnknownTask, NoReward when the service stops, and UsageError for malformed passes.
        """
        place = self.place_of(task)
        self._admit()
        try:
            job = self._session.prepare(place, passes)
        except BaseException:
            self._leave("refused")
            raise
        answer: Future[Reward] = Future()
        if job.unit is None:
            found = job.reward()
            answer.set_result(found)
            self._leave(found.outcome.value)
            return Ticket("", answer)
        since = time.monotonic()
        self._inbox.put(lambda: self._take(job, answer, since))
        return Ticket(job.unit.id, answer)

    def cancel(self, ticket: Ticket) -> None:
        """The client went away. What is not begun is dropped; what is being judged goes on."""
        self._inbox.put(lambda: self._drop(ticket.id))

    def stop(self) -> None:
        """Accept no more, and tell all who wait that there is no reward. Returns at once, also from a signal."""
        self._stopping.set()

    def close(self) -> None:
        """Stop, and wait until devices and processes are given back."""
        self.stop()
        self._thread.join()

    @property
    def limit(self) -> int:
        """The most requests that may wait or be judged."""
        return self._most + len(self._session.engine.fleet.devices)

    @property
    def unfinished(self) -> int:
        """Requests that wait or are being judged."""
        return self._unfinished

    def devices(self) -> dict[str, str]:
        """What each device does."""
        return self._session.engine.states()

    # --- counting, from any thread ---------------------------------------------------------------------------

    def _admit(self) -> None:
        with self._lock:
            if self._stopping.is_set():
                raise NoReward("the service is stopping")
            if self._unfinished >= self.limit:
                self.figures.answers["refused"] += 1
                raise QueueFull(f"{self._unfinished} requests are waiting or being judged; at most {self.limit} may")
            self._unfinished += 1

    def _leave(self, how: str, seconds: float = 0.0) -> None:
        with self._lock:
            self._unfinished -= 1
            self.figures.answers[how] += 1
            self.figures.seconds += seconds

    # --- the service's own thread ----------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            session = self._open_session()
        except BaseException as error:  # noqa: BLE001 - `start` waits for it in another thread, and raises it there
            self._opened.set_exception(error)
            return
        self._opened.set_result(session)
        try:
            with session:
                self._until_stopped(session)
        finally:  # whatever happened to this thread, nobody waits for ever
            self.stop()
            self._refuse_rest()

    def _until_stopped(self, session: RewardSession) -> None:
        while not self._stopping.is_set():
            self._next_call(session)
            self._refuse_late(session)
            for event in session.engine.poll(_BUSY_S) if session.engine.unfinished else ():
                job, _ = self._jobs[event.unit]
                job.take(event)
                if job.finished:
                    self._answer(event.unit)

    def _next_call(self, session: RewardSession) -> None:
        """Everything that other threads asked for. Waits for the first where there is nothing else to do."""
        try:
            call = self._inbox.get(timeout=0.0 if session.engine.unfinished else _IDLE_S)
            while True:
                call()
                call = self._inbox.get_nowait()
        except queue.Empty:
            return

    def _take(self, job: RewardJob, answer: Future[Reward], since: float) -> None:
        assert job.unit is not None
        self._jobs[job.unit.id] = (job, answer)
        self._waiting[job.unit.id] = since
        self._session.engine.submit(job.unit)

    def _refuse_late(self, session: RewardSession) -> None:
        """Tell those who have waited too long for a device. That says nothing of their passes."""
        long_ago = time.monotonic() - session.limit_s
        while self._waiting and self._waiting[id := next(iter(self._waiting))] <= long_ago:
            del self._waiting[id]
            if id in self._jobs and session.engine.cancel(id):
                _, answer = self._jobs.pop(id)
                self._leave("no_reward")
                answer.set_exception(NoReward(f"no device was free for {session.limit_s:g} s; ask again"))

    def _drop(self, id: str) -> None:
        if id in self._jobs and self._session.engine.cancel(id):
            _, answer = self._jobs.pop(id)
            answer.cancel()
            self._leave("cancelled")

    def _answer(self, id: str) -> None:
        job, answer = self._jobs.pop(id)
        try:
            found = job.reward()
        except NoReward as failure:
            self._leave("no_reward")
            answer.set_exception(failure)
        else:
            self._leave(found.outcome.value, found.seconds)
            answer.set_result(found)

    def _refuse_rest(self) -> None:
        while True:
            try:
                self._inbox.get_nowait()()
            except queue.Empty:
                break
        for id in list(self._jobs):
            _, answer = self._jobs.pop(id)
            self._leave("no_reward")
            answer.set_exception(NoReward("the service is stopping"))
