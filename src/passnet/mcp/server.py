"""The server: the protocol on standard input and output in one thread, the device and the episodes in the caller's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from passnet import __version__, environment
from passnet.agent.record.exports.turns import SYSTEM
from passnet.agent.run.request import AgentRequest
from passnet.agent.run.session import Opener
from passnet.errors import InfrastructureError
from passnet.mcp.hand_over import Asked, HandOver, Reply
from passnet.mcp.service import Service

INSTRUCTIONS = f"{SYSTEM} Call open_task first: it says what the task is and how far its episode has come."
# Tools that change something, and those of them that overwrite or remove.
_CHANGES = frozenset({"open_task", "create", "str_replace", "insert", "delete", "submit"})
_OVERWRITES = frozenset({"create", "str_replace", "delete"})
# How often a client that waits hears that something goes on, and how long a last answer may take to reach it.
_PING_S, _GRACE_S = 5.0, 1.0


def serve(request: AgentRequest, open_bench: Opener | None = None) -> dict[str, Any] | None:
    """Serve one run until the client leaves: its summary, None where nothing was asked.

    UsageError for a bad task or device before anything is said or written. Standard output carries the protocol only.
    """
    environment.check_device(request.device)
    desk = HandOver()
    service = Service(desk, request)
    tools = [_tool(schema["function"]) for schema in service.tools()]
    thread = threading.Thread(target=_speak, args=(desk, tools), daemon=True, name="mcp")
    thread.start()
    try:
        found = service.run(open_bench)
    finally:
        desk.close(Reply("the server is stopping", ok=False))
        thread.join(_GRACE_S)
    if desk.failure is not None:
        raise InfrastructureError(f"the connection broke: {desk.failure}") from desk.failure
    return found


def _tool(function: dict[str, Any]) -> Tool:
    name = function["name"]
    hints = ToolAnnotations(
        read_only_hint=name not in _CHANGES, destructive_hint=name in _OVERWRITES, open_world_hint=False
    )
    return Tool(name=name, description=function["description"], input_schema=function["parameters"], annotations=hints)


def _speak(desk: HandOver, tools: Sequence[Tool]) -> None:
    failure: BaseException | None = None
    try:
        anyio.run(_converse, desk, tools)
    except BaseException as error:  # noqa: BLE001  whatever it is, the thread that serves has to hear of it
        failure = error
    desk.leave(failure)


async def _converse(desk: HandOver, tools: Sequence[Tool]) -> None:
    async def list_tools(context: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(tools))

    async def call_tool(context: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        reply = await _answered(desk, Asked(params.name, params.arguments or {}, _client(context)), context)
        return CallToolResult(content=[TextContent(text=reply.text)], is_error=not reply.ok)

    server = Server(
        "passnet",
        version=__version__,
        title="PassNet",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _client(context: ServerRequestContext) -> str:
    """What the client calls itself; empty where it did not say."""
    known = context.session.client_params
    return known.client_info.name if known is not None else ""


async def _answered(desk: HandOver, asked: Asked, context: ServerRequestContext) -> Reply:
    """The answer, with signs of life before it: an evaluation takes minutes, and clients give up on silence."""
    waiting = asyncio.wrap_future(desk.ask(asked))
    waited = 0.0
    while not (await asyncio.wait({waiting}, timeout=_PING_S))[0]:
        waited += _PING_S
        await context.session.report_progress(waited, message=f"{asked.name}: {waited:.0f} s")
    return waiting.result()
