"""The tools of an episode as a tool server of verifiers: one process per rollout, with the bench and the records.

Only the server can write the state of the rollout, because it has the secret of the channel. The pass code in the
bench's sandboxed workers does not have the secret. A model with only these tools cannot run anything else.
"""

from __future__ import annotations

import asyncio
import inspect
import signal
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import verifiers.v1 as vf
from pydantic import Field
from pydantic.fields import FieldInfo

from passnet.agent.adapters.rollouts import Opener, Rollout, Rollouts, RolloutSettings
from passnet.agent.env.env import TOOLS
from passnet.agent.env.tools import Tool

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

T = TypeVar("T")


class PassTaskData(vf.TaskData):
    """One task. `path` is its directory."""

    path: Path


class PassState(vf.State):
    """The server's report on a rollout.

    `reward` is the `score` of the rollout so far. `failure` is the reason why the bench could not go on. If it is set,
    there is no reward.
    """

    reward: float = 0.0
    steps: int = 0
    evaluations: int = 0
    done: bool = False
    failure: str | None = None


class PassToolsConfig(vf.ToolsetConfig):
    """How rollouts are played."""

    rollouts: RolloutSettings = Field(default_factory=RolloutSettings)


class PassTools(vf.Toolset[PassToolsConfig, PassState]):
    """The tools under their own names. All work on the bench happens in one separate thread."""

    TOOL_PREFIX = None
    OPENER: Opener | None = None

    async def setup_task(self, task: PassTaskData) -> None:
        # This signal ends the server. Without a handler it would end before its last record.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bench")
        self._exit_stack.push_async_callback(self._close)
        self._rollout = await self._there(lambda: self._begin(task.path))

    def _begin(self, path: Path) -> Rollout:
        self._rollouts = Rollouts(self.config.rollouts, "verifiers", type(self).OPENER)
        return self._rollouts.begin(path)

    async def _close(self) -> None:
        def close() -> None:
            self._rollout.close()
            self._rollouts.close()

        await self._there(close)
        self._thread.shutdown()

    async def _there(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def register(self, mcp: MCPServer) -> None:
        for tool in TOOLS.values():
            mcp.add_tool(self._with_state(self._method(tool)), name=tool.name, description=tool.description)

    def _method(self, tool: Tool) -> Callable[..., Awaitable[str]]:
        async def call(**arguments: object) -> str:
            try:
                return await self._there(lambda: self._call(tool.name, arguments))
            finally:
                self._tell()

        call.__name__ = tool.name
        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [_parameter(name, field) for name, field in tool.model.model_fields.items()], return_annotation=str
        )
        return call

    def _call(self, name: str, arguments: object) -> str:
        """Call a tool, and settle what is paid: nobody tells this server that the model has no more turns."""
        text = self._rollout.call(name, arguments)
        self._rollout.settle()
        return text

    def _tell(self) -> None:
        """Put the rollout's figures into the state. The environment gets the state after the call."""
        env, state = self._rollout.env, self.state
        state.reward, state.done = self._rollout.score, env.done
        state.steps, state.evaluations = env.used.steps, env.used.evaluations
        state.failure = self._rollout.failure


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if field.is_required() else field.default,
        annotation=Annotated[field.annotation, Field(description=field.description)],
    )


if __name__ == "__main__":
    PassTools.run()
