"""One deadline for a whole request: from the first byte that is sent to the last one of the answer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from passnet.agent.authors.model.faults import Fault, FaultKind

T = TypeVar("T")


def within(limit_s: float, request: Callable[[], T], end: Callable[[], object]) -> T:
    """The result of a request. Raises Fault where it takes longer, and calls `end`, which should close its connection.

    HTTP libraries count their limit anew for every read, so an answer that comes drop by drop never reaches it.
    """
    results = queue.SimpleQueue[tuple[bool, T | BaseException]]()

    def ask() -> None:
        try:
            results.put((True, request()))
        except BaseException as error:  # noqa: BLE001  any error belongs to the thread that asked
            results.put((False, error))

    threading.Thread(target=ask, name="request", daemon=True).start()
    try:
        answered, found = results.get(timeout=limit_s)
    except queue.Empty:
        with suppress(Exception):  # the fault is told in any case, and the thread ends with this process
            end()
        raise Fault(FaultKind.TRANSIENT, "no answer in time") from None
    if isinstance(found, BaseException) and not answered:
        raise found
    return found  # type: ignore[return-value]
