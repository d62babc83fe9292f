"""The HTTP side of `passnet serve`, on starlette and uvicorn: `POST /reward`, `GET /health`, `GET /metrics`."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Annotated

import uvicorn
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passnet.errors import InfrastructureError, PassNetError, UsageError, described
from passnet.rewards import connection
from passnet.rewards.definition import NoReward
from passnet.rewards.service import QueueFull, RewardService, Ticket, UnknownTask

MAX_BODY_BYTES = 4 << 20
_MOST_DISCARDED = 64 << 20
# Connections beside those that wait for a reward: for /health, /metrics, and who is told that the queue is full.
_MORE_CONNECTIONS = 64
# How often a waiting request looks whether its client is still there.
_LOOK_EVERY_S = 0.25
_CLIENT_GONE = 499


class RewardRequest(BaseModel):
    """The body of `POST /reward`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    task: Annotated[str, Field(min_length=1, max_length=4096)]
    passes: dict[str, str]


def application(service: RewardService) -> Starlette:
    """The routes over a service that was started."""

    async def reward(request: Request) -> Response:
        if "origin" in request.headers:  # a page in a browser of this machine, sent by anybody
            return JSONResponse({"error": "pages in browsers are not answered"}, status_code=403)
        try:
            asked = RewardRequest.model_validate_json(await _body(request))
            ticket = await run_in_threadpool(service.submit, asked.task, asked.passes)
            return await _answer(request, service, ticket)
        except (ClientDisconnect, _TooLarge, _TooSlow, ValidationError, PassNetError) as error:
            return _refusal(error)

    async def health(_request: Request) -> Response:
        devices = service.devices()
        well = service.running and not all(state.startswith("failed") for state in devices.values())
        return JSONResponse({"ok": well, "devices": devices}, status_code=200 if well else 503)

    async def metrics(_request: Request) -> Response:
        return PlainTextResponse("\n".join(_metrics(service)) + "\n", media_type="text/plain; version=0.0.4")

    routes = [Route("/reward", reward, methods=["POST"]), Route("/health", health), Route("/metrics", metrics)]
    return Starlette(routes=routes, exception_handlers={Exception: _fault}, middleware=[Middleware(_Stops)])


