"""What is done beside other work: programs, each in a worker of its own, and what is reckoned in the controller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from passnet.bench.isolation.worker_pair import Role
from passnet.bench.wire.replies import ProgramBuilt

T = TypeVar("T")
_Key = tuple[int, Role | Literal["frozen"]]


@dataclass(frozen=True)
class MadeProgram:
    """A program that lies ready in a worker. `not_frozen`: rules whose calls are not replayed, and why.

    `seconds`: what it took to make it, by the controller's clock. None: nobody looked.
    """

    built: ProgramBuilt
    not_frozen: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None


@dataclass
class BuildsAhead:
    """The builds of one graph, by pair and role. Who takes one waits for it, and gets its failure."""

    _begun: dict[_Key, Future[MadeProgram]] = field(default_factory=dict)
    _beside: list[Future[Any]] = field(default_factory=list)
    _threads: ThreadPoolExecutor | None = None

    def begin(self, key: _Key, build: Callable[[], MadeProgram]) -> None:
        self._begun[key] = self._pool.submit(build)

    def beside(self, reckon: Callable[[], T]) -> Future[T]:
        """Begin something that needs no worker. It is waited for with the builds."""
        begun = self._pool.submit(reckon)
        self._beside.append(begun)
        return begun

    def has(self, key: _Key) -> bool:
        return key in self._begun

    def begun(self, key: _Key) -> Future[MadeProgram] | None:
        """This one, whether or not it has ended. None where it is not there."""
        return self._begun.get(key)

    def take(self, key: _Key) -> Future[MadeProgram] | None:
        """The build, which is forgotten here. None where there is none."""
        return self._begun.pop(key, None)

    def wait(self, pair: int | None = None) -> None:
        """Until all have ended, in whatever way, or those of one pair."""
        if pair is None:
            wait([*self._begun.values(), *self._beside])
        else:
            wait([build for (index, _), build in self._begun.items() if index == pair])

    def settle(self) -> None:
        """Let no thread use a worker any more. Builds that nobody took are forgotten with their failures."""
        self.wait()
        self._begun.clear()
        self._beside.clear()
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None

    @property
    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(max_workers=32, thread_name_prefix="build")
        return self._threads
