"""agent: an environment in which authors write passes, the authors, and records that are replayed and trained on.

`PassEnv` is one task with tools. `run_agent` plays an author over tasks. Importing this room imports no torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passnet.agent.authors.base import Author, Unusable
    from passnet.agent.env.env import EpisodeOver, PassEnv
    from passnet.agent.record.budget import Budget, Usage, Used
    from passnet.agent.record.journal import read_episode
    from passnet.agent.record.names import ExitReason
    from passnet.agent.record.observation import Observation
    from passnet.agent.run.progress import RunProgress
    from passnet.agent.run.request import AgentRequest
    from passnet.agent.run.session import dry_run, run_agent
    from passnet.agent.workbench.live import LiveWorkbench
    from passnet.agent.workbench.protocol import Workbench

_HOME = {
    "authors.base": ("Author", "Unusable"),
    "run.progress": ("RunProgress",),
    "record.budget": ("Budget", "Usage", "Used"),
    "env.env": ("EpisodeOver", "PassEnv"),
    "record.journal": ("read_episode",),
    "record.names": ("ExitReason",),
    "record.observation": ("Observation",),
    "run.request": ("AgentRequest",),
    "run.session": ("dry_run", "run_agent"),
    "workbench.live": ("LiveWorkbench",),
    "workbench.protocol": ("Workbench",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "AgentRequest",
    "Author",
    "Budget",
    "EpisodeOver",
    "ExitReason",
    "LiveWorkbench",
    "Observation",
    "PassEnv",
    "RunProgress",
    "Unusable",
    "Usage",
    "Used",
    "Workbench",
    "dry_run",
    "read_episode",
    "run_agent",
]


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
