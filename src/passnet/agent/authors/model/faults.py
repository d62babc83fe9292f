"""The faults of an endpoint, and the next action for each: a table by status and words of an answer."""

from __future__ import annotations

import email.utils
import json
import re
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum


class FaultKind(StrEnum):
    """The next action, by the author or by the user.

    `transient`: ask again. `unreachable`: no server answers. `setup`: asking again is useless before the user acts.
    `request`: this request is refused. `context`: the request is too long for the model. `no_tools`: the endpoint
    accepts no tools.
    """

    TRANSIENT = "transient"
    UNREACHABLE = "unreachable"
    SETUP = "setup"
    REQUEST = "request"
    CONTEXT = "context"
    NO_TOOLS = "no_tools"


class Fault(Exception):
    """A request without a usable answer.

    `wait_s` is the time that the endpoint asks to wait. None when it does not say.
    """

    def __init__(self, kind: FaultKind, text: str, *, hint: str | None = None, wait_s: float | None = None) -> None:
        super().__init__(text)
        self.kind, self.text, self.hint, self.wait_s = kind, text, hint, wait_s


_CONTEXT = re.compile(
    r"context.{0,12}length|context.{0,12}(window|size)|maximum context|prompt is too long|too many (input )?tokens|"
    r"input (is |length ).{0,20}(too long|exceed)|exceeds? the (maximum|limit) .{0,20}tokens",
    re.IGNORECASE | re.DOTALL,
)
_TOOLS = re.compile(r"\btools?\b|tool[_-]choice|function.?call", re.IGNORECASE)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit balance", re.IGNORECASE)
# The meaning of a status when no words say otherwise, and what to do.
_STATUS: Mapping[int, tuple[FaultKind, str | None]] = {
    401: (FaultKind.SETUP, "the endpoint refuses the key"),
    402: (FaultKind.SETUP, "the account has no credit"),
    403: (FaultKind.SETUP, "the key may not use this model"),
    404: (FaultKind.SETUP, "look at the name of the model and at --base-url, which mostly ends in /v1"),
    408: (FaultKind.TRANSIENT, None),
    409: (FaultKind.TRANSIENT, None),
    425: (FaultKind.TRANSIENT, None),
    429: (FaultKind.TRANSIENT, None),
}
_MAY_TELL_OF_TOOLS = frozenset({400, 404, 405, 415, 422, 500, 501})
_MAY_TELL_OF_LENGTH = frozenset({400, 413, 422, 500})
_LENGTH = 300


def redacted(value: object, secrets: Sequence[str]) -> object:
    """The data of an answer, with three dots for every secret in its texts. An endpoint may repeat the key that it got.

    Raises RecursionError for data that is nested too deep.
    """
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "...")
        return value
    if isinstance(value, dict):
        return {redacted(name, secrets): redacted(item, secrets) for name, item in value.items()}
    return [redacted(item, secrets) for item in value] if isinstance(value, list) else value


def fault_of(error: Exception, secrets: Sequence[str] = ()) -> Fault:
    """The fault behind an exception of the openai library, or behind an error of reading an answer.

    litellm's exceptions are made of those of the openai library.
    """
    import openai

    text = _line(error, secrets)
    status = getattr(error, "status_code", None)
    if isinstance(error, openai.APITimeoutError):
        return Fault(FaultKind.TRANSIENT, "no answer in time")
    if isinstance(error, openai.APIConnectionError) or _nobody_there(error):
        return Fault(
            FaultKind.UNREACHABLE if _nobody_there(error) else FaultKind.TRANSIENT,
            f"no connection: {_root(error, secrets)}",
        )
    if not isinstance(status, int):
        return Fault(FaultKind.TRANSIENT, f"an answer that cannot be read: {text}")
    return _of_status(status, text, _wait_s(error))


def _of_status(status: int, text: str, wait_s: float | None) -> Fault:
    told = f"status {status}: {text}"
    if status in _MAY_TELL_OF_LENGTH and _CONTEXT.search(text):
        return Fault(FaultKind.CONTEXT, told)
    if status in _MAY_TELL_OF_TOOLS and _TOOLS.search(text):
        return Fault(FaultKind.NO_TOOLS, told)
    if status == 429 and _QUOTA.search(text):
        return Fault(FaultKind.SETUP, told, hint="the account has no credit")
    kind, hint = _STATUS.get(status, (FaultKind.TRANSIENT if status >= 500 else FaultKind.REQUEST, None))
    return Fault(kind, told, hint=hint, wait_s=wait_s)


def _line(error: Exception, secrets: Sequence[str]) -> str:
    """The endpoint's own words on one line of bounded length, without any key."""
    body = getattr(error, "body", None)
    words = body.get("message") if isinstance(body, dict) else None
    code = body.get("code") if isinstance(body, dict) else None
    text = f"{words} ({code})" if words and code else str(words or getattr(error, "message", None) or error)
    text = " ".join(str(redacted(text, secrets)).split()) or type(error).__name__
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]} ..."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _nobody_there(error: Exception) -> bool:
    """No connection was made. It was refused, or the host has no address."""
    return any(
        isinstance(cause, ConnectionRefusedError | socket.gaierror) or type(cause).__name__ == "ConnectError"
        for cause in _causes(error)
    )


def _root(error: Exception, secrets: Sequence[str]) -> str:
    """The first cause of a lost connection."""
    last = list(_causes(error))[-1]
    return " ".join(str(redacted(str(last), secrets)).split())[:_LENGTH] or type(last).__name__


def _wait_s(error: Exception) -> float | None:
    """Seconds from `retry-after-ms` or `retry-after`, a number or a date.

    None without either, or if the value makes no sense.
    """
    names = ("retry-after-ms", "retry-after")
    everywhere = (_headers(cause) for cause in _causes(error))  # litellm's own errors have lost them
    headers = next((found for found in everywhere if any(name in found for name in names)), {})
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            found = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return found if 0 <= found < float("inf") else None
    try:
        date = email.utils.parsedate_to_datetime(headers["retry-after"])
    except (KeyError, TypeError, ValueError):
        return None
    return max(0.0, date.timestamp() - time.time())


def _headers(error: BaseException) -> Mapping[str, str]:
    found: Mapping[str, str] | None = getattr(getattr(error, "response", None), "headers", None)
    return found or {}


def garbled(found: object) -> Fault:
    """The answer has another form than the API's. A service behind the endpoint may have failed.

    `found` was redacted before.
    """
    words = json.dumps(found, default=str) if not isinstance(found, str) else found
    return Fault(
        FaultKind.TRANSIENT, f"an answer that cannot be read: {' '.join(words.split())[:_LENGTH] or 'nothing'}"
    )
