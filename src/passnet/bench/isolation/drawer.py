"""The drawer: a trusted process that draws the inputs of calls on the core of the workers, before all of them.

It also says how fast that core is. Where it may not draw, that is all it does.

While it draws, no worker runs. No key ever enters a worker. So nobody can compute with inputs before their call. The
worker whose call is due rings for it (`bench/wire/orders.py`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.isolation.fork_server import ForkServer
from passnet.bench.isolation.worker_process import Worker, WorkerFailure, WorkerOptions, reference_limits
from passnet.bench.wire.orders import OrderPage, Standing
from passnet.bench.wire.replies import R
from passnet.bench.wire.requests import AddDraws, DropDraws, Request, TakeOrders
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.errors import InfrastructureError

_REQUEST_S, _LOOK_AGAIN_S = 60.0, 0.001


@dataclass
class Drawer:
    """The process, and the page on which it gets its orders.

    `standing`: how it goes before the workers of its cores. `draws`: whether it draws the inputs of calls.
    """

    worker: Worker
    page: OrderPage
    standing: Standing
    draws: bool

    @classmethod
    def start(cls, fork_server: ForkServer, cores: tuple[int, ...], logs: Path, *, draws: bool = True) -> Drawer:
        """A drawer for these cores. It does not draw where this system lets no process go before the others."""
        options = WorkerOptions("drawer", reference_limits(), cores, 1, logs / "drawer.log", private=True)
        worker, page = Worker(fork_server, options), OrderPage.create()
        if len(cores) > 1:  # the first core that a worker's ring wakes could draw before the others are held
            page.patience_s = 0.0
        drawer = cls(worker, page, Standing.ALIKE, draws)
        try:
            worker.request(TakeOrders(cores=cores), _REQUEST_S, page.fds)
            drawer.standing = _standing(page)
        except WorkerFailure as error:
            drawer.close()
            raise InfrastructureError(f"the inputs of calls cannot be drawn: {error}; see {options.log}") from error
        drawer.draws = draws and drawer.standing is not Standing.ALIKE
        return drawer

    def add(self, buffers: SharedBuffers, tables: SharedBuffers) -> DrawnByOrder:
        """Draw into these places from these tables from now on. It keeps the tables."""
        request = AddDraws(places=buffers.layout, tables=tables.layout)
        first = self._ask(request, (buffers.fd, tables.fd)).first
        return DrawnByOrder(self, first, buffers.layout.places, tables)

    def core_ns(self, core: int | None = None) -> int:
        """Nanoseconds of a fixed piece of work on this core now, where the drawer works from then on.

        None: where it is. Only a drawer of one core may be sent to another. InfrastructureError without an answer.
        """
        took = self.page.core_ns(core, _REQUEST_S)
        if took < 0:
            raise InfrastructureError(f"the drawer gave no answer in {_REQUEST_S:g} s; see {self.worker.options.log}")
        return took

    def drop(self, first: int) -> None:
        self._ask(DropDraws(first=first))

    def close(self) -> None:
        self.page.close()
        self.worker.close()

    def _ask(self, request: Request[R], fds: tuple[int, ...] = ()) -> R:
        try:
            return self.worker.request(request, _REQUEST_S, fds)
        except WorkerFailure as error:
            raise InfrastructureError(f"the drawer failed: {error}; see {self.worker.options.log}") from error


@dataclass
class DrawnByOrder:
    """Draws into the places of one worker: `DrawnPlaces`."""

    drawer: Drawer
    first: int
    places: int
    tables: SharedBuffers

    @property
    def page(self) -> OrderPage:
        return self.drawer.page

    def job(self, draw: int, place: int) -> int:
        return self.first + draw * self.places + place

    def close(self) -> None:
        if self.drawer.worker.alive:
            self.drawer.drop(self.first)
        self.tables.close()


def _standing(page: OrderPage) -> Standing:
    deadline = time.monotonic() + _REQUEST_S
    while page.standing < 0:
        if time.monotonic() > deadline:
            raise InfrastructureError(f"the drawer did not start within {_REQUEST_S:g} s")
        time.sleep(_LOOK_AGAIN_S)
    return Standing(page.standing)
