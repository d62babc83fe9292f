"""`passnet mcp` on a workbench without a device: `python -m tests.mcp.fake_server TASK RUN`."""

from __future__ import annotations

import sys
from pathlib import Path

from passnet.mcp.server import serve
from tests.agent.agent_helpers import FakeWorkbench, request_for

if __name__ == "__main__":
    path, directory = map(Path, sys.argv[1:])
    serve(request_for(path, directory, "mcp"), lambda *_: FakeWorkbench())
