"""TRL's GRPOTrainer: an environment with the tools as methods and the bench's reward, and a dataset of tasks.

    trainer = GRPOTrainer(
        model=...,
        train_dataset=train_dataset(Path("data/tasks")),
        environment_factory=environment_factory(RolloutSettings(device="cuda")),
    )

The trainer makes one environment per rollout of a batch and uses it again. It reads `get_reward`, so no reward function
is needed. The trainer calls the methods in its own thread, and the bench lives there.
"""

from __future__ import annotations

import atexit
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic.fields import FieldInfo

from passnet.agent.adapters.rollouts import Opener, Rollout, Rollouts, RolloutSettings, task_paths
from passnet.agent.env.env import TOOLS
from passnet.agent.env.tools import Tool
from passnet.agent.record.exports.turns import SYSTEM
from passnet.errors import MissingExtra

if TYPE_CHECKING:
    from datasets import Dataset


class PassEnvironment:
    """One rollout at a time. Every public method except `reset` and `get_reward` is a tool, as TRL requires."""

    def __init__(self, rollouts: Rollouts) -> None:
        self._rollouts = rollouts
        self._rollout: Rollout | None = None

    def reset(self, task: str, **_columns: object) -> str:
        """Begin an episode on the task in this directory. Other columns are not read.

        Returns the text that the model is told first.
        """
        if self._rollout is not None:
            self._rollout.close()
        self._rollout = self._rollouts.begin(Path(task))
        return self._rollout.opening

    def get_reward(self) -> float:
        """AS of the best pass set that the bench measured in this rollout, or 0 if there is none."""
        assert self._rollout is not None, "a rollout is reset before it is rewarded"
        self._rollout.close()
        return self._rollout.reward()


def _method(tool: Tool) -> Callable[..., str]:
    def method(self: PassEnvironment, **arguments: object) -> str:
        assert self._rollout is not None, "a rollout is reset before its tools are called"
        return self._rollout.call(tool.name, arguments)

    # The chat template shows these three.
    own = inspect.signature(PassEnvironment.get_reward).parameters["self"]
    fields = tool.model.model_fields.items()
    method.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [own, *(_parameter(name, field) for name, field in fields)], return_annotation=str
    )
    method.__annotations__ = {name: field.annotation for name, field in fields} | {"return": str}
    method.__doc__ = f"{inspect.getdoc(tool.function)}\n\nReturns:\n    What came of it."
    method.__name__ = tool.name
    method.__qualname__ = f"{PassEnvironment.__name__}.{tool.name}"
    return method


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.is_required() else field.default
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=field.annotation
    )


for _tool in TOOLS.values():
    setattr(PassEnvironment, _tool.name, _method(_tool))


def environment_factory(
    settings: RolloutSettings | None = None, open_bench: Opener | None = None
) -> Callable[[], PassEnvironment]:
    """The factory for `GRPOTrainer(environment_factory=...)`. All its environments share one bench, closed at exit."""
    rollouts = Rollouts(settings or RolloutSettings(), "trl", open_bench)
    atexit.register(rollouts.close)
    return lambda: PassEnvironment(rollouts)


def train_dataset(path: Path) -> Dataset:
    """A row for each task of a directory or list.

    `task` is the directory of the task. `reset` completes `prompt` with the text of the task.
    """
    try:
        from datasets import Dataset
    except ModuleNotFoundError as missing:
        raise MissingExtra("a dataset", "datasets") from missing
    prompt = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ""}]
    return Dataset.from_list([{"prompt": prompt, "task": str(found)} for found in task_paths(path).values()])
