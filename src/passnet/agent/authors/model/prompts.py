"""The words that a model is told, as templates. If a template uses a name without a value, that is an error."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from passnet.agent.env.env import TOOLS

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent / "prompts"


def render(name: str, **values: object) -> str:
    """A template of the folder with its values filled in."""
    return _environment().get_template(f"{name}.md.j2").render(**values).strip()


def system(device: str, policy: str, *, text_tools: bool) -> str:
    """The text for the model before it sees the task. `text_tools` means that it writes its calls as text."""
    return render("system", device=device, policy=policy, example=example(device), tools=_tools() if text_tools else [])


def text_format() -> str:
    """How calls are written as text."""
    return render("text_tools", tools=_tools())


def example(device: str) -> str:
    """The pass file that is shown as an example."""
    return (FOLDER / f"example_{device}.txt").read_text(encoding="utf-8")


@cache
def prompts_hash() -> str:
    """SHA-256 over all templates. Other words are other settings."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.iterdir()):
        digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _tools() -> list[dict[str, object]]:
    """Each tool with its description and its parameters. Required parameters come first."""
    rows = []
    for tool in TOOLS.values():
        schema = tool.schema["function"]
        parameters = schema["parameters"]
        rows.append(
            {
                "name": schema["name"],
                "description": " ".join(schema["description"].split()),
                "parameters": [
                    {
                        "name": name,
                        "type": about["type"],
                        "default": about.get("default"),
                        "needed": name in parameters.get("required", ()),
                        "description": about["description"],
                    }
                    for name, about in parameters["properties"].items()
                ],
            }
        )
    return rows


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        autoescape=False,
    )  # fmt: skip
