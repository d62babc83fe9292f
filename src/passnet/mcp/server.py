"""The server: the protocol on standard input and output runs in one thread.

The device and the episodes are in the caller's thread.
"""

from __future__ import annotations

import asyncio
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
from passnet.agent.env.tools import Effect
from passnet.agent.env.tools import Tool as EpisodeTool
from passnet.agent.record.exports.turns import SYSTEM
from passnet.agent.run.hand_over import ReportingThread, RunStopped
from passnet.agent.run.request import AgentRequest
from passnet.agent.run.session import OpenWorkbench
from passnet.errors import InfrastructureError
from passnet.mcp.calls import ClientCall, ClientCalls, ClientReply
from passnet.mcp.service import Service
from passnet.mcp.unreadable import AnsweredStream

INSTRUCTIONS = f"{SYSTEM} Call open_task first: it says what the task is and how far its episode has come."
# The seconds between two signs of progress for a waiting client, and the most seconds for a last answer to reach it.
_PING_S, _GRACE_S = 5.0, 1.0


def serve(request: AgentRequest, open_bench: OpenWorkbench | None = None) -> dict[str, Any] | None:
    """Serve one run until the client leaves. Returns its summary, or None if the client asked nothing.

    Raises UsageError for a bad task or device before any answer or file is written. Standard output carries only the
    protocol.
    """
    environment.check_device(request.device)
    calls, broken = ClientCalls(), list[BaseException]()
    service = Service(calls, request)
    tools = [_described(declared) for declared in service.tools()]

    def left(failure: BaseException | None) -> None:
        broken.extend([] if failure is None else [failure])
        calls.leave()

    thread = ReportingThread("mcp", lambda: anyio.run(_serve_protocol, calls, tools), left)
    thread.start()
    try:
        found = service.run(open_bench)
    finally:
        calls.close(RunStopped("the server is stopping"))
        thread.join(_GRACE_S)
    if broken:
        raise InfrastructureError(f"the connection broke: {broken[0]}") from broken[0]
    return found


def _described(declared: EpisodeTool) -> Tool:
    """A tool as the protocol describes it, with hints for clients that ask the user before a change."""
    changes = declared.effect in {Effect.EDITS, Effect.ENDS}
    hints = ToolAnnotations(read_only_hint=not changes, destructive_hint=declared.overwrites, open_world_hint=False)
    parameters = declared.schema["function"]["parameters"]
    return Tool(name=declared.name, description=declared.description, input_schema=parameters, annotations=hints)


async def _serve_protocol(calls: ClientCalls, tools: Sequence[Tool]) -> None:
    async def list_tools(context: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(tools))

    async def call_tool(context: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        reply = await _answered(calls, ClientCall(params.name, params.arguments or {}, _client(context)), context)
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
        await server.run(AnsweredStream(incoming, outgoing), outgoing, server.create_initialization_options())


def _client(context: ServerRequestContext) -> str:
    """The client's own name. Empty if it gave none."""
    known = context.session.client_params
    return known.client_info.name if known is not None else ""


async def _answered(calls: ClientCalls, call: ClientCall, context: ServerRequestContext) -> ClientReply:
    """The answer, with signs of progress before it.

    An evaluation takes minutes, and clients give up on silence.
    """
    waiting = asyncio.wrap_future(calls.ask(call))
    waited = 0.0
    while not (await asyncio.wait({waiting}, timeout=_PING_S))[0]:
        waited += _PING_S
        await context.session.report_progress(waited, message=f"{call.name}: {waited:.0f} s")
    try:
        return waiting.result()
    except RunStopped as stopped:
        return ClientReply(str(stopped), ok=False)
