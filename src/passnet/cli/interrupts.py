"""Ctrl-C and SIGTERM end a command in order. What comes while a module is imported waits until the import is done.

An exception in the middle of an import leaves modules half made, and some libraries swallow it. This module imports
little, so that signals are heard before the commands and their libraries are imported.
"""

from __future__ import annotations

import _thread
import signal
import threading
import time
from dataclasses import dataclass
from types import FrameType

_IMPORTS = frozenset({"<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"})
_OURS = __file__.removesuffix("cli/interrupts.py")
# How often a signal that waits is looked at again, and how long an import may keep it.
_AGAIN_S, _LONGEST_S = 0.05, 30.0


@dataclass
class _Held:
    """A signal that waits. `since`: None when there is none. `looks`: how often its handler has run."""

    since: float | None = None
    looks: int = 0


_held = _Held()


def listen() -> None:
    """Let both signals be a KeyboardInterrupt in the main thread, but none inside an import of others.

    A signal that is ignored, or has another handler, stays as it is. Another call changes nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _come)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _come)


def waiting() -> bool:
    """Whether a signal came that nothing has heard of yet. After this it is heard."""
    came, _held.since = _held.since is not None, None
    return came


def _come(number: int, frame: FrameType | None) -> None:
    now = time.monotonic()
    first = _held.since is None
    began = now if _held.since is None else _held.since
    waits = _is_importing(frame) and now - began < _LONGEST_S
    _held.since = began if waits else None
    _held.looks += 1
    if not waits:
        raise KeyboardInterrupt
    if first:  # without the locks of `threading`, which the main thread may hold
        _thread.start_new_thread(_send_again, (number, threading.main_thread().ident or 0))


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module of others is half made. Those of this package have nothing that swallows the exception."""
    others = False
    while frame is not None:
        file = frame.f_code.co_filename
        if others and file in _IMPORTS:
            return True
        others = others or not (file in _IMPORTS or file.startswith(_OURS))
        frame = frame.f_back
    return False


def _send_again(number: int, main: int) -> None:
    """Send a signal that waits, each time after the last one was looked at, until none waits."""
    time.sleep(_AGAIN_S)
    while _held.since is not None:
        looks = _held.looks
        signal.pthread_kill(main, number)
        while _held.looks == looks:
            time.sleep(_AGAIN_S)
        time.sleep(_AGAIN_S)
