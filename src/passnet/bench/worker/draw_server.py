"""The code of the drawer process: it maps places and tables, and does the jobs that are ordered."""

from __future__ import annotations

from dataclasses import dataclass, field

from passnet.bench.wire.orders import OrderPage, OrderTaker
from passnet.bench.wire.replies import Done, DrawsAdded
from passnet.bench.wire.requests import AddDraws, DropDraws, TakeOrders
from passnet.bench.wire.shared_buffers import SharedBuffers


@dataclass
class DrawServer:
    """The jobs of all workers, by the number of their first one."""

    taker: OrderTaker
    opened: dict[int, tuple[int, SharedBuffers, SharedBuffers]] = field(default_factory=dict)

    @classmethod
    def start(cls, request: TakeOrders, fds: list[int]) -> DrawServer:
        server = cls(OrderTaker(OrderPage.open(fds), request.cores))
        server.taker.start()
        return server

    def add(self, request: AddDraws, fds: list[int]) -> DrawsAdded:
        """Jobs for every draw into every place, in this order."""
        buffers, tables = (
            SharedBuffers.open(layout, fd, None)
            for layout, fd in zip((request.places, request.tables), fds, strict=True)
        )
        jobs = [tables.filled(place, draw) for draw in range(len(tables.tables)) for place in buffers.places]
        first = self.taker.add(jobs)
        self.opened[first] = len(jobs), buffers, tables
        return DrawsAdded(first=first)

    def drop(self, request: DropDraws) -> Done:
        count, buffers, tables = self.opened.pop(request.first)
        self.taker.drop(request.first, count)
        buffers.close()
        tables.close()
        return Done()
