"""Answers what the protocol cannot read. The library drops it, and the client would wait for ever."""

from __future__ import annotations

import json
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from passnet.authored import is_text

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

# A model writes these lines, so the reason must not repeat them.
_LONGEST = 300


class AnsweredStream:
    """The messages of `incoming` that could be read. The others are answered on `outgoing` with an error."""

    def __init__(self, incoming: ReadStream[SessionMessage | Exception], outgoing: WriteStream[SessionMessage]) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    @property
    def last_context(self) -> Any:
        """What the library keeps beside the last message."""
        return getattr(self._incoming, "last_context", None)

    async def receive(self) -> SessionMessage:
        while isinstance(item := await self._incoming.receive(), Exception):
            await self._outgoing.send(SessionMessage(_refusal(item)))
        return item

    async def aclose(self) -> None:
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _refusal(error: Exception) -> JSONRPCError:
    if not isinstance(error, ValidationError):
        return _error(None, PARSE_ERROR, str(error))
    found = error.errors(include_url=False, include_context=False)
    asked = next((number for each in found if (number := _id_in(each["input"])) is not None), None)
    if found[0]["type"] == "json_invalid":
        return _error(asked, PARSE_ERROR, found[0]["msg"])
    return _error(asked, INVALID_REQUEST, f"no message of JSON-RPC 2.0: {found[0]['msg']}")


def _error(asked: int | str | None, code: int, reason: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=asked, error=ErrorData(code=code, message=reason[:_LONGEST]))


def _id_in(request: object) -> int | str | None:
    """The id of a request, or of its text. Python's own reader takes half characters, and deeper nesting."""
    try:
        request = json.loads(request) if isinstance(request, str) else request
    except (ValueError, RecursionError):
        return None
    asked = request.get("id") if isinstance(request, dict) and "method" in request else None
    is_name = isinstance(asked, str) and is_text(asked)
    return asked if is_name or (isinstance(asked, int) and not isinstance(asked, bool)) else None
