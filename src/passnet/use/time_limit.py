"""Ends what is under way in this process when its time is over, as Ctrl-C would."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# What swallowed the first interruption is interrupted again after so many seconds.
_AGAIN_S = 10.0
_SIGNAL = signal.SIGUSR2


class TimeIsOver(KeyboardInterrupt):
    """The time of a stage is over. Whatever cleans up after Ctrl-C does so here too."""


@contextmanager
def time_limit(left_s: Callable[[], float | None]) -> Iterator[None]:
    """Raises TimeIsOver in the block when no seconds are left. None: any time.

    `left_s` is asked again when the seconds that it gave have passed, for waiting may not count. Blocks do not lie
    inside each other. Torch and system calls end first. Only the main thread can be interrupted: in another one the
    block runs to its end.
    """
    if left_s() is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    done = threading.Event()
    main = threading.get_ident()

    def watch() -> None:
        while (left := left_s()) is None or left > 0:
            if done.wait(left):
                return
        while not done.is_set():
            signal.pthread_kill(main, _SIGNAL)
            done.wait(_AGAIN_S)

    def interrupt(number: int, frame: object) -> None:
        if not done.is_set():
            raise TimeIsOver

    before = signal.signal(_SIGNAL, interrupt)
    watcher = threading.Thread(target=watch, name="time-limit", daemon=True)
    try:
        try:
            watcher.start()
            yield
        finally:
            done.set()
    finally:  # an interruption may have come before the line above
        done.set()
        watcher.join()
        signal.signal(_SIGNAL, before)
