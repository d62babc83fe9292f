"""The tool server on a workbench without a device, started as a module of its own."""

from __future__ import annotations

from passnet.agent.adapters.verifiers_tools import PassTools
from tests.agent.agent_helpers import FakeWorkbench


class FakeTools(PassTools):
    OPENER = FakeWorkbench


if __name__ == "__main__":
    FakeTools.run()
