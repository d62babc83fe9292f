"""A verifiers (v1) environment over tasks: the tools for many turns, and AS as the bench measured it for the reward.

From Python, call `load_environment(path)`. In verifiers' commands, the taskset id is `passnet-verifiers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import verifiers.v1 as vf
from pydantic import Field

from passnet.agent.adapters.rollouts import RolloutSettings, target_of, task_paths
from passnet.agent.adapters.verifiers_tools import PassState, PassTaskData, PassTools, PassToolsConfig
from passnet.agent.env import render
from passnet.agent.record.exports.turns import SYSTEM
from passnet.errors import InfrastructureError, UsageError

TASKSET = "passnet-verifiers"


class PassTaskConfig(vf.TaskConfig):
    """`tools` says how rollouts are played and where their records are written."""

    tools: PassToolsConfig = Field(default_factory=PassToolsConfig)


class PassTasksetConfig(vf.TasksetConfig):
    """`path` is a task, a directory of tasks, or a list of them."""

    path: Path | None = None
    task: PassTaskConfig = Field(default_factory=PassTaskConfig)


class PassTask(vf.Task[PassTaskData, PassState, PassTaskConfig]):
    """Write passes for one task."""

    @classmethod
    def toolsets(cls, config: PassTaskConfig) -> list[vf.Toolset]:
        return [PassTools(config.tools)]

    @vf.stop
    async def over(self, trace: vf.Trace) -> bool:
        return bool(trace.state.done)

    @vf.reward
    async def aggregated_speedup(self, trace: vf.Trace) -> float:
        """AS of the best pass set.

        A bench that failed gives no reward of 0. The rollout fails instead, and may be retried.
        """
        if trace.state.failure is not None:
            raise InfrastructureError(f"the rollout has no reward: {trace.state.failure}")
        return float(trace.state.reward)

    @vf.metric
    async def evaluations(self, trace: vf.Trace) -> float:
        return float(trace.state.evaluations)

    @vf.metric
    async def steps(self, trace: vf.Trace) -> float:
        return float(trace.state.steps)


class PassTaskset(vf.Taskset[PassTask, PassTasksetConfig]):
    """The tasks of a path, in order."""

    def load(self) -> Iterator[PassTask]:
        if self.config.path is None:
            raise UsageError("no tasks are named", field="taskset.path", expected="a task, a directory or a list")
        settings = self.config.task.tools.rollouts
        for name, path in task_paths(self.config.path).items():
            target = target_of(path, settings.graphs)
            opening = render.opening(target, settings.device, settings.policy, settings.budget, ())
            data = PassTaskData(name=name, prompt=opening, system_prompt=SYSTEM, path=path)
            yield PassTask(data, self.config.task)


class PassEnvConfig(vf.SingleAgentEnvConfig):
    """One agent on this machine. It has only these tools."""

    taskset: PassTasksetConfig = Field(default_factory=lambda: PassTasksetConfig(id=TASKSET))
    agent: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class PassVerifiersEnv(vf.Env[PassEnvConfig]):
    """Refuses agents that can run programs beside the tool server, because such an agent could write its own reward."""

    def __init__(self, config: PassEnvConfig) -> None:
        super().__init__(config)
        harness = self._harnesses["agent"]
        if harness.EXECUTES_CODE and isinstance(config.agent.runtime, vf.SubprocessConfig):
            raise UsageError(
                f"harness {harness.config.id!r} runs the model's programs on the machine that measures them",
                field="agent.harness",
                expected="null, or a runtime of its own (docker, ...)",
            )

    async def run(self, task: PassTask, agents: vf.Agents) -> None:
        await agents.agent.run(task)


def load_environment(path: Path | str, rollouts: RolloutSettings | None = None, **agent: object) -> vf.Env:
    """An environment over the tasks of a path.

    `agent` has fields of verifiers' `AgentConfig`, such as `max_turns`. Raises UsageError for a path without tasks.
    """
    task_paths(Path(path))
    settings = rollouts or RolloutSettings()
    config = PassEnvConfig.model_validate(
        {
            "taskset": {"id": TASKSET, "path": str(path), "task": {"tools": {"rollouts": settings.model_dump()}}},
            "agent": agent,
        }
    )
    return vf.load_environment(config)
