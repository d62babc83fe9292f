"""The files of a Harbor task folder that are text: Dockerfiles, scripts, the instruction, `task.toml`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from passnet.authored import as_text

WORKSPACE = "/workspace"
PASSES = f"{WORKSPACE}/task/pass_dir"

_BASE = """\
FROM {image}
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
{install}
"""
AGENT_DOCKERFILE = (
    _BASE
    + f"""\
RUN useradd --create-home agent && mkdir {WORKSPACE} && chown agent {WORKSPACE}
COPY --chown=agent task {WORKSPACE}/task
USER agent
RUN mkdir -p {PASSES}
WORKDIR {WORKSPACE}
"""
)
# This image is built apart from the agent's image. The agent could never reach anything in it.
VERIFIER_DOCKERFILE = (
    _BASE
    + """\
COPY . /tests
WORKDIR /
"""
)
TEST = f"""\
#!/bin/bash
# Measures the passes that were collected from the agent's container, in this one, which the agent never saw.
exec python3 -I /tests/reward.py --task /tests/task --passes {PASSES} --logs /logs/verifier -- {{options}}
"""
SOLVE_WITH_PASSES = f"""\
#!/bin/bash
set -e
cp /solution/passes/* {PASSES}/
"""
SOLVE_WITH_DISTILL = f"""\
#!/bin/bash
# The embedded author: needs no model and no network.
set -e
passnet agent {WORKSPACE}/task --author distill --runs {WORKSPACE}/runs --run solve {{options}}
cp {WORKSPACE}/runs/solve/tasks/*/passes/* {PASSES}/
"""
INSTRUCTION = """\
# Make a PyTorch graph faster: {name}

{system}

The task is in `{workspace}/task`; write the passes into `{passes}`. What counts is what that directory holds when you
stop. Commands that help, all on the task directory:

- `passnet inspect {workspace}/task`: what the graphs cost, what a pattern can match;
- `passnet check {workspace}/task {options}`: where each pass matches, and why not, without timing;
- `passnet eval {workspace}/task {options}`: proves the passes right and times them against eager;
- `passnet mcp {workspace}/task {options}`: the same and more as tools over the Model Context Protocol. It works in a
  directory of its own; `submit` says where the best passes are, copy them from there.

Afterwards the passes are measured anew in another container, on new inputs; nothing else of yours goes there.

{opening}
"""


def dockerfile(template: str, image: str, wheel: str) -> str:
    """`wheel` is the name of a file beside the Dockerfile. It is installed with Triton."""
    return template.format(
        image=image, install=f"COPY {wheel} /opt/\nRUN pip install --no-cache-dir '/opt/{wheel}[triton]'"
    )


def toml(tables: Mapping[str, Mapping[str, object]], root: Mapping[str, object]) -> str:
    """A TOML document of strings, numbers, booleans and lists of them. Its keys are plain words."""
    lines = [f"{key} = {_value(value)}" for key, value in root.items()]
    for name, rows in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in rows.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # TOML has JSON's escapes but for halves of a character, which JSON may write. It forbids one character more.
        return json.dumps(as_text(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value) if isinstance(value, float) else json.dumps(value)