def bound(host: str, port: int, *, public: bool) -> socket.socket:
    """A socket that is bound. UsageError for a port in use, and for an address of others unless `public`."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise UsageError("is not the name of a host", field="--host", found=repr(host)) from error
    if not public and not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback:
        raise UsageError(
            f"{host} can be reached from other machines",
            field="--host",
            expected="127.0.0.1 or localhost",
            hint="--public serves it anyway; whoever reaches it can use the devices",
        )
    sock = socket.socket(family, kind)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
        sock.listen(connection.BACKLOG)  # so that a second service sees at once that the port is taken
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                "is in use", field="--port", found=port, hint="stop the other program, or give another"
            ) from error
        raise UsageError(f"cannot be used: {error.strerror}", field="--port", found=port) from error
    return sock


def serve(service: RewardService, sock: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM, which then is a KeyboardInterrupt. Who still waits is answered with 503.

    InfrastructureError when the service ends by itself, so that a supervisor starts it again. UsageError for more
    connections than this process may have files.

    `ready` is called as soon as a signal ends the service in order. An exception in the middle of what the server does
    (an import, a callback) could come out as another one.
    """
    most = service.limit + _MORE_CONNECTIONS
    connection.make_room(most)
    config = uvicorn.Config(
        application(service),
        http=connection.connections(most),
        ws="none",
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=5,
        backlog=connection.BACKLOG,
    )
    server = _Server(config, service)
    service.ended.add_done_callback(server.leave)
    before = {each: signal.signal(each, server.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        ready()
        server.run(sockets=[sock])
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    if service.ended.done() and (failure := service.ended.exception()) is not None:
        raise InfrastructureError(f"the service ended: {described(failure)}") from failure
    if server.signalled:
        raise KeyboardInterrupt


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, service: RewardService) -> None:
        super().__init__(config)
        self._service = service
        self.signalled = False

    def leave(self, _ended: object) -> None:
        """Stop without a signal. Called in the service's thread."""
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.signalled = True
        self._service.stop()
        super().handle_exit(sig, frame)


class _Stops:
    """Answers requests that are cancelled, because the service stops and has waited for them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = False

        async def sends(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self._app(scope, receive, sends)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not began:
                await _refusal(NoReward("the service is stopping"))(scope, receive, send)


class _TooLarge(Exception):
    """The body has more bytes than are read. `more`: some are still to come."""

    def __init__(self, *, more: bool) -> None:
        super().__init__(f"the body is too large; expected at most {MAX_BODY_BYTES} bytes")
        self.more = more


class _TooSlow(Exception):
    """The body did not come in time."""

    def __init__(self) -> None:
        super().__init__(f"the body did not come within {connection.PATIENCE_S:g} s")


async def _body(request: Request) -> bytes:
    """The body. Raises _TooLarge as soon as that is known, by the head if it tells the length."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > MAX_BODY_BYTES):
        raise _TooLarge(more=True)
    body, more = bytearray(), True
    try:
        async with asyncio.timeout(connection.PATIENCE_S):
            while more:
                message = await request.receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > MAX_BODY_BYTES:
                    raise _TooLarge(more=more)
    except TimeoutError:
        raise _TooSlow from None
    return bytes(body)


class _BeforeTheBody(JSONResponse):
    """A refusal that does not wait for the rest of the body.

    What comes of it is thrown away for a while. A client that sends all before it reads would see no answer otherwise.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        await send(head)
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        left, more = _MOST_DISCARDED, True
        with suppress(TimeoutError):
            async with asyncio.timeout(connection.PATIENCE_S):
                while more and left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    more = message.get("more_body", False)
        await send({"type": "http.response.body", "body": b""})


async def _answer(request: Request, service: RewardService, ticket: Ticket) -> Response:
    waiting = asyncio.wrap_future(ticket.answer)
    while not waiting.done():
        await asyncio.wait([waiting], timeout=_LOOK_EVERY_S)
        if not waiting.done() and await request.is_disconnected():
            service.cancel(ticket)
            waiting.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody else looks
            return Response(status_code=_CLIENT_GONE)
    return JSONResponse(waiting.result().to_json())


# What went wrong, and the status that says so. The first row that fits counts.
_STATUS: tuple[tuple[type[Exception], int], ...] = (
    (ClientDisconnect, _CLIENT_GONE),
    (_TooLarge, 413),
    (_TooSlow, 408),
    (UnknownTask, 404),
    (UsageError, 400),
    (ValidationError, 400),
    (QueueFull, 503),
    (InfrastructureError, 503),
)


def _refusal(error: Exception) -> Response:
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    reason = str(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        reason = f"{'.'.join(str(part)[:80] for part in first['loc'][:3]) or 'the body'}: {first['msg'][:300]}"
    if isinstance(error, _TooLarge | _TooSlow):
        unread = isinstance(error, _TooLarge) and error.more
        kind = _BeforeTheBody if unread else JSONResponse
        return kind({"error": reason}, status_code=status, headers={"Connection": "close"})
    headers = {"Retry-After": "5"} if status == 503 else None
    return JSONResponse({"error": reason}, status_code=status, headers=headers)


def _fault(_request: Request, error: Exception) -> Response:
    """The answer where the service itself fails. No reward follows from it; the log has the rest."""
    return JSONResponse({"error": f"the service failed: {type(error).__name__}"}, status_code=500)


def _metrics(service: RewardService) -> Iterator[str]:
    yield "# HELP passnet_rewards_total Requests answered, by outcome."
    yield "# TYPE passnet_rewards_total counter"
    for how, count in sorted(service.figures.answers.items()):
        yield f'passnet_rewards_total{{outcome="{how}"}} {count}'
    yield "# HELP passnet_judging_seconds_total Time that devices spent on rewards."
    yield "# TYPE passnet_judging_seconds_total counter"
    yield f"passnet_judging_seconds_total {service.figures.seconds:.3f}"
    yield "# HELP passnet_unfinished Requests that wait or are being judged."
    yield "# TYPE passnet_unfinished gauge"
    yield f"passnet_unfinished {service.unfinished}"
    yield "# HELP passnet_device_up Whether a device can be used."
    yield "# TYPE passnet_device_up gauge"
    for device, state in service.devices().items():
        yield f'passnet_device_up{{device="{device}"}} {int(service.running and not state.startswith("failed"))}'
