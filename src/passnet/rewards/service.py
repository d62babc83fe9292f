"""The part of `passnet serve` that knows no HTTP: a bounded queue in front of a session, served by one thread."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from passnet.errors import PassNetError, UsageError
from passnet.rewards.catalogue import TaskCatalogue
from passnet.rewards.definition import NoReward, Reward
from passnet.rewards.readers import PassReader, PassReaders
from passnet.rewards.reading import Passes, ReadPasses, ReadsPasses, check_texts
from passnet.rewards.request import RewardJob
from passnet.rewards.session import RewardSession
from passnet.rewrite.policy.names import Level

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


@dataclass(eq=False)
class Ticket:
    """A request that was accepted. `answer` raises NoReward when the machine failed, UsageError for malformed passes.

    `begun`: its passes are being read, or were. `reader`: what reads them now. `unit`: what is judged, once they are
    read. `left`: nobody waits any more.
    """

    answer: Future[Reward] = field(default_factory=Future)
    begun: bool = False
    reader: PassReader | None = None
    unit: str | None = None
    left: bool = False


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
        self._readers = PassReaders()
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._jobs: dict[str, tuple[RewardJob, Future[Reward]]] = {}
        self._waiting: dict[str, float] = {}
        self._unfinished = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._opened: Future[RewardSession] = Future()
        # Done when the thread has ended. Its error is what ended the thread before it was told to stop.
        self.ended: Future[None] = Future()
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

    def submit(self, task: str, passes: Mapping[str, str]) -> Ticket:
        """Accept a request.

        Raises QueueFull, UnknownTask, NoReward when the service stops, and UsageError for passes that are no files.
        Their texts are read later.
        """
        place = self.place_of(task)
        self._admit()
        ticket = Ticket()
        try:
            check_texts(passes)
            self._readers.begin(lambda reader: self._read(reader, ticket, place, passes))
        except BaseException as error:
            self._leave("refused")
            if isinstance(error, RuntimeError):  # no more threads begin
                raise NoReward("no thread can be started, or the service is stopping") from error
            raise
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """The client went away. What is being judged goes on. All else is dropped, and no longer read."""
        with self._lock:
            ticket.left, begun, unit = True, ticket.begun, ticket.unit
            if ticket.reader is not None:
                ticket.reader.end()
        if unit is not None:
            self._inbox.put(lambda: self._drop(unit))
        elif not begun:
            self._end_unread(ticket, NoReward("the client went away"))

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

    @property
    def running(self) -> bool:
        """Whether requests are accepted and answered."""
        return not self._stopping.is_set() and not self.ended.done()

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

    # --- the threads that read -------------------------------------------------------------------------------

    def _read(self, reader: PassReader, ticket: Ticket, place: Path, passes: Mapping[str, str]) -> None:
        """Read the passes of a request, and hand it to the service's own thread, or answer it."""
        with self._lock:
            if ticket.left:
                return
            ticket.begun = True
        try:
            if self._stopping.is_set():
                raise NoReward("the service is stopping")
            job = self._session.prepare(place, passes, self._reading(reader, ticket))
        except BaseException as error:  # noqa: BLE001 - who waits for the answer raises it there
            self._end_unread(ticket, error)
            return
        if job.unit is None:
            self._end_read(ticket, job)
            return
        with self._lock:
            if not ticket.left:
                ticket.unit, since = job.unit.id, time.monotonic()
                self._inbox.put(lambda: self._take(job, ticket.answer, since))
                return
        self._end_unread(ticket, NoReward("the client went away"))

    @contextmanager
    def _held(self, reader: PassReader, ticket: Ticket) -> Iterator[None]:
        """A ticket's reader is its own meanwhile, and may be ended for its sake. NoReward where nobody waits."""
        with self._lock:
            if ticket.left:
                raise NoReward("the client went away")
            ticket.reader = reader
        try:
            yield
        finally:
            with self._lock:
                ticket.reader = None

    def _reading(self, reader: PassReader, ticket: Ticket) -> ReadsPasses:
        def read(passes: Passes, const: Path | None, level: Level) -> ReadPasses:
            with self._held(reader, ticket):
                return reader.read(passes, const, level)

        return read

    def _end_unread(self, ticket: Ticket, error: BaseException) -> None:
        if ticket.left:
            self._leave("cancelled")
            ticket.answer.cancel()
            return
        self._leave("no_reward" if isinstance(error, NoReward) else "refused")
        ticket.answer.set_exception(error)

    def _end_read(self, ticket: Ticket, job: RewardJob) -> None:
        """Answer a request whose reward is known without running anything."""
        try:
            found = job.reward()
        except NoReward as failure:
            self._end_unread(ticket, failure)
            return
        self._leave(found.outcome.value)
        ticket.answer.set_result(found)

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
                try:
                    self._until_stopped(session)
                finally:  # whatever happened to this thread, nobody waits for ever, nor until devices are given back
                    self.stop()
                    self._readers.close()
                    self._refuse_rest()
        except BaseException as error:  # noqa: BLE001 - whoever looks at `ended` is told in another thread
            self.ended.set_exception(error)
        else:
            self.ended.set_result(None)

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
